package import LatticeCore

/// What travels on a link: `frame := type:varint body:bytes`, several to one Noise message.
///
/// The large and rare bodies are `indirect`: frames stand in queues by the thousand, nearly all of them of the small
/// kinds, and each would otherwise take the room of the largest.
package enum Frame: Hashable, Sendable {
    /// The last frame on a link: why it ends.
    indirect case goodbye(Goodbye)
    case ping(nonce: UInt64)
    case pong(nonce: UInt64)
    /// The sender's next message is sealed with its next key (Noise section 11.3). Ends its message.
    case rekey
    indirect case invitation(Invitation)
    /// - Parameter room: how many more links the sender has room for, this one counted already.
    case accept(room: UInt8)
    case refuse(Refusal)
    case record(RecordFrame)
    indirect case probe(Probe)
    case have(Have)
    case graft(Graft)
    /// Push no more records to the sender on this link, say only which there are: `(origin:32)?`. Where an origin is named, only
    /// its records are not to be pushed, on a branch or beside the tree.
    indirect case prune(of: PeerID?)
    indirect case walk(Walk)
    indirect case shuffle(Shuffle)
    /// What the sender keeps: said once the link carries records, and again when it changes. Whoever never says it is not
    /// compared with.
    indirect case keeping(Keeping)
    indirect case comparison(Comparison)
    /// The sender has these, and the receiver was found to lack them.
    indirect case offer(RecordIDs)
    /// The receiver is to send these.
    indirect case fetch(RecordIDs)
    indirect case supply(Supply)
    /// Of what was fetched the sender has, or sends, these no more.
    indirect case lack(RecordIDs)
    /// What was supplied outlives the receiver's process now.
    indirect case stored(RecordIDs)
    /// Bytes between the programs of two peers, which nobody keeps.
    indirect case data(DataFrame)
    indirect case dataAnswer(DataAnswer)
    /// A presence that the sender has had for a while.
    indirect case presence(PresenceFrame)

    /// A plaintext as long as one Noise message can carry: 65,535 less the 16 bytes of its tag.
    package static let plaintextBytesMax = 65_519
    /// More frames than this in one message are a fault: the shortest useful frame takes 2 bytes.
    package static let countPerMessageMax = 4_096

    package enum TypeNumber: UInt64, CaseIterable, Sendable {
        case goodbye = 1
        case ping = 2
        case pong = 3
        case rekey = 4
        case invitation = 5
        case accept = 6
        case refuse = 7
        case record = 8
        case probe = 9
        case have = 10
        case graft = 11
        case prune = 12
        case walk = 13
        case shuffle = 14
        case keeping = 15
        case comparison = 16
        case offer = 17
        case fetch = 18
        case supply = 19
        case lack = 20
        case stored = 21
        case data = 22
        case dataAnswer = 23
        case presence = 29
    }
}

/// Why a link ends, said to the other side as its last frame: `code:varint text:bytes`.
package struct Goodbye: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: UInt64, Hashable, Sendable {
        case leaving = 0
        /// Another link to the same peer is kept.
        case duplicate = 1
        case refused = 2
        /// Nobody answered an invitation or a ping in time.
        case timeout = 3
        case protocolFault = 4
        /// More is waiting to be sent to this peer than the queue holds.
        case tooSlow = 5
        case tooManyLinks = 6
        /// Its view is full: it keeps as many links as it wants, and this one is over.
        case full = 7
        case unknown = 255
    }

    package static let textBytesMax = 256
    package let code: Code
    package let text: String

    package init(_ code: Code, _ text: String) {
        self.code = code
        self.text = text
    }

    package var description: String { text }
}

/// The first frame of the side that dialled: `mesh:bytes context:bytes urgency:1 room:varint`.
package struct Invitation: Hashable, Sendable {
    package static let contextBytesMax = 1_024
    package let mesh: MeshName
    /// Opaque to the mesh; the applications at both ends agree on what it means.
    package let context: [UInt8]
    /// The sender has no other link, or a person asked for this one: a full view should make room for it.
    package let isUrgent: Bool
    /// How many links the sender still has room for, this one not counted.
    package let room: UInt8

    package init(mesh: MeshName, context: [UInt8], isUrgent: Bool = false, room: UInt8 = 1) {
        precondition(context.count <= Self.contextBytesMax, "a longer context is refused where it is given")
        self.mesh = mesh
        self.context = context
        self.isUrgent = isUrgent
        self.room = room
    }
}

/// Why an invitation is not accepted; said, because a silent refusal makes the other side dial for ever.
package enum Refusal: UInt64, Error, Hashable, Sendable, CustomStringConvertible {
    case otherMesh = 1
    /// Both dialled; the other link is kept.
    case duplicate = 2
    /// A person said no.
    case declined = 3
    /// The policy lets only known peers in.
    case notAContact = 4
    /// The policy lets nobody in.
    case closed = 5
    case tooManyLinks = 6
    /// A person was asked and did not answer in time.
    case unanswered = 7
    /// Its view is full.
    case full = 8
    case unknown = 255

    package var description: String {
        switch self {
        case .otherMesh: "it is in another mesh; start both with the same --mesh"
        case .duplicate: "another link to it is kept"
        case .declined: "it declined the invitation"
        case .notAContact: "it accepts only its contacts"
        case .closed: "it accepts no invitations"
        case .tooManyLinks: "it has no room for another link"
        case .unanswered: "nobody answered the invitation there"
        case .full: "it keeps as many links as it wants; it is reached through others"
        case .unknown: "it refused for a reason this version does not know"
        }
    }
}

/// A record on its way: `ttl:varint hops:varint stray:1 record`. What stands before the record is outside the signature: hints,
/// no proof.
package struct RecordFrame: Hashable, Sendable {
    package static let timeToLiveDefault: UInt8 = 32
    package static let timeToLiveMax: UInt8 = 64
    /// How many links it may still travel, this one included: 1–64.
    package let timeToLive: UInt8
    /// How many links it has travelled, this one included: 1–64.
    package let hops: UInt8
    /// Whether it left the tree somewhere on its way: a later copy that did not is no reason to prune a branch.
    package let isStray: Bool
    package let signed: SignedRecord

    package init(timeToLive: UInt8, hops: UInt8, isStray: Bool = false, signed: SignedRecord) {
        self.timeToLive = timeToLive
        self.hops = hops
        self.isStray = isStray
        self.signed = signed
    }
}

/// A presence that was heard before: `ttl:varint hops:varint age:varint record`. A presence that is passed on as it comes is a
/// `RecordFrame`.
package struct PresenceFrame: Hashable, Sendable {
    /// As in `RecordFrame`.
    package let timeToLive: UInt8
    package let hops: UInt8
    /// Since its author made it, as far as the sender knows. A hint, which can only shorten how long its author counts as here.
    package let ageMilliseconds: UInt32
    package let signed: SignedRecord

    package init(timeToLive: UInt8, hops: UInt8, ageMilliseconds: UInt32, signed: SignedRecord) {
        self.timeToLive = timeToLive
        self.hops = hops
        self.ageMilliseconds = ageMilliseconds
        self.signed = signed
    }
}

/// Asks a peer over any number of hops whether it is there, and notes the way:
/// `direction:1 nonce:8 from:32 to:32 ttl:varint count:varint stop*`, `stop := peer:32 name:bytes signature:64`.
package struct Probe: Hashable, Sendable {
    package enum Direction: UInt8, Hashable, Sendable {
        case there = 0
        case back = 1
    }

    /// One peer that passed the probe on, and its word for it: a relay can cut stops off the end, and nobody can put a
    /// peer in that did not sign. Whoever reads the list checks it against `signedBytes(of:)`.
    package struct Stop: Hashable, Sendable {
        package let peer: PeerID
        package let name: PeerName
        /// Ed25519 by `peer`, over this probe, all stops before this one, and this one.
        package let signature: [UInt8]

        package init(peer: PeerID, name: PeerName, signature: [UInt8]) {
            precondition(signature.count == Record.signatureBytes, "an Ed25519 signature has 64 bytes")
            self.peer = peer
            self.name = name
            self.signature = signature
        }
    }

    package static let stopsMax = 64
    package var direction: Direction
    package let nonce: UInt64
    package let from: PeerID
    package let to: PeerID
    package var timeToLive: UInt8
    /// Who handled it on the way there, its origin first, its target last.
    package var path: [Stop]

    package init(direction: Direction, nonce: UInt64, from: PeerID, to: PeerID, timeToLive: UInt8, path: [Stop]) {
        self.direction = direction
        self.nonce = nonce
        self.from = from
        self.to = to
        self.timeToLive = timeToLive
        self.path = path
    }
}
