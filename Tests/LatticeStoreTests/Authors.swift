import LatticeCore
import LatticeCrypto
import LatticeGeo
import LatticeStore
import LatticeWire

/// Somebody who says things in tests; every record gets the next millisecond of this author's day unless told otherwise.
final class Author {
    let identity: Identity
    let name: PeerName
    private var counter: UInt16 = 0

    /// - Parameter number: which of the test's people; the same number is the same key.
    init(_ number: UInt8) throws {
        identity = Identity(seed: SecretBytes(copying: [UInt8](repeating: number, count: 32)))
        name = try PeerName("author \(number)")
    }

    /// One of many authors, with a key from this seed.
    init(seed: [UInt8]) {
        identity = Identity(seed: SecretBytes(copying: seed))
        do {
            name = try PeerName("somebody")
        } catch {
            preconditionFailure("it is a name")
        }
    }

    var peer: PeerID { identity.peer }

    func say(
        _ kind: RecordKind, topic: [UInt8] = [], body: [UInt8], at milliseconds: Int64 = Morning.milliseconds,
        lifetimeSeconds: UInt32 = 86_400
    ) -> VerifiedRecord {
        counter += 1
        return identity.sign(
            Record(
                kind: kind, author: peer,
                created: HybridTime(wallTime: WallTime(milliseconds: milliseconds), counter: counter),
                lifetimeSeconds: lifetimeSeconds, topic: topic, body: body))
    }

    func post(_ text: String, at milliseconds: Int64 = Morning.milliseconds, lifetimeSeconds: UInt32 = 86_400)
        -> VerifiedRecord
    {
        say(.post, body: postBody(text), at: milliseconds, lifetimeSeconds: lifetimeSeconds)
    }

    func postBody(_ text: String, _ place: Place = Morning.place, _ photo: BodyPhoto? = nil) -> [UInt8] {
        PostBody(name: name, place: place, text: text, placeName: "the bench", photo: photo).body
    }

    func comment(_ text: String, on parent: RecordID) -> VerifiedRecord {
        say(.comment, topic: parent.hash.bytes, body: CommentBody(name: name, text: text).body)
    }

    func event(_ title: String, lifetimeSeconds: UInt32 = 86_400) -> VerifiedRecord {
        say(.event, body: eventBody(title), lifetimeSeconds: lifetimeSeconds)
    }

    func eventBody(_ title: String, _ photo: BodyPhoto? = nil) -> [UInt8] {
        EventBody(
            author: name, name: title, place: Morning.place, starts: WallTime(milliseconds: Morning.milliseconds),
            ends: nil, address: "1 Main Street", text: "bring a chair", photo: photo
        ).body
    }

    func place(_ title: String, partOf outer: RecordID? = nil, editors: [PeerID] = []) -> VerifiedRecord {
        say(.place, topic: outer?.hash.bytes ?? [], body: placeBody(title, editors: editors))
    }

    func placeBody(_ title: String, at place: Place = Morning.place, editors: [PeerID] = []) -> [UInt8] {
        PlaceBody(
            author: name, name: title, at: place.coordinate, category: "kitchen", hours: "8 to 20", text: "soup",
            editors: editors
        ).body
    }

    func chat(_ text: String) -> VerifiedRecord {
        say(.chat, topic: Array("#park".utf8), body: lineBody(text))
    }

    func lineBody(_ text: String) -> [UInt8] {
        ChatLine(style: .says, name: name, text: text).body
    }

    func profile(_ about: String, _ photo: BodyPhoto? = nil) -> VerifiedRecord {
        say(.profile, body: ProfileBody(name: name, about: about, colour: Colour(rgb: 0x1E90FF), photo: photo).body)
    }

    func like(_ id: RecordID, holds: Bool = true) -> VerifiedRecord {
        say(.like, topic: id.hash.bytes, body: Statement(holds: holds).body)
    }

    func attend(_ id: RecordID, holds: Bool = true) -> VerifiedRecord {
        say(.attendance, topic: id.hash.bytes, body: Statement(holds: holds).body)
    }

    func follow(_ other: PeerID, holds: Bool = true) -> VerifiedRecord {
        say(.follow, topic: other.key.bytes, body: Statement(holds: holds).body)
    }

    func edit(_ id: RecordID, _ body: [UInt8], lifetimeSeconds: UInt32 = 86_400) -> VerifiedRecord {
        say(.edit, topic: id.hash.bytes, body: body, lifetimeSeconds: lifetimeSeconds)
    }

    func react(_ emoji: String, to id: RecordID, holds: Bool = true) -> VerifiedRecord {
        say(.reaction, topic: ReactionTopic(id, emoji).bytes, body: Statement(holds: holds).body)
    }

    func pin(
        _ pinned: PinBody.Pinned, in room: String = "#park", at milliseconds: Int64 = Morning.milliseconds
    ) -> VerifiedRecord {
        say(.pin, topic: Array(room.utf8), body: PinBody(name: name, pinned).body, at: milliseconds)
    }

    func card(
        _ title: String, _ parts: MeshCardBody.Parts = MeshCardBody.Parts(),
        at milliseconds: Int64 = Morning.milliseconds, lifetimeSeconds: UInt32 = 86_400
    ) -> VerifiedRecord {
        say(
            .card, body: MeshCardBody(author: name, name: title, parts).body, at: milliseconds,
            lifetimeSeconds: lifetimeSeconds)
    }

    func delete(_ id: RecordID) -> VerifiedRecord {
        say(.deletion, topic: id.hash.bytes, body: [])
    }

    /// A sealed record that nobody can open.
    func sealed(topic: [UInt8] = []) -> VerifiedRecord {
        let body = SealedBody(
            tagKey: .zero, tag: [UInt8](repeating: 1, count: 24), messageKey: .zero,
            message: [UInt8](repeating: 2, count: 272))
        return say(.sealed, topic: topic, body: body.body)
    }

    func prekeys(_ id: UInt64) -> VerifiedRecord {
        say(.prekeys, body: PrekeysBody(rotating: Prekey(id: id, key: .zero), oneTime: []).body)
    }
}

/// When and where tests take place.
enum Morning {
    static let milliseconds: Int64 = 1_700_000_000_000
    /// A minute later: when records come.
    static let arrival = WallTime(milliseconds: milliseconds + 60_000)
    static let place = place(latitudeE7: 407_128_000, longitudeE7: -740_060_000)

    /// - Parameter number: each is another photo.
    static func photo(_ number: UInt64, size: Int64 = 48_123, alt: String? = nil) -> BodyPhoto {
        guard let blob = BlobName(root: Bytes32(words: (number, 2, 3, 4)), size: size) else {
            preconditionFailure("a photo of this size has a name")
        }
        return BodyPhoto(blob, width: 560, height: 420, thumbnail: [0xFF, 0xD8, UInt8(number)], alt: alt)
    }

    static func place(latitudeE7: Int32, longitudeE7: Int32) -> Place {
        guard let coordinate = Coordinate(latitudeE7: latitudeE7, longitudeE7: longitudeE7) else {
            preconditionFailure("tests take place on the globe")
        }
        return Place(coordinate)
    }

    static func after(seconds: Int64) -> WallTime {
        WallTime(milliseconds: milliseconds + seconds * 1_000)
    }
}
