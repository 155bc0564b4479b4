import GRDB
import Synchronization
import Testing

@testable import LatticeStore

/// Many who read at a time.
struct ReadingTests {
    /// A read in place holds its thread, of which there are as many as processors, until a connection is free. If reads
    /// in the background needed one of these threads to release theirs, all would wait for ever: a failing test does not
    /// end.
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

    /// A program that ends does not wait for what is read of a large store: where this fails, it does not end.
    @Test(arguments: [false, true]) func aReadEndsWithTheTaskThatAsks(isBegun: Bool) async throws {
        let shelf = try Shelf()
        let store = shelf.store
        let (begun, input) = AsyncStream<Void>.makeStream()
        let reading = Task {
            try await store.access.read { database in
                input.finish()
                return try Int.fetchOne(
                    database,
                    sql: "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
            }
        }
        if isBegun { for await _ in begun {} }
        reading.cancel()
        let expected = StoreError.failed(path: store.path, reason: "the program was about to end")
        await #expect(throws: expected) { try await reading.value }
        // The connection is as good as before.
        for _ in 0..<8 { #expect(try await store.setting("here") == nil) }
    }
}
