import Foundation
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeGeo
import LatticeStore
import LatticeWire
import Testing

/// A bundle that an earlier version wrote onto a stick is taken in as what it is.
///
/// A bundle is kept once, by the version it is of, and never again: after the header of bundles, or the form of records, moved,
/// `LATTICE_KEPT_BUNDLE=v2 swift test --filter aBundleIsKept` writes `Fixtures/v2.bundle` and, beside it, which records are in there
/// (`kind id`, one a line, in their order), and a row is added to `versions`.
@Suite struct KeptBundleTests {
    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
    private static let versions = ["v1"]

    @Test(arguments: versions) func aKeptBundleHoldsTheRecordsItHeld(version: String) throws {
        let listed = try String(contentsOf: Self.fixtures.appending(path: "\(version).records"), encoding: .utf8)
        let bytes = try Data(contentsOf: Self.fixtures.appending(path: "\(version).bundle"))
        #expect(try Self.listing(bytes) == listed)
        let kinds = listed.split(separator: "\n").compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
        // All that there are but presences, which are not kept, and one that no version knows.
        #expect(Set(kinds) == Set([1] + Array(3...14) + [400]))
    }

    @Test(arguments: versions) func aKeptBundleIsTakenInWhole(version: String) async throws {
        let bob = try Person("bob")
        let kept = Self.fixtures.appending(path: "\(version).bundle")
        let lines = try Self.listing(Data(contentsOf: kept)).split(separator: "\n").map(String.init)
        let ids = try lines.map { line in
            let bytes = try #require(Hex.bytes(String(line.split(separator: " ")[1])))
            return RecordID(try #require(Bytes32(bytes)))
        }
        #expect(try await bob.ask(ImportBundle(path: kept.path)) == ImportReport(added: lines.count))
        #expect(try await bob.store.catalogue.known(ids) == Set(ids))
        #expect(try await bob.ask(ImportBundle(path: kept.path)) == ImportReport(known: lines.count))
        #expect(try await bob.ask(CheckStore()) == StoreCheck(records: lines.count, faults: []))

        let posts = try await bob.ask(NearQuery(.posts, centre: .park(), radius: 250))
        #expect(posts.items.map(\.text) == ["look, a heron"])
        let post = try await bob.detail(try #require(posts.items.first).id)
        #expect(post.item.authorName == "ann" && post.item.placeName == "the bench" && post.item.editedAt != nil)
        #expect(post.comments.map(\.text) == ["where?"] && post.likedBy.count == 1)
        let events = try await bob.ask(NearQuery(.events, centre: .park(), radius: 250))
        #expect(events.items.map(\.title) == ["picnic"] && events.items.map(\.attendees) == [1])

        // What it gives on is the same but for the post that was taken back, of which only its end is left.
        let folder = FileManager.default.temporaryDirectory.appending(path: "lattice-kept-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let stick = folder.appending(path: "stick")
        _ = try await bob.ask(ExportBundle(path: stick.path, BundleSelection()))
        let given = try Self.listing(Data(contentsOf: stick)).split(separator: "\n").map(String.init)
        #expect(given == lines.filter { $0 != lines[Self.takenBack] })
    }

    @Test func theFormThatIsWrittenIsKept() throws {
        #expect(BundleWriter.header == Array("lattice bundle \(try #require(Self.versions.last))\n".utf8))
    }

    private static let made = ProcessInfo.processInfo.environment["LATTICE_KEPT_BUNDLE"]

    @Test(.enabled(if: made != nil)) func aBundleIsKept() throws {
        let version = try #require(Self.made)
        try FileManager.default.createDirectory(at: Self.fixtures, withIntermediateDirectories: true)
        var writer = BundleWriter()
        for record in try Self.records() { writer.append(record.signed.bytes) }
        let bundle = Data(writer.take())
        let bundlePath = Self.fixtures.appending(path: "\(version).bundle")
        try bundle.write(to: bundlePath, options: .withoutOverwriting)
        try Data(Self.listing(bundle).utf8).write(
            to: Self.fixtures.appending(path: "\(version).records"), options: .withoutOverwriting)
    }

    private static func listing(_ bundle: Data) throws -> String {
        var reader = BundleReader()
        reader.feed(bundle)
        var listing = ""
        while let bytes = try reader.next() {
            let record = try RecordVerifier.verify(try SignedRecord(decoding: bytes))
            listing += "\(record.record.kind.rawValue) \(record.id.hex)\n"
        }
        try reader.finish()
        return listing
    }

    /// Which of the records another one takes back.
    private static let takenBack = 2

    private static func records() throws -> [VerifiedRecord] {
        let (ann, ben) = (Writer(1), Writer(2))
        let (name, other) = (try PeerName("ann"), try PeerName("ben"))
        let place = Place(try Coordinate.park())
        func postBody(_ text: String) -> [UInt8] {
            PostBody(name: name, place: place, text: text, placeName: "the bench").body
        }
        var records = [
            ann.say(.profile, ProfileBody(name: name, about: "birds", colour: Colour(rgb: 0x1E_90_FF)).body),
            ann.say(.post, postBody("look")), ann.say(.post, postBody("never mind")),
            ann.say(
                .event,
                EventBody(
                    author: name, name: "picnic", place: place, starts: Person.now, ends: nil,
                    address: "1 Main Street", text: "bring a chair"
                ).body),
            ann.say(
                .chat, topic: Array("#park".utf8), ChatLine(style: .says, name: name, text: "anybody there?").body),
        ]
        let (post, event) = (records[1].id.hash.bytes, records[3].id.hash.bytes)
        let holds = Statement(holds: true).body
        records += [
            ben.say(.comment, topic: post, CommentBody(name: other, text: "where?").body),
            ben.say(.like, topic: post, holds), ben.say(.attendance, topic: event, holds),
            ben.say(.follow, topic: ann.identity.peer.key.bytes, holds),
            ann.say(.edit, topic: post, postBody("look, a heron")),
            ann.say(.deletion, topic: records[takenBack].id.hash.bytes, []),
            ann.say(RecordKind(rawValue: 400), topic: [1, 2, 3], [7, 7, 7]),
            ann.say(.prekeys, PrekeysBody(rotating: Prekey(id: 1, key: .zero), oneTime: []).body),
            ben.say(
                .sealed,
                SealedBody(
                    tagKey: .zero, tag: [UInt8](repeating: 1, count: 24), messageKey: .zero,
                    message: [UInt8](repeating: 2, count: 272)
                ).body),
            ben.say(.residence, topic: ann.identity.peer.key.bytes, ann.identity.vouch(for: ben.identity.peer).body),
        ]
        return records
    }

    /// Says things a minute before they are taken in.
    private final class Writer {
        let identity: Identity
        private var counter: UInt16 = 0

        init(_ number: UInt8) {
            identity = Identity(seed: SecretBytes(copying: [UInt8](repeating: number, count: 32)))
        }

        func say(_ kind: RecordKind, topic: [UInt8] = [], _ body: [UInt8]) -> VerifiedRecord {
            counter += 1
            let date = WallTime(milliseconds: Person.now.milliseconds - 60_000)
            return identity.sign(
                Record(
                    kind: kind, author: identity.peer, created: HybridTime(wallTime: date, counter: counter),
                    lifetimeSeconds: 86_400, topic: topic, body: body))
        }
    }
}
