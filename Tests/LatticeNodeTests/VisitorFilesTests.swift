import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeNode

/// What visitors' files may take of the owner's disk.
@Suite struct VisitorFilesTests {
    private static let megabyte: Int64 = 1 << 20
    private static let day = WallTime(milliseconds: 1_800_000_000_000)

    private static func visitor(_ number: UInt64) -> PeerID { PeerID(Bytes32(words: (0, 0, 0, number))) }

    @Test func aDayHasALimitForEachVisitor() throws {
        var files = VisitorFiles()
        for _ in 0..<4 { try files.take(64 * Self.megabyte, of: Self.visitor(1), at: Self.day) }
        #expect(throws: RequestError.filesOfDayFull(bytesMax: 256 * Self.megabyte)) {
            try files.take(1, of: Self.visitor(1), at: Self.day)
        }
        files.giveBack(1, of: Self.visitor(1), at: Self.day)
        try files.take(1, of: Self.visitor(1), at: Self.day)
        try files.take(1, of: Self.visitor(2), at: Self.day)
        try files.take(1, of: Self.visitor(1), at: WallTime(milliseconds: Self.day.milliseconds + 86_400_000))
    }

    @Test func whatWasUsedBeforeAStartCounts() throws {
        var files = VisitorFiles()
        let next = WallTime(milliseconds: Self.day.milliseconds + 86_400_000)
        let before = files.knows(Self.visitor(1), at: Self.day)
        files.learn(255 * Self.megabyte, of: Self.visitor(1))
        let after = (1...2).map { files.knows(Self.visitor($0), at: Self.day) }
        #expect(!before && after == [true, false])
        #expect(throws: RequestError.filesOfDayFull(bytesMax: 256 * Self.megabyte)) {
            try files.take(2 * Self.megabyte, of: Self.visitor(1), at: Self.day)
        }
        try files.take(Self.megabyte, of: Self.visitor(1), at: Self.day)
        // The next day knows nothing of that one, also if something of it is given back.
        try files.take(64 * Self.megabyte, of: Self.visitor(1), at: next)
        files.giveBack(64 * Self.megabyte, of: Self.visitor(1), at: Self.day)
        for _ in 0..<3 { try files.take(64 * Self.megabyte, of: Self.visitor(1), at: next) }
        #expect(throws: RequestError.filesOfDayFull(bytesMax: 256 * Self.megabyte)) {
            try files.take(1, of: Self.visitor(1), at: next)
        }
    }

    @Test func aFileHasALimit() {
        var files = VisitorFiles()
        #expect(throws: RequestError.fileTooLarge(bytesMax: 64 * Self.megabyte)) {
            try files.take(64 * Self.megabyte + 1, of: Self.visitor(1), at: Self.day)
        }
    }
}
