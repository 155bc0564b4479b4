package import LatticeCore

// Private messages.

/// Sends a private message: 1–4,096 bytes of text, not all of it blanks. The reply is the stored message; without a store
/// nothing is sent.
package struct SendPrivateMessage: Request {
    package static let name = "tell"
    package static let replyName = "told"
    /// A front asks for the last messages before it repeats one.
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = PrivateMessage

    package let peer: PeerReference
    package let text: String
    package let style: SpeechStyle
    /// As in `Say`.
    package let isNotice: Bool
    /// The message that it answers.
    package let replyTo: RecordID?

    package init(
        _ peer: PeerReference, _ text: String, style: SpeechStyle, isNotice: Bool = false, replyTo: RecordID? = nil
    ) {
        (self.peer, self.text, self.style, self.isNotice) = (peer, text, style, isNotice)
        self.replyTo = replyTo
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try fields.decode(PeerReference.self, forKey: .peer), try fields.decode(String.self, forKey: .text),
            style: try fields.decodeIfPresent(SpeechStyle.self, forKey: .style) ?? .says,
            isNotice: try fields.decodeIfPresent(Bool.self, forKey: .isNotice) ?? false,
            replyTo: try fields.decodeIfPresent(RecordID.self, forKey: .replyTo))
    }
}

/// The last messages exchanged with somebody, oldest first; 1–10,000 of them.
package struct ListPrivateMessages: Request {
    package static let name = "privateHistory"
    package static let replyName = "privateHistory"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = PrivateMessages

    private static let limitUsual = 50

    package let peer: PeerReference
    package let limit: Int

    package init(_ peer: PeerReference, limit: Int) {
        (self.peer, self.limit) = (peer, limit)
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try fields.decode(PeerReference.self, forKey: .peer),
            limit: try fields.decodeIfPresent(Int.self, forKey: .limit) ?? Self.limitUsual)
    }
}

/// The last message of each conversation, newest first; at most 1,000.
package struct ListConversations: Request {
    package static let name = "conversations"
    package static let replyName = "privateHistory"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = PrivateMessages

    package init() {}
}

package struct PrivateMessages: Hashable, Codable, Sendable {
    package let messages: [PrivateMessage]

    package init(_ messages: [PrivateMessage]) { self.messages = messages }
}
