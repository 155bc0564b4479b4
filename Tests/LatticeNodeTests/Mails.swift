@testable import LatticeNode

// People who write private messages.

extension Home {
    /// Their private messages, without a network.
    func mail() throws -> PrivateMail {
        PrivateMail(store: try store(), identity: identity)
    }
}

extension Chatter {
    /// Alice, Bob and Carol, each with keys for private messages and none linked yet.
    static func threeWithMail() async throws -> (alice: Chatter, bob: Chatter, carol: Chatter) {
        (
            try await Chatter(try Home("alice"), hasMail: true), try await Chatter(try Home("bob"), hasMail: true),
            try await Chatter(try Home("carol"), hasMail: true)
        )
    }
}
