import LatticeCore
import LatticeStore
import LatticeWire
import Testing

@Suite struct OrderTests {
    @Test(arguments: 0..<20) func whatIsHereDoesNotDependOnTheOrderOfComing(seed: UInt64) async throws {
        var story = try Story(seed: seed)
        var first: [String]?
        for _ in 0..<4 {
            let folder = try Folder()
            let store = try folder.store(of: story.authors[0])
            for portion in story.shuffled().portions(of: Int(seed % 13) + 1) {
                _ = try await store.insert(portion, at: Morning.arrival)
            }
            let lines = try await store.history.lines(of: Array("#park".utf8), limit: 1_000, at: Morning.arrival).lines
            let dump = try dump(folder.path) + lines.map { "line: \($0)" }
            if let first { #expect(difference(first, dump) == []) } else { first = dump }
        }
    }

    /// The property above says nothing of a table that no story fills.
    @Test func theStoriesTellOfEverything() async throws {
        var told: Set<Substring> = []
        for seed in 0..<10 as Range<UInt64> {
            var story = try Story(seed: seed)
            let folder = try Folder()
            let store = try folder.store(of: story.authors[0])
            for outcome in try await store.insert(story.shuffled(), at: Morning.arrival) {
                told.insert("\(outcome)".prefix { $0 != "(" })
            }
            for line in try dump(folder.path) { told.insert(line.prefix { $0 != ":" }) }
            let lines = try await store.history.lines(of: Array("#park".utf8), limit: 1_000, at: Morning.arrival).lines
            if lines.contains(where: \.isEdited) { told.insert("edited line") }
            if lines.contains(where: { $0.body == nil }) { told.insert("deleted line") }
            if lines.contains(where: { !$0.reactions.isEmpty }) { told.insert("reaction") }
        }
        #expect(told.isSuperset(of: ["edited line", "deleted line", "reaction"]))
        let tables: Set<Substring> = [
            "record", "item", "spot", "reaction", "emoji", "pin", "activity", "profile", "words",
        ]
        let outcomes: Set<Substring> = ["added", "superseded", "erased", "refused"]
        #expect(told.isSuperset(of: tables) && told.isSuperset(of: outcomes))
    }
}

func difference(_ left: [String], _ right: [String]) -> [String] {
    Set(left).subtracting(right).sorted().map { "- \($0)" } + Set(right).subtracting(left).sorted().map { "+ \($0)" }
}

extension Array {
    func portions(of count: Int) -> [[Element]] {
        stride(from: 0, to: self.count, by: count).map { Array(self[$0..<Swift.min($0 + count, self.count)]) }
    }
}
