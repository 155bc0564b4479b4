import LatticeAPI

/// Reads XML 1.0 in UTF-8, one event at a time, without document types: so no entity is anything but one character.
struct XMLScanner {
    enum Event: Equatable {
        /// Names are without their prefix.
        case start(String, [String: String])
        case text(String)
        case end
        case finished
    }

    private static let attributesMax = 64
    private static let entityBytesMax = 12
    /// In a reference, besides characters and digits.
    private static let signs = Array("#-+".utf8)
    private static let declarations: [StaticString] = ["<!--", "<![CDATA[", "<!DOCTYPE"]
    private static let entities: [String: Character] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]

    private let bytes: [UInt8]
    /// Where the next event begins.
    private(set) var index: Int
    /// The open elements, by where their names stand.
    private var open: [Range<Int>] = []
    private var hasRoot = false
    private var isEmptyElement = false

    init(_ bytes: [UInt8], from start: Int) {
        (self.bytes, index) = (bytes, start)
    }

    mutating func next() throws(ScanFault) -> Event {
        if isEmptyElement {
            isEmptyElement = false
            open.removeLast()
            return .end
        }
        while true {
            guard index < bytes.count else {
                guard hasRoot, open.isEmpty else { throw ScanFault(.cutOff, at: bytes.count) }
                return .finished
            }
            guard bytes[index] == UInt8(ascii: "<") else {
                if let text = try text() { return .text(text) }
                continue
            }
            if has("<!--") {
                try skipComment()
            } else if has("<?") {
                try skipInstruction()
            } else if has("<![CDATA["), !open.isEmpty {
                let start = index + 9
                let end = try find("]]>", from: start)
                index = end + 3
                return .text(String(decoding: bytes[start..<end], as: UTF8.self))
            } else if has("<!DOCTYPE") {
                throw ScanFault(.documentType, at: index)
            } else if has("</") {
                try endTag()
                return .end
            } else {
                guard !endsInDeclaration else { throw ScanFault(.cutOff, at: bytes.count) }
                return try startTag()
            }
        }
    }

    /// Whether the rest is the beginning of a comment, a section or a document type.
    private var endsInDeclaration: Bool {
        Self.declarations.contains { words in words.withUTF8Buffer { $0.starts(with: bytes[index...]) } }
    }

    // MARK: - Tags

    private mutating func startTag() throws(ScanFault) -> Event {
        let start = index
        guard !hasRoot || !open.isEmpty else { throw malformed("something follows the end of the document") }
        guard open.count < PointFile.depthMax else { throw ScanFault(.tooDeep(max: PointFile.depthMax), at: start) }
        index += 1
        let name = try self.name()
        var attributes: [String: String] = [:]
        while true {
            let hadSpace = skipSpace()
            switch try byte() {
            case UInt8(ascii: ">"):
                index += 1
                (hasRoot, isEmptyElement) = (true, false)
                open.append(name)
                return .start(local(name), attributes)
            case UInt8(ascii: "/"):
                index += 1
                guard try byte() == UInt8(ascii: ">") else { throw malformed("a tag does not end") }
                index += 1
                (hasRoot, isEmptyElement) = (true, true)
                open.append(name)
                return .start(local(name), attributes)
            default:
                guard hadSpace else { throw malformed("a tag does not end") }
                guard attributes.count < Self.attributesMax else {
                    throw malformed("an element has too many attributes")
                }
                let (attribute, value) = try attribute()
                guard attributes.updateValue(value, forKey: attribute) == nil else {
                    throw malformed("an attribute stands twice in one element")
                }
            }
        }
    }

    private mutating func endTag() throws(ScanFault) {
        let start = index
        index += 2
        let name = try self.name()
        _ = skipSpace()
        guard try byte() == UInt8(ascii: ">") else { throw malformed("a tag does not end") }
        index += 1
        guard let last = open.last, bytes[last] == bytes[name] else {
            throw ScanFault(.malformed(reason: "an element ends that is not open"), at: start)
        }
        open.removeLast()
    }

    private mutating func attribute() throws(ScanFault) -> (String, String) {
        let name = try self.name()
        _ = skipSpace()
        guard try byte() == UInt8(ascii: "=") else { throw malformed("an attribute has no value") }
        index += 1
        _ = skipSpace()
        let quote = try byte()
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw malformed("the value of an attribute is not in quotes")
        }
        index += 1
        var value = ""
        var start = index
        while try byte() != quote {
            switch bytes[index] {
            case UInt8(ascii: "<"): throw malformed("the value of an attribute does not end")
            case UInt8(ascii: "&"):
                value += String(decoding: bytes[start..<index], as: UTF8.self)
                value.append(try reference())
                start = index
            default: index += 1
            }
        }
        value += String(decoding: bytes[start..<index], as: UTF8.self)
        index += 1
        return (String(decoding: bytes[name], as: UTF8.self), value)
    }

    /// Letters, digits and a few signs; all that is not ASCII counts as a letter.
    private mutating func name() throws(ScanFault) -> Range<Int> {
        let start = index
        while index < bytes.count {
            switch bytes[index] {
            case 0x41...0x5A, 0x61...0x7A, 0x5F, 0x3A, 0x80...0xFF: index += 1
            case 0x30...0x39, 0x2D, 0x2E:
                guard index > start else { throw malformed("a name is missing") }
                index += 1
            default:
                guard index > start else { throw malformed("a name is missing") }
                return start..<index
            }
        }
        throw ScanFault(.cutOff, at: bytes.count)
    }

    private func local(_ name: Range<Int>) -> String {
        let name = bytes[name]
        let start = name.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? name.startIndex
        return String(decoding: name[start...], as: UTF8.self)
    }

    // MARK: - Text

    /// - Returns: `nil` for space outside the root.
    private mutating func text() throws(ScanFault) -> String? {
        var text = ""
        var start = index
        while index < bytes.count, bytes[index] != UInt8(ascii: "<") {
            let byte = bytes[index]
            guard !open.isEmpty || PointFile.isSpace(byte) else { throw malformed("text stands outside the document") }
            guard byte >= 0x20 || PointFile.isSpace(byte) else {
                throw malformed("a control character stands in the text")
            }
            if byte == UInt8(ascii: "&") {
                text += String(decoding: bytes[start..<index], as: UTF8.self)
                text.append(try reference())
                start = index
            } else {
                index += 1
            }
        }
        guard !open.isEmpty else { return nil }
        return text + String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func reference() throws(ScanFault) -> Character {
        let start = index
        let characters = bytes[(start + 1)...].prefix(Self.entityBytesMax)
        let end = characters.firstIndex {
            !(0x30...0x39).contains($0) && !(0x61...0x7A).contains($0 | 0x20) && !Self.signs.contains($0)
        }
        guard let end, bytes[end] == UInt8(ascii: ";") else {
            if end == nil, characters.endIndex == bytes.count { throw ScanFault(.cutOff, at: bytes.count) }
            throw malformed("an '&' begins no entity; write &amp;")
        }
        let name = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
        index = end + 1
        if let known = Self.entities[name] { return known }
        let digits = name.dropFirst(name.hasPrefix("#x") ? 2 : 1)
        guard name.hasPrefix("#"), digits.allSatisfy(\.isHexDigit),
            let value = UInt32(digits, radix: name.hasPrefix("#x") ? 16 : 10), let scalar = Unicode.Scalar(value),
            value >= 0x20 && value & 0xFFFE != 0xFFFE || value == 0x09 || value == 0x0A || value == 0x0D
        else { throw ScanFault(.entity(name: name), at: start) }
        return Character(scalar)
    }

    // MARK: - What is skipped

    private mutating func skipComment() throws(ScanFault) {
        let end = try find("--", from: index + 4)
        index = end + 2
        guard try byte() == UInt8(ascii: ">") else { throw malformed("a comment has '--' in it") }
        index += 1
    }

    private mutating func skipInstruction() throws(ScanFault) {
        let end = try find("?>", from: index + 2)
        let words = String(decoding: bytes[index..<end], as: UTF8.self).lowercased()
        if words.hasPrefix("<?xml "), let encoding = words.firstRange(of: "encoding") {
            let value = words[encoding.upperBound...]
            guard value.contains("utf-8") || value.contains("ascii") else { throw ScanFault(.notUTF8, at: index) }
        }
        index = end + 2
    }

    /// - Returns: whether there was space.
    private mutating func skipSpace() -> Bool {
        let start = index
        while index < bytes.count, PointFile.isSpace(bytes[index]) { index += 1 }
        return index > start
    }

    private func has(_ words: StaticString) -> Bool {
        words.withUTF8Buffer { bytes[index...].starts(with: $0) }
    }

    private func find(_ words: String, from start: Int) throws(ScanFault) -> Int {
        let wanted = Array(words.utf8)
        var at = start
        while at + wanted.count <= bytes.count {
            if bytes[at] == wanted[0], bytes[at...].starts(with: wanted) { return at }
            at += 1
        }
        throw ScanFault(.cutOff, at: bytes.count)
    }

    private func byte() throws(ScanFault) -> UInt8 {
        guard index < bytes.count else { throw ScanFault(.cutOff, at: bytes.count) }
        return bytes[index]
    }

    private func malformed(_ reason: String) -> ScanFault { ScanFault(.malformed(reason: reason), at: index) }
}
