package import LatticeCore

/// A unit of the link protocol: `frame := type:varint body:bytes`, several to one Noise message.
///
/// Large and rare bodies are `indirect`: thousands of frames may be queued, most of them of the small kinds, and each
/// would otherwise take the space of the largest.
package enum Frame: Hashable, Sendable {
    /// The last frame on a link: why it ends.
    indirect case goodbye(Goodbye)
    case ping(nonce: UInt64)
    case pong(nonce: UInt64)
    /// The sender's next message is sealed with its next key (Noise section 11.3). Ends its message.
    case rekey
    indirect case invitation(Invitation)
    /// - Parameter room: the sender's free slots, this link already subtracted.
    case accept(room: UInt8)
    case refuse(Refusal)
    case record(RecordFrame)
    indirect case probe(Probe)
    case have(Have)
    case graft(Graft)
    /// Do not push records on this link, only announce them: `(origin:32)?`. With an origin, this applies only to its
    /// records, on a branch and beside the tree.
    indirect case prune(of: PeerID?)
    indirect case walk(Walk)
    indirect case shuffle(Shuffle)
    /// What the sender's store keeps: sent once the link carries records, and again when it changes. A peer that never
    /// sends it is not reconciled with.
    indirect case keeping(Keeping)
    indirect case comparison(Comparison)
    /// The sender has these records, and found that the receiver lacks them.
    indirect case offer(RecordIDs)
    /// Asks the receiver to send these records.
    indirect case fetch(RecordIDs)
    indirect case serve(ServedRecord)
    /// The sender does not have, or will not send, these fetched records.
    indirect case lack(RecordIDs)
    /// These served records are on disk at the sender now.
    indirect case stored(RecordIDs)
    /// Bytes between the programs of two peers; nobody stores them.
    indirect case data(DataFrame)
    indirect case dataAnswer(DataAnswer)
    indirect case presence(PresenceFrame)
    indirect case want(Want)
    indirect case holds(Holds)
    indirect case piece(PieceFrame)
    indirect case absent(Absent)
    /// Bytes between the programs of two peers that may be lost.
    indirect case datagram(DatagramFrame)

    /// The longest plaintext of one Noise message: 65,535 minus its tag of 16 bytes.
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
        case serve = 19
        case lack = 20
        case stored = 21
        case data = 22
        case dataAnswer = 23
        case want = 24
        case holds = 25
        case piece = 26
        case absent = 27
        case datagram = 28
        case presence = 29
    }
}

/// Why a link ends, sent as its last frame: `code:varint text:bytes`.
package struct Goodbye: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: UInt64, Hashable, Sendable {
        case leaving = 0
        /// Another link to the same peer is kept.
        case duplicate = 1
        case refused = 2
        /// An invitation or a ping was not answered in time.
        case timeout = 3
        case protocolFault = 4
        /// The send queue to this peer is full.
        case tooSlow = 5
        case tooManyLinks = 6
        /// The sender has no free slot for this link.
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
    /// The sender has no other link, or a person asked for this one: a full peer should make a slot for it.
    package let isUrgent: Bool
    /// The sender's free slots, this link not subtracted.
    package let room: UInt8

    package init(mesh: MeshName, context: [UInt8], isUrgent: Bool = false, room: UInt8 = 1) {
        precondition(context.count <= Self.contextBytesMax, "a longer context is refused where it is given")
        self.mesh = mesh
        self.context = context
        self.isUrgent = isUrgent
        self.room = room
    }
}

/// Why an invitation is not accepted. It is sent because after a silent refusal the other side would dial forever.
package enum Refusal: UInt64, Error, Hashable, Sendable {
    case otherMesh = 1
    /// Both dialled; the other link is kept.
    case duplicate = 2
    case declined = 3
    case notAContact = 4
    /// The policy accepts nobody.
    case closed = 5
    case tooManyLinks = 6
    /// A person was asked and did not answer in time.
    case unanswered = 7
    /// No slot is free.
    case full = 8
    /// Too many invitations wait for a person's answer.
    case busy = 9
    case unknown = 255
}

/// A relayed record: `ttl:varint hops:varint stray:1 record`. The fields before the record are not signed: they are
/// hints, not proof.
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

/// A presence that the sender has had for a while: `ttl:varint hops:varint age:varint record`. A presence relayed at
/// once is a `RecordFrame`.
package struct PresenceFrame: Hashable, Sendable {
    /// As in `RecordFrame`.
    package let timeToLive: UInt8
    package let hops: UInt8
    /// Its age as far as the sender knows. A hint that can only shorten how long its author counts as here.
    package let ageMilliseconds: UInt32
    package let signed: SignedRecord

    package init(timeToLive: UInt8, hops: UInt8, ageMilliseconds: UInt32, signed: SignedRecord) {
        self.timeToLive = timeToLive
        self.hops = hops
        self.ageMilliseconds = ageMilliseconds
        self.signed = signed
    }
}

/// Asks over any number of hops whether a peer is there, and records the path:
/// `direction:1 nonce:8 from:32 to:32 ttl:varint count:varint stop*`, `stop := peer:32 name:bytes signature:64`.
package struct Probe: Hashable, Sendable {
    package enum Direction: UInt8, Hashable, Sendable {
        case there = 0
        case back = 1
    }

    /// One peer on the path, with its signature. A relay can remove stops at the end, but nobody can insert a peer that
    /// did not sign. The reader of the path checks it against `signedBytes(of:)`.
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
    /// The peers that handled it on the way there: origin first, target last.
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
