package import LatticeCore

// The node itself: its identity, links, neighbours and health.

/// The identity that this node speaks for.
package struct ShowMe: Request {
    package static let name = "me"
    package static let replyName = "me"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = Me

    package init() {}
}

package struct ListPeers: Request {
    package static let name = "peers"
    package static let replyName = "peers"
    package static let traits: RequestTraits = [.repeatable]

    package init() {}

    package struct Reply: Hashable, Codable, Sendable {
        package let peers: [PeerInfo]

        package init(_ peers: [PeerInfo]) { self.peers = peers }
    }
}

/// Checks over any number of hops that a peer is there. The reply is the path, signed by every peer on it.
package struct ProbePeer: Request {
    package static let name = "probe"
    package static let replyName = "probe"
    package static let traits: RequestTraits = [.repeatable, .waits]
    package typealias Reply = ProbeInfo

    package let peer: PeerReference

    package init(_ peer: PeerReference) { self.peer = peer }
}

package struct DialAddress: Request {
    package static let name = "connect"
    package static let replyName = "done"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = Done

    package let address: PeerAddress

    package init(_ address: PeerAddress) { self.address = address }
}

/// Links with a sighted peer, regardless of the policy for strangers.
package struct InvitePeer: Request {
    package static let name = "invite"
    package static let replyName = "done"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = Done

    package let prefix: PeerPrefix

    package init(_ prefix: PeerPrefix) { self.prefix = prefix }
}

package struct AnswerInvitation: Request {
    package static let name = "answer"
    package static let replyName = "done"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = Done

    package let peer: PeerReference
    package let accept: Bool

    package init(_ peer: PeerReference, accept: Bool) {
        (self.peer, self.accept) = (peer, accept)
    }
}

/// Waits until the neighbours have confirmed the lines, at most this long.
package struct Flush: Request {
    package static let name = "flush"
    package static let replyName = "flushed"
    package static let traits: RequestTraits = [.repeatable, .waits]

    @InSeconds private var seconds: Duration?
    /// The lines that the reply counts; `nil` is all.
    @OrNull package private(set) var lines: [RecordID]?

    package var timeout: Duration { seconds ?? .zero }

    package init(timeout: Duration, lines: [RecordID]? = nil) {
        _seconds = InSeconds(wrappedValue: timeout)
        _lines = OrNull(wrappedValue: lines)
    }

    private enum CodingKeys: String, CodingKey {
        case seconds = "timeout"
        case lines
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        // The timeout is required, unlike other durations.
        let timeout = try fields.decode(InSeconds?.self, forKey: .seconds)?.wrappedValue
        self.init(timeout: timeout ?? .zero, lines: try fields.decodeIfPresent([RecordID].self, forKey: .lines))
    }

    package struct Reply: Hashable, Codable, Sendable {
        /// How many lines are unconfirmed.
        package let unconfirmed: Int

        package init(unconfirmed: Int) { self.unconfirmed = unconfirmed }
    }
}

/// Reconciles with every neighbour now; `NodeEvent.sync` reports progress.
package struct SyncNow: Request {
    package static let name = "sync"
    package static let replyName = "done"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = Done

    package init() {}
}

/// What this peer lacks, and when it last reconciled with each peer.
package struct ShowSyncStatus: Request {
    package static let name = "syncStatus"
    package static let replyName = "syncStatus"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = SyncStatus

    package init() {}
}

/// Open connections, queued data, and refusals by reason.
package struct ShowStats: Request {
    package static let name = "stats"
    package static let replyName = "stats"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = NodeStats

    package init() {}
}

/// Problems that may keep other peers away.
package struct ShowHealth: Request {
    package static let name = "health"
    package static let replyName = "health"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = NodeHealth

    package init() {}
}
