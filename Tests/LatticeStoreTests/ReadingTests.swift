import LatticeStore
import Testing

/// Many who read at a time.
struct ReadingTests {
    /// Whoever asks in place keeps its thread, of which there are as many as processors, until a connection is free. If those who ask in the
    /// background needed one of these threads to let go of theirs, all would wait for ever: where this fails, it does not end.
    @Test func whoAsksInPlaceDoesNotHoldUpWhoAsksInTheBackground() async throws {
        let shelf = try Shelf()
        let store = shelf.store
        defer { withExtendedLifetime(shelf) {} }
        try await withThrowingDiscardingTaskGroup { group in
            for number in 0..<64 {
                group.addTask {
                    for _ in 0..<200 {
                        let value =
                            number.isMultiple(of: 2)
                            ? try await store.setting("here") : try store.snapshot { try $0.setting("here") }
                        #expect(value == nil)
                    }
                }
            }
        }
    }
}
