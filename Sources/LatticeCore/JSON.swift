/// A JSON value (RFC 8259); an object keeps its members in the given order.
///
/// What could act on a terminal is escaped, so that a log is safe to look at.
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

    /// Copies runs of ASCII, which need no look at what Unicode says of each character.
    private static func quote(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        let isWritten = text.withUTF8 { plain in
            guard plain.allSatisfy(isPlain) else { return false }
            bytes.append(contentsOf: plain)
            return true
        }
        if !isWritten {
            for scalar in text.unicodeScalars { write(scalar, to: &bytes) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private static func write(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        switch scalar {
        case "\"": bytes += "\\\"".utf8
        case "\\": bytes += "\\\\".utf8
        case "\n": bytes += "\\n".utf8
        case "\t": bytes += "\\t".utf8
        case let scalar where DisplayText.isUnsafe(scalar):
            for unit in UTF16.encode(scalar)! {
                let digits = String(unit, radix: 16)
                bytes += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
            }
        default: bytes += UTF8.encode(scalar)!
        }
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
