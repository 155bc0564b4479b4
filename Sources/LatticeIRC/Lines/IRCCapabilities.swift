/// Capabilities that a client requested (IRCv3 capability negotiation).
package struct IRCCapabilities: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    static let messageTags = Self(rawValue: 1 << 0)
    static let serverTime = Self(rawValue: 1 << 1)
    static let echoMessage = Self(rawValue: 1 << 2)
    static let labeledResponse = Self(rawValue: 1 << 3)
    static let batch = Self(rawValue: 1 << 4)
    static let multiPrefix = Self(rawValue: 1 << 5)
    static let extendedJoin = Self(rawValue: 1 << 6)
    static let awayNotify = Self(rawValue: 1 << 7)
    static let accountTag = Self(rawValue: 1 << 8)
    static let accountNotify = Self(rawValue: 1 << 9)
    static let setname = Self(rawValue: 1 << 10)
    static let sasl = Self(rawValue: 1 << 11)
    static let capNotify = Self(rawValue: 1 << 12)
    static let inviteNotify = Self(rawValue: 1 << 13)
    static let userhostInNames = Self(rawValue: 1 << 14)
    static let chathistory = Self(rawValue: 1 << 15)
    static let readMarker = Self(rawValue: 1 << 16)
    static let standardReplies = Self(rawValue: 1 << 17)
    static let redaction = Self(rawValue: 1 << 18)

    /// Capabilities that change how a line is written.
    static let tagged: Self = [.messageTags, .serverTime, .labeledResponse, .batch, .accountTag]

    /// In the order of CAP LS.
    static let known: [(name: String, value: String?, capability: Self)] = [
        ("account-notify", nil, .accountNotify), ("account-tag", nil, .accountTag), ("away-notify", nil, .awayNotify),
        ("batch", nil, .batch), ("cap-notify", nil, .capNotify), ("draft/chathistory", nil, .chathistory),
        ("draft/message-redaction", nil, .redaction), ("draft/read-marker", nil, .readMarker),
        ("echo-message", nil, .echoMessage),
        ("extended-join", nil, .extendedJoin), ("invite-notify", nil, .inviteNotify),
        ("labeled-response", nil, .labeledResponse), ("message-tags", nil, .messageTags),
        ("multi-prefix", nil, .multiPrefix), ("sasl", "PLAIN", .sasl), ("server-time", nil, .serverTime),
        ("setname", nil, .setname), ("standard-replies", nil, .standardReplies),
        ("userhost-in-names", nil, .userhostInNames),
    ]

    static func named(_ name: some StringProtocol) -> Self? {
        known.first { $0.name == name }?.capability
    }
}
