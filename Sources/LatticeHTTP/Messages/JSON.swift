/// A JSON value (RFC 8259); an object keeps its members in the given order.
package enum JSON: Sendable {
    case text(String)
    case integer(Int)
    case number(Double)
    case flag(Bool)
    case null
    case list([JSON])
    case object([(String, JSON)])

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .text(let text): Self.quote(text, to: &bytes)
        case .integer(let number): bytes += "\(number)".utf8
        case .number(let number): bytes += (number.isFinite ? "\(number)" : "null").utf8
        case .flag(let flag): bytes += (flag ? "true" : "false").utf8
        case .null: bytes += "null".utf8
        case .list(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, (name, value)) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.quote(name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// Writes UTF-8 unchanged, except for characters that JSON reserves.
    private static func quote(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case UInt8(ascii: "\n"): bytes += "\\n".utf8
            case 0..<0x20, 0x7F:
                let digits = String(byte, radix: 16)
                bytes += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral text: String) { self = .text(text) }
    package init(integerLiteral number: Int) { self = .integer(number) }
    package init(booleanLiteral flag: Bool) { self = .flag(flag) }
    package init(arrayLiteral values: JSON...) { self = .list(values) }

    /// Absent members are left out.
    package init(dictionaryLiteral members: (String, JSON?)...) { self.init(members) }

    package init(_ members: [(String, JSON?)]) {
        self = .object(members.compactMap { name, value in value.map { (name, $0) } })
    }
}

extension JSON {
    package static func text(_ text: String?) -> JSON? { text.map { .text($0) } }
    package static func integer(_ number: Int?) -> JSON? { number.map { .integer($0) } }
    package static func number(_ number: Double?) -> JSON? { number.map { .number($0) } }
}
