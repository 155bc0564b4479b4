import Foundation
import Glibc
import LatticeCore
import LatticeGeo
import Testing

@testable import LatticeNode

/// Positions from files and pipes.
@Suite(.timeLimit(.minutes(10))) struct PositionFeedTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "lattice-feed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func positions(_ feed: PositionFeed) async throws -> [Coordinate] {
        var all: [Coordinate] = []
        while let next = try await feed.next() { all.append(next) }
        return all
    }

    private func file(_ text: String) throws -> String {
        let path = folder.appending(path: "track").path
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    @Test func everyKindOfLineIsRead() async throws {
        let path = try file(
            """
            # a track
            40.7128,-74.0060
            $GPGGA,1,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,\r
            {"class":"SKY"}
            {"class":"TPV","mode":3,"lat":1.5,"lon":2.5}

            40.7129,-74.0060
            """)
        let all = try await positions(try PositionFeed.lines(path))
        #expect(all.map { $0.latitude.rounded() } == [41, 48, 2, 41])
    }

    @Test func aFileWithoutAPositionIsAFault() async throws {
        let path = try file("hello\n\(String(repeating: "x", count: 200_000))\n")
        let feed = try PositionFeed.lines(path)
        await #expect(throws: PositionFeed.Fault.noPosition(path: path)) { try await feed.next() }
        let missing = folder.appending(path: "missing").path
        #expect(throws: PositionFeed.Fault.self) { try PositionFeed.lines(missing) }
    }

    @Test func aPipeIsWaitedForAndEndsWithItsWriter() async throws {
        let path = folder.appending(path: "pipe").path
        #expect(mkfifo(path, 0o600) == 0)
        let feed = try PositionFeed.lines(path)
        async let all = positions(feed)
        let writer = try FileHandle(forWritingTo: URL(filePath: path))
        try writer.write(contentsOf: Data("1,2\n3,".utf8))
        try writer.write(contentsOf: Data("4\n5,6".utf8))
        try writer.close()
        #expect(try await all.map(\.latitude) == [1, 3, 5])
    }

    @Test func aCancelledReaderEnds() async throws {
        let path = folder.appending(path: "pipe").path
        #expect(mkfifo(path, 0o600) == 0)
        let feed = try PositionFeed.lines(path)
        let task = Task { try await feed.next() }
        task.cancel()
        #expect(try await task.value == nil)
    }
}
