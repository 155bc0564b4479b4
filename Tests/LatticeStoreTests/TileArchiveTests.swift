import Foundation
import GRDB
import Testing

@testable import LatticeStore

/// A base map as others write it.
@Suite struct TileArchiveTests {
    private func archive(_ facts: [String: String], tiles: [(Int, Int, Int, [UInt8])]) throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).mbtiles").path
        let database = try DatabaseQueue(path: path)
        try database.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE metadata (name TEXT, value TEXT);
                    CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
                    """)
            for (name, value) in facts {
                try database.execute(sql: "INSERT INTO metadata VALUES (?, ?)", arguments: [name, value])
            }
            for (zoom, column, row, bytes) in tiles {
                try database.execute(
                    sql: "INSERT INTO tiles VALUES (?, ?, ?, ?)", arguments: [zoom, column, row, Data(bytes)])
            }
        }
        try database.close()
        return path
    }

    @Test func aTileIsFoundFromTheNorth() throws {
        let path = try archive(
            ["format": "jpg", "attribution": "<a href=\"x\">&copy; somebody</a>"],
            tiles: [(0, 0, 0, [1]), (2, 1, 3, [2, 3]), (2, 1, 0, [4])])
        defer { unlink(path) }
        let archive = try TileArchive(path: path)
        #expect(archive.zooms == 0...2)
        #expect(archive.type == "image/jpeg")
        #expect(archive.attribution == "© somebody")
        #expect(try archive.tile(zoom: 2, column: 1, row: 0) == [2, 3])
        #expect(try archive.tile(zoom: 2, column: 1, row: 3) == [4])
        #expect(try archive.tile(zoom: 1, column: 0, row: 0) == nil)
    }

    @Test func aTileThatIsTooLargeIsNone() throws {
        let path = try archive([:], tiles: [(0, 0, 0, Array(repeating: 1, count: (1 << 20) + 1))])
        defer { unlink(path) }
        let archive = try TileArchive(path: path)
        #expect(archive.type == "image/png")
        #expect(try archive.tile(zoom: 0, column: 0, row: 0) == nil)
    }

    @Test func whatIsNoMapOfPicturesSaysSo() throws {
        #expect(throws: TileArchiveError.self) { _ = try TileArchive(path: "/nonexistent.mbtiles") }
        let empty = try archive([:], tiles: [])
        let vectors = try archive(["format": "pbf"], tiles: [(0, 0, 0, [1])])
        defer { for path in [empty, vectors] { unlink(path) } }
        #expect(throws: TileArchiveError.empty(path: empty)) { _ = try TileArchive(path: empty) }
        #expect(throws: TileArchiveError.noPictures(path: vectors, format: "pbf")) {
            _ = try TileArchive(path: vectors)
        }
    }
}
