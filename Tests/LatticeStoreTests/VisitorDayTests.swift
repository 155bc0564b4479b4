import LatticeCore
import Testing

@testable import LatticeStore

/// How many bytes visitors used of a day.
@Suite struct VisitorDayTests {
    @Test func sumsAreKeptForOneDay() async throws {
        let folder = try Folder()
        let authors = try (0..<3).map { try Author(UInt8($0 + 1)) }
        let (bob, carol) = (authors[1].peer, authors[2].peer)
        let days = try folder.store(of: authors[0]).visitorDays
        #expect(try days.bytes(of: bob, on: 7) == 0)
        try await days.add(10, of: bob, on: 7)
        try await days.add(5, of: bob, on: 7)
        try await days.add(-3, of: bob, on: 7)
        try await days.add(-1, of: carol, on: 7)
        #expect(try days.bytes(of: bob, on: 7) == 12 && days.bytes(of: carol, on: 7) == 0)
        try await days.add(-20, of: bob, on: 7)
        #expect(try days.bytes(of: bob, on: 7) == 0)
        try await days.add(4, of: bob, on: 7)
        try await days.add(1, of: carol, on: 8)
        #expect(try days.bytes(of: bob, on: 7) == 0, "rows of earlier days are removed")
        #expect(try days.bytes(of: carol, on: 8) == 1)
    }
}
