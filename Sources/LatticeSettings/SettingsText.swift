/// Parses a settings file with line numbers: JSON (RFC 8259) for hand-writing, with `//` and `/* */` comments and
/// trailing commas.
struct SettingsText {
    enum Value: Equatable {
        case text(String)
        /// As written.
        case number(String)
        case flag(Bool)
        case list([Value])
        case object([Member])

        var kind: String {
            switch self {
            case .text: "a text"
            case .number: "a number"
            case .flag: "true or false"
            case .list: "a list"
            case .object: "an object"
            }
        }
    }

    struct Member: Equatable {
        let key: String
        let line: Int
        let value: Value
    }

    struct Fault: Error, Equatable {
        /// Starts at 1.
        let line: Int
        let reason: String
    }

    /// Nesting depth; settings need less.
    private static let depthMax = 8

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1

    /// - Throws: `Fault`.
    static func members(of bytes: [UInt8]) throws(Fault) -> [Member] {
        var text = SettingsText(bytes: bytes)
        try text.skip()
        // An empty file sets nothing.
        guard text.next != nil else { return [] }
        guard text.next == UInt8(ascii: "{") else { throw text.fault("the settings must be in braces: { … }") }
        let members = try text.object(depth: 0)
        try text.skip()
        guard text.next == nil else { throw text.fault("there is text after the last brace; remove it") }
        return members
    }

    private init(bytes: [UInt8]) {
        // Some editors write a byte order mark in UTF-8.
        self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private func fault(_ reason: String) -> Fault { Fault(line: line, reason: reason) }

    private mutating func skip() throws(Fault) {
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\n"):
                line += 1
                index += 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): index += 1
            case UInt8(ascii: "/"): try skipRemark()
            default: return
            }
        }
    }

    private mutating func skipRemark() throws(Fault) {
        let second = index + 1 < bytes.count ? bytes[index + 1] : 0
        switch second {
        case UInt8(ascii: "/"):
            while let byte = next, byte != UInt8(ascii: "\n") { index += 1 }
        case UInt8(ascii: "*"):
            let begin = line
            index += 2
            while !bytes[index...].starts(with: [UInt8(ascii: "*"), UInt8(ascii: "/")]) {
                guard let byte = next else { throw Fault(line: begin, reason: "this comment has no end */") }
                if byte == UInt8(ascii: "\n") { line += 1 }
                index += 1
            }
            index += 2
        default: throw fault("a comment begins with // or /*")
        }
    }

    private mutating func object(depth: Int) throws(Fault) -> [Member] {
        guard depth < Self.depthMax else { throw fault("too many nested braces or brackets") }
        var members: [Member] = []
        index += 1
        while true {
            try skip()
            guard let byte = next else { throw fault("a closing brace } is missing") }
            if byte == UInt8(ascii: "}") { break }
            guard byte == UInt8(ascii: "\"") else { throw fault("the name of a setting must be in double quotes") }
            let keyLine = line
            let key = try string()
            guard !members.contains(where: { $0.key == key }) else {
                throw Fault(line: keyLine, reason: "\"\(key)\" is there twice; remove one of them")
            }
            try skip()
            guard next == UInt8(ascii: ":") else { throw fault("a colon is missing after \"\(key)\"") }
            index += 1
            try skip()
            members.append(Member(key: key, line: keyLine, value: try value(depth: depth)))
            try skip()
            try comma(or: UInt8(ascii: "}"))
        }
        index += 1
        return members
    }

    private mutating func value(depth: Int) throws(Fault) -> Value {
        switch next {
        case UInt8(ascii: "\""): return .text(try string())
        case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
        case UInt8(ascii: "["): return .list(try list(depth: depth + 1))
        default: return try word()
        }
    }

    private mutating func list(depth: Int) throws(Fault) -> [Value] {
        guard depth < Self.depthMax else { throw fault("too many nested braces or brackets") }
        var values: [Value] = []
        index += 1
        while true {
            try skip()
            guard let byte = next else { throw fault("a closing bracket ] is missing") }
            if byte == UInt8(ascii: "]") { break }
            values.append(try value(depth: depth))
            try skip()
            try comma(or: UInt8(ascii: "]"))
        }
        index += 1
        return values
    }

    private mutating func comma(or end: UInt8) throws(Fault) {
        if next == UInt8(ascii: ",") {
            index += 1
        } else if next != nil, next != end {
            throw fault("a comma is missing before this")
        }
    }

    private mutating func word() throws(Fault) -> Value {
        let ends = Array(",]}/ \t\r\n".utf8)
        let word = String(decoding: bytes[index...].prefix { !ends.contains($0) }, as: UTF8.self)
        switch word {
        case "true", "false":
            index += word.utf8.count
            return .flag(word == "true")
        case "null": throw fault("null is not allowed; remove the setting")
        default:
            guard let first = word.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first),
                Double(word) != nil
            else { throw fault("a value is missing, or lacks its double quotes") }
            index += word.utf8.count
            return .number(word)
        }
    }

    private mutating func string() throws(Fault) -> String {
        index += 1
        var content: [UInt8] = []
        while let byte = next, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw fault("a text must end on the same line, with a double quote") }
            index += 1
            if byte == UInt8(ascii: "\\") {
                content += Array(String(try escaped()).utf8)
            } else {
                content.append(byte)
            }
        }
        guard next != nil else { throw fault("a text must end with a double quote") }
        index += 1
        guard let text = String(validating: content, as: UTF8.self) else { throw fault("this is not UTF-8") }
        return text
    }

    private mutating func escaped() throws(Fault) -> Character {
        guard let byte = next else { throw fault("a text must end with a double quote") }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Character(Unicode.Scalar(byte))
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "u"):
            let digits = String(decoding: bytes[index...].prefix(4), as: UTF8.self)
            guard digits.utf8.count == 4, let number = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(number)
            else { throw fault("write the character itself instead of \\u and a surrogate") }
            index += 4
            return Character(scalar)
        default: throw fault("a backslash must be followed by \", \\, /, n, t, r or u")
        }
    }
}
