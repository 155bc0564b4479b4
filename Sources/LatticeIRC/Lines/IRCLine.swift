import LatticeAPI
import LatticeCore

/// A line to clients. Which tags are written depends on the client's capabilities.
package struct IRCLine: Hashable, Sendable {
    var time: WallTime?
    var msgid: String?
    var account: String?
    var isBot = false
    var batch: String?
    var label: String?
    /// Tags for all clients that accept any tags.
    var others: [IRCMessage.Tag] = []
    var source: String?
    var command: String
    var params: [String]
    /// A last parameter that may contain blanks or be empty.
    var trailing: String?

    package init(source: String? = nil, _ command: String, _ params: [String] = [], trailing: String? = nil) {
        self.source = source
        self.command = command
        self.params = params
        self.trailing = trailing
    }

    /// The encoded line with its line break. A line over the limit is cut between two characters.
    package func bytes(for capabilities: IRCCapabilities) -> [UInt8] {
        var bytes: [UInt8] = []
        let tags = tags(for: capabilities)
        if !tags.isEmpty {
            bytes.append(UInt8(ascii: "@"))
            for (number, tag) in tags.enumerated() {
                if number > 0 { bytes.append(UInt8(ascii: ";")) }
                bytes += tag.key.utf8
                if !tag.value.isEmpty {
                    bytes.append(UInt8(ascii: "="))
                    bytes += IRCTagValue.escaped(tag.value).utf8
                }
            }
            bytes.append(UInt8(ascii: " "))
        }
        let start = bytes.count
        if let source {
            bytes.append(UInt8(ascii: ":"))
            bytes += source.utf8
            bytes.append(UInt8(ascii: " "))
        }
        bytes += command.utf8
        for param in params {
            bytes.append(UInt8(ascii: " "))
            bytes += param.utf8
        }
        if let trailing {
            bytes += [UInt8(ascii: " "), UInt8(ascii: ":")]
            bytes += trailing.utf8
        }
        Self.cut(&bytes, to: start + IRCMessage.bytesMax - 2)
        bytes += [0x0D, 0x0A]
        return bytes
    }

    /// Bytes left for text after source, command and parameters.
    var textBytesLeft: Int {
        let fixed = (source.map { $0.utf8.count + 2 } ?? 0) + command.utf8.count + 2
        return IRCMessage.bytesMax - 2 - params.reduce(fixed) { $0 + $1.utf8.count + 1 }
    }

    /// Splits a text into as many lines as needed. Only the first one has the id: some clients show each id only once.
    func pieces(_ text: String, _ style: SpeechStyle) -> [IRCLine] {
        let extra = style == .acts ? 9 : 0
        var texts = IRCText.lines(text, bytesMax: max(4, textBytesLeft - extra))
        if texts.isEmpty { texts = ["?"] }
        return texts.enumerated().map { number, text in
            var piece = self
            piece.trailing = style == .acts ? "\u{1}ACTION \(text)\u{1}" : text
            if number > 0 { piece.msgid = nil }
            return piece
        }
    }

    private func tags(for capabilities: IRCCapabilities) -> [IRCMessage.Tag] {
        var tags: [IRCMessage.Tag] = []
        if capabilities.contains(.batch), let batch { tags.append(.init("batch", batch)) }
        if capabilities.contains(.labeledResponse), let label { tags.append(.init("label", label)) }
        if capabilities.contains(.serverTime), let time { tags.append(.init("time", RFC3339.string(time))) }
        if capabilities.contains(.accountTag), let account { tags.append(.init("account", account)) }
        if capabilities.contains(.messageTags) {
            if let msgid { tags.append(.init("msgid", msgid)) }
            if isBot { tags.append(.init("bot")) }
            tags += others
        }
        return tags
    }

    private static func cut(_ bytes: inout [UInt8], to count: Int) {
        guard bytes.count > count else { return }
        var end = count
        while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        bytes.removeSubrange(end...)
    }
}
