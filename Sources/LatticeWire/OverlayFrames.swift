package import LatticeCore

/// Records that the sender has and does not push on this link (IHAVE): `count:varint (id:32 hops:varint)*`.
///
/// A peer that lacks one of them and does not get it by push requests it with a `Graft`.
package struct Have: Hashable, Sendable {
    /// With the frame around them these fill half a message.
    package static let countMax = 1_024

    package struct Entry: Hashable, Sendable {
        package let id: RecordID
        /// The hops that a copy sent on this link would carry: 1–64.
        package let hops: UInt8

        package init(id: RecordID, hops: UInt8) {
            precondition((1...RecordFrame.timeToLiveMax).contains(hops), "a record travels 1 to 64 links")
            self.id = id
            self.hops = hops
        }
    }

    /// 1–1,024; an empty list is not sent.
    package let entries: [Entry]

    package init(entries: [Entry]) {
        precondition((1...Self.countMax).contains(entries.count), "1 to 1,024 entries to a frame")
        self.entries = entries
    }
}

/// Asks the receiver to push records on this link from now on, and to send these now: `count:varint id:32*`.
package struct Graft: Hashable, Sendable {
    package static let countMax = 1_024
    /// 0–1,024; without ids it only asks to push.
    package let ids: [RecordID]

    package init(ids: [RecordID]) {
        precondition(ids.count <= Self.countMax, "at most 1,024 records to a frame")
        self.ids = ids
    }
}

/// Goes from neighbour to neighbour in search of a free slot for its origin: `kind:1 ttl:varint origin:card`.
package struct Walk: Hashable, Sendable {
    package enum Kind: UInt8, Hashable, Sendable {
        /// The origin is new here.
        case join = 0
        /// The origin has a free slot.
        case seek = 1
        /// The origin has a free slot for the receiver, which is about to lose a link for it.
        case offer = 2
    }

    package static let timeToLiveMax: UInt8 = 32
    package let kind: Kind
    /// How many links it may still travel after this one: 0–32.
    package let timeToLive: UInt8
    package let origin: PeerCard

    package init(kind: Kind, timeToLive: UInt8, origin: PeerCard) {
        precondition(timeToLive <= Self.timeToLiveMax, "a walk goes at most 32 links further")
        self.kind = kind
        self.timeToLive = timeToLive
        self.origin = origin
    }
}

/// Cards that two peers exchange, so that each knows a random part of the mesh:
/// `direction:1 ttl:varint origin:32 count:varint card*`.
package struct Shuffle: Hashable, Sendable {
    package enum Direction: UInt8, Hashable, Sendable {
        case request = 0
        case answer = 1
    }

    package static let timeToLiveMax: UInt8 = 32
    package static let cardsMax = 16
    package let direction: Direction
    /// How many links it may still travel after this one: 0–32.
    package let timeToLive: UInt8
    /// The peer that began the exchange.
    package let origin: PeerID
    package let cards: [PeerCard]

    package init(direction: Direction, timeToLive: UInt8, origin: PeerID, cards: [PeerCard]) {
        precondition(timeToLive <= Self.timeToLiveMax, "a shuffle goes at most 32 links further")
        precondition(cards.count <= Self.cardsMax, "at most 16 cards to a frame")
        self.direction = direction
        self.timeToLive = timeToLive
        self.origin = origin
        self.cards = cards
    }
}
