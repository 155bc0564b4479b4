import LatticeCore
import LatticeStore
import LatticeWire
import Testing

/// Records of authors whom the owner has blocked.
@Suite struct BlockedTests {
    private let folder: Folder
    private let anna: Author
    private let bert: Author
    private let store: Store

    init() throws {
        folder = try Folder()
        anna = try Author(1)
        bert = try Author(2)
        store = try folder.store(of: anna)
    }

    private func line(_ text: String, by author: Author) -> VerifiedRecord {
        author.say(.chat, topic: Array("#a".utf8), body: ChatLine(style: .says, name: author.name, text: text).body)
    }

    @Test func nothingOfThemIsTakenAndWhatIsHereGoes() async throws {
        let before = (0..<30).map { line("\($0)", by: bert) } + [line("mine", by: anna)]
        #expect(try await store.insert(before, at: Morning.arrival).allSatisfy { $0 == .added })
        store.setBlocked([bert.peer, anna.peer])
        let after = [line("again", by: bert), line("still me", by: anna)]
        #expect(try await store.insert(after, at: Morning.arrival) == [.blocked, .added])
        #expect(try await store.upkeep.removeBlocked(at: Morning.arrival) == 30)
        #expect(try await store.upkeep.removeBlocked(at: Morning.arrival) == 0)
        #expect(try await store.upkeep.stats(at: Morning.arrival).records == 2)
        // Who is blocked no more is taken in again, with what was removed.
        store.setBlocked([])
        #expect(try await store.insert([before[0], after[0]], at: Morning.arrival) == [.added, .added])
    }
}
