import LatticeCore
import LatticeStore
import LatticeWire
import Testing

/// Emoji on lines of public rooms.
@Suite struct ReactionTests {
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

    private func insert(_ records: VerifiedRecord...) async throws -> [InsertOutcome] {
        try await store.insert(records, at: Morning.arrival)
    }

    private func reactions(to line: VerifiedRecord, in store: Store? = nil) async throws -> [StoredReaction] {
        try await (store ?? self.store).history.lines([line.id], at: Morning.arrival).first?.reactions ?? []
    }

    @Test func eachEmojiOfEachAuthorCountsOnce() async throws {
        let line = bert.chat("seats left")
        let first = anna.react("👍", to: line.id)
        // Whatever came first.
        #expect(try await insert(first, line) == [.added, .added])
        _ = try await insert(bert.react("👍", to: line.id), anna.react("🎉", to: line.id), anna.react("👍", to: line.id))
        let found = try await reactions(to: line)
        #expect(Set(found.map(\.emoji)) == ["👍", "🎉"] && found.count == 2)
        #expect(found.first { $0.emoji == "👍" }.map { Set($0.authors) } == [anna.peer, bert.peer])
        #expect(try await insert(first) == [.superseded])
    }

    @Test func aReactionIsTakenBackByItsAuthorAlone() async throws {
        let line = bert.chat("seats left")
        let (given, back) = (anna.react("👍", to: line.id), anna.react("👍", to: line.id, holds: false))
        _ = try await insert(line, bert.react("👍", to: line.id), back)
        #expect(try await insert(given) == [.superseded])
        #expect(try await reactions(to: line) == [StoredReaction(emoji: "👍", authors: [bert.peer])])
        _ = try await insert(bert.react("🎉", to: line.id, holds: false))
        #expect(try await reactions(to: line) == [StoredReaction(emoji: "👍", authors: [bert.peer])])
    }

    @Test func aDeletedLineHasNone() async throws {
        let line = bert.chat("oops")
        _ = try await insert(line, anna.react("👍", to: line.id), bert.delete(line.id))
        #expect(try await reactions(to: line).isEmpty)
        let all = try await store.history.lines([line.id], at: Morning.arrival)
        #expect(all.map(\.body) == [nil] && all.map(\.author) == [bert.peer])
    }

    @Test func thoseOfBlockedAuthorsAreLeftOut() async throws {
        let line = anna.chat("hi")
        _ = try await insert(line, bert.react("👍", to: line.id), anna.react("👍", to: line.id))
        let carol = try Author(3)
        let visitor = store.of(carol.peer)
        let blocked = StoredContact(
            peer: bert.peer, name: nil, petname: nil, added: nil, verified: nil, blocked: Morning.arrival, ignored: nil)
        try await visitor.contacts.update { _ in ((), StoredMarks([blocked])) }
        #expect(try await reactions(to: line, in: visitor) == [StoredReaction(emoji: "👍", authors: [anna.peer])])
    }

    @Test func aRebuildFindsThemAgain() async throws {
        let line = bert.chat("seats left")
        _ = try await insert(line, anna.react("👍", to: line.id), bert.react("🎉", to: line.id, holds: false))
        let before = try await reactions(to: line)
        _ = try await store.upkeep.rebuild(at: Morning.arrival)
        #expect(try await reactions(to: line) == before)
        #expect(before.map(\.emoji) == ["👍"])
        #expect(try await store.upkeep.check(verify: verified).faults == [])
    }

    @Test(arguments: [
        [UInt8](repeating: 1, count: 32), [UInt8](repeating: 1, count: 65), [UInt8](repeating: 0xFF, count: 33),
    ])
    func aTopicThatNamesNoEmojiIsRefused(topic: [UInt8]) async throws {
        let outcomes = try await insert(anna.say(.reaction, topic: topic, body: [1]))
        #expect(outcomes.allSatisfy { if case .refused = $0 { true } else { false } })
    }

    /// Each is a record and counts against the author's quota; a line shows the first ones only.
    @Test func aFloodOnOneLineIsReadInPart() async throws {
        let line = bert.chat("look")
        _ = try await insert(line)
        let flood = (0..<400).map { anna.react("e\($0)", to: line.id) }
        _ = try await store.insert(flood, at: Morning.arrival)
        #expect(try await reactions(to: line).count == 256)
    }
}
