/// One line from a client without its line break: tags, source, command and parameters (RFC 1459 section 2.3.1, IRCv3
/// message tags).
package struct IRCMessage: Hashable, Sendable {
    /// Limit for the part after the tags, including the line break (RFC 1459 section 2.3).
    package static let bytesMax = 512
    /// Limit for a client's tags, including `@` and the space; 4,096 bytes are for its own data.
    package static let tagBytesMax = 4_096
    /// Anything after the last parameter belongs to it.
    package static let paramsMax = 15
    package static let tagsMax = 64

    package var tags: [Tag]
    package var source: String?
    /// In upper case.
    package var command: String
    package var params: [String]

    package struct Tag: Hashable, Sendable {
        package let key: String
        package let value: String

        package init(_ key: String, _ value: String = "") {
            self.key = key
            self.value = value
        }
    }

    package init(tags: [Tag] = [], source: String? = nil, command: String, params: [String] = []) {
        self.tags = tags
        self.source = source
        self.command = command
        self.params = params
    }

    /// - Parameter line: without its line break; a trailing carriage return is ignored.
    /// - Returns: `nil` for an empty line.
    package init?(_ line: some Collection<UInt8>) throws(IRCFault) {
        var bytes = Array(line)[...]
        while bytes.last == UInt8(ascii: "\r") || bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        // A NUL or an inner line break could be read as another line elsewhere.
        guard !bytes.contains(where: { $0 == 0 || $0 == 0x0D || $0 == 0x0A }) else { throw .binary }
        var tags: [Tag] = []
        if bytes.first == UInt8(ascii: "@") {
            let end = bytes.firstIndex(of: UInt8(ascii: " ")) ?? bytes.endIndex
            guard bytes.distance(from: bytes.startIndex, to: end) < Self.tagBytesMax else { throw .tooLong }
            tags = try Self.tags(try Self.text(bytes[bytes.index(after: bytes.startIndex)..<end]))
            bytes = bytes[end...]
        }
        bytes = bytes.drop { $0 == UInt8(ascii: " ") }
        guard bytes.count <= Self.bytesMax - 2 else { throw .tooLong }
        let text = try Self.text(bytes)
        var rest = Substring(text)
        var source: String?
        if rest.utf8.first == UInt8(ascii: ":") { source = String(Self.word(&rest).dropFirst()) }
        let command = Self.word(&rest)
        guard !command.isEmpty else { return nil }
        self.init(tags: tags, source: source, command: command.uppercased(), params: Self.params(rest))
    }

    private static func text(_ bytes: ArraySlice<UInt8>) throws(IRCFault) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        return text
    }

    private static func word(_ rest: inout Substring) -> Substring {
        let utf8 = rest.utf8
        let end = utf8.firstIndex(of: UInt8(ascii: " ")) ?? utf8.endIndex
        let word = rest[..<end]
        rest = Substring(utf8[end...].drop { $0 == UInt8(ascii: " ") })
        return word
    }

    private static func params(_ rest: Substring) -> [String] {
        var (rest, params) = (rest, [String]())
        while let first = rest.utf8.first {
            if first == UInt8(ascii: ":") {
                params.append(String(Substring(rest.utf8.dropFirst())))
                break
            }
            if params.count == paramsMax - 1 {
                params.append(String(rest))
                break
            }
            params.append(String(word(&rest)))
        }
        return params
    }

    private static func tags(_ text: String) throws(IRCFault) -> [Tag] {
        let items = text.split(separator: ";", maxSplits: tagsMax)
        guard items.count <= tagsMax else { throw .tooLong }
        return items.map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return Tag(String(parts[0]), parts.count > 1 ? IRCTagValue.unescaped(parts[1]) : "")
        }
    }

    package func tag(_ key: String) -> String? {
        tags.last { $0.key == key }?.value
    }
}

package enum IRCFault: Error, Equatable {
    case tooLong
    case notUTF8
    /// A NUL or a line break inside a line.
    case binary
}

/// Escapes tag values so that `;`, blanks and line breaks never occur literally (IRCv3 message tags, section Escaping
/// Values).
enum IRCTagValue {
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case ";": escaped += "\\:"
            case " ": escaped += "\\s"
            case "\\": escaped += "\\\\"
            case "\r": escaped += "\\r"
            case "\n": escaped += "\\n"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    static func unescaped(_ text: Substring) -> String {
        var unescaped = String.UnicodeScalarView()
        var isEscape = false
        for scalar in text.unicodeScalars {
            guard isEscape else {
                if scalar == "\\" { isEscape = true } else { unescaped.append(scalar) }
                continue
            }
            isEscape = false
            switch scalar {
            case ":": unescaped.append(";")
            case "s": unescaped.append(" ")
            case "r": unescaped.append("\r")
            case "n": unescaped.append("\n")
            default: unescaped.append(scalar)
            }
        }
        return String(unescaped)
    }
}
