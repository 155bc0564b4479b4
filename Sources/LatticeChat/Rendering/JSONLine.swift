import LatticeCore

/// One JSON object on one line (RFC 8259), with its members in the given order.
///
/// Escapes everything that could act on a terminal, so that a log is safe to look at.
package struct JSONLine: Sendable {
    package enum Value: Sendable {
        case text(String)
        case integer(Int)
        case number(Double)
        case flag(Bool)
        case null
        case list([Value])
        case object(JSONLine)

        package static func text(_ value: String?) -> Value { value.map(Value.text) ?? .null }
        package static func integer(_ value: Int?) -> Value { value.map(Value.integer) ?? .null }
    }

    private let members: [(String, Value)]

    package init(_ members: [(String, Value)]) {
        self.members = members
    }

    package var description: String {
        "{" + members.map { "\(Self.quoted($0)):\(Self.written($1))" }.joined(separator: ",") + "}"
    }

    private static func written(_ value: Value) -> String {
        switch value {
        case .text(let text): quoted(text)
        case .integer(let number): String(number)
        case .number(let number): number.isFinite ? String(number) : "null"
        case .flag(let flag): flag ? "true" : "false"
        case .null: "null"
        case .list(let values): "[" + values.map(written).joined(separator: ",") + "]"
        case .object(let object): object.description
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case let scalar where DisplayText.isUnsafe(scalar): result += escaped(scalar)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}
