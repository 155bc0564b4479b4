import Glibc
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeGeo
import LatticeStore
import LatticeWire
import Testing

@testable import LatticeNode

/// What strangers sign, files that are none, and marks that nobody gave.
@Suite struct PostTroubleTests {
    private func fault(_ work: () async throws -> Void) async -> RequestError.Code? {
        do {
            try await work()
            return nil
        } catch {
            return (error as? RequestError)?.code
        }
    }

    @Test(arguments: [1e300, -1e300, 1e19, -0x1p63, 0x1p63, 0, -1])
    func aMarkThatNobodyGaveDoesNoHarm(value: Double) async throws {
        let alice = try Person("alice")
        _ = try await alice.ask(NewPost(text: "water", at: try .park()))
        for seq in [0, Int64.max] {
            let mark = Mark(metres: value, seq: seq)
            let search = PageRequest(after: mark.cursor(.search))
            _ = try await alice.ask(SearchQuery(words: "water", near: nil, page: search))
            _ = try await alice.ask(SearchQuery(words: "water", near: try .park(), page: search))
            let near = PageRequest(after: mark.cursor(.near))
            _ = try await alice.ask(NearQuery(.posts, centre: try .park(), page: near))
            _ = try await alice.ask(ListTimeline(PageRequest(after: mark.cursor(.time))))
            _ = try await alice.ask(ListNotifications(PageRequest(after: mark.cursor(.time))))
        }
    }

    @Test func whatIsNoPlainFileIsNeitherReadNorWritten() async throws {
        let alice = try Person("alice")
        var template = Array("/tmp/lattice-files-XXXXXX".utf8CString)
        let folder = String(cString: try #require(mkdtemp(&template)))
        let pipe = "\(folder)/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        defer {
            unlink(pipe)
            rmdir(folder)
        }
        for path in [pipe, folder, "/dev/zero", "/dev/null"] {
            #expect(await fault { _ = try await alice.ask(ImportBundle(path: path)) } == .fileFailed, "\(path)")
        }
        for path in [pipe, folder] {
            #expect(
                await fault { _ = try await alice.ask(ExportBundle(path: path, BundleSelection())) } == .fileFailed,
                "\(path)")
        }
        var facts = stat()
        #expect(stat(pipe, &facts) == 0 && facts.st_mode & S_IFMT == S_IFIFO)
    }

    @Test func aBundleFollowedByRubbishGivesWhatStandsBeforeIt() async throws {
        let (alice, bob) = (try Person("alice"), try Person("bob"))
        _ = try await alice.ask(NewPost(text: "water", at: try .park()))
        var template = Array("/tmp/lattice-files-XXXXXX".utf8CString)
        let folder = String(cString: try #require(mkdtemp(&template)))
        let path = "\(folder)/posts.bundle"
        defer {
            unlink(path)
            rmdir(folder)
        }
        _ = try await alice.ask(ExportBundle(path: path, BundleSelection()))
        // Half a record, a record of nothing, a length without end.
        let tails: [[UInt8]] = [[200, 1, 7], [0, 0, 0], [UInt8](repeating: 0xFF, count: 20)]
        for tail in tails {
            let file = try #require(fopen(path, "a"))
            fwrite(tail, 1, tail.count, file)
            fclose(file)
            let report = try await bob.ask(ImportBundle(path: path))
            #expect(report.added + report.known == 2)
        }
        #expect(try await bob.ask(NearQuery(.posts, centre: try .park())).items.map(\.text) == ["water"])
    }

    @Test func whomOneFollowsBeforeTheyComeOneCanFollowNoMore() async throws {
        let (alice, bob) = (try Person("alice"), try Person("bob"))
        let reference = PeerReference(bob.identity.peer.hex)
        #expect(try await alice.ask(FollowPerson(reference, true)).isFollowedByMe)
        #expect(try await alice.ask(FollowPerson(reference, false)).isFollowedByMe == false)
    }

    /// Texts that no front of ours would take, and dates at both ends.
    @Test func strangersRecordsAreShownWhateverTheyHold() async throws {
        let (alice, bob) = (try Person("alice"), try Person("bob"))
        let place = Place(try .park())
        let name = try PeerName("bob")
        let texts = ["\0", String(repeating: "\u{301}", count: 2_048), "\u{1B}[2J\n\u{202E}x", "\u{FEFF}"]
        var records: [VerifiedRecord] = []
        for (index, text) in texts.enumerated() {
            for date in [UInt64.max, UInt64(Person.now.milliseconds) << 16] {
                let created = HybridTime(rawValue: date - UInt64(index))
                func sign(_ kind: RecordKind, _ body: [UInt8], topic: [UInt8] = []) {
                    records.append(
                        bob.identity.sign(
                            Record(
                                kind: kind, author: bob.identity.peer, created: created,
                                lifetimeSeconds: Record.lifetimeSecondsRange.upperBound, topic: topic, body: body)))
                }
                sign(.post, PostBody(name: name, place: place, text: text, placeName: "\u{1B}]0;x\u{7}").body)
                sign(
                    .event,
                    EventBody(
                        author: name, name: "\u{1B}[31m", place: place, starts: WallTime(milliseconds: 1),
                        ends: WallTime(milliseconds: EventBody.dateMillisecondsMax), address: "\n", text: text
                    ).body)
                let about = records[records.count - 2].id.hash.bytes
                sign(.comment, CommentBody(name: name, text: text).body, topic: about)
                sign(.edit, CommentBody(name: name, text: text).body, topic: records[records.count - 1].id.hash.bytes)
            }
        }
        _ = try await alice.store.insert(records, at: Person.now)
        let posts = try await alice.ask(NearQuery(.posts, centre: try .park()))
        let events = try await alice.ask(NearQuery(.events, centre: try .park()))
        #expect(posts.items.count == 8 && events.items.count == 8)
        for item in posts.items + events.items {
            _ = try await alice.detail(item.id, from: try .park())
        }
        _ = try await alice.ask(ListProfiles())
    }
}
