import Foundation
import GRDB
import LatticeGeo
import Testing

@testable import LatticeStore

/// Maps that are kept, and files of strangers that want to be maps.
@Suite(.timeLimit(.minutes(2))) struct TileFolderTests {
    private static let plain = """
        CREATE TABLE metadata (name TEXT, value TEXT);
        CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
        INSERT INTO tiles VALUES (1, 0, 0, x'01');
        """

    private static func write(_ sql: String, to path: String) throws {
        let database = try DatabaseQueue(path: path)
        try database.write { try $0.execute(sql: sql) }
        try database.close()
    }

    private static func inFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: folder) } }
        try body(folder)
    }

    @Test func mapsComeAndGoWhileOthersAreRead() throws {
        try Self.inFolder { folder in
            let maps = TileFolder("\(folder)/maps")
            #expect(maps.maps.isEmpty && maps.tile(zoom: 1, column: 0, row: 1) == nil)
            try FileManager.default.createDirectory(atPath: maps.path, withIntermediateDirectories: true)
            try Self.write(Self.plain, to: "\(maps.path)/b.mbtiles")
            try Data("no map".utf8).write(to: URL(filePath: "\(maps.path)/a.mbtiles"))
            try Data("no map".utf8).write(to: URL(filePath: "\(maps.path)/notes.txt"))
            #expect(maps.maps.map(\.name) == ["a.mbtiles", "b.mbtiles"])
            #expect(maps.archives.count == 1)
            #expect(maps.tile(zoom: 1, column: 0, row: 1)?.bytes == [1])
            try Self.write(
                Self.plain.replacing("(1, 0, 0, x'01')", with: "(1, 1, 0, x'02')"), to: "\(maps.path)/c.mbtiles")
            #expect(maps.tile(zoom: 1, column: 0, row: 1)?.bytes == [1])
            #expect(maps.tile(zoom: 1, column: 1, row: 1)?.bytes == [2])
            try maps.remove("b.mbtiles")
            #expect(maps.tile(zoom: 1, column: 0, row: 1) == nil)
        }
    }

    @Test func whatAMapSaysOfItselfIsRead() throws {
        try Self.inFolder { folder in
            let facts = """
                \(Self.plain)
                INSERT INTO metadata VALUES ('name', 'Birch <b>Lake</b>'), ('bounds', '-74.02, 40.70,-73.98,40.73');
                """
            try Self.write(facts, to: "\(folder)/a.mbtiles")
            let archive = try TileArchive(path: "\(folder)/a.mbtiles")
            #expect(archive.name == "Birch Lake" && archive.bounds?.degrees == [-74.02, 40.70, -73.98, 40.73])
            for (index, bounds) in ["1,2,3", "a,b,c,d", "3,2,1,0", "nan,0,1,1", ""].enumerated() {
                let path = "\(folder)/\(index).mbtiles"
                try Self.write("\(Self.plain) INSERT INTO metadata VALUES ('bounds', '\(bounds)');", to: path)
                #expect(try TileArchive(path: path).bounds == nil)
            }
            // Maps of the whole world often say a little more than that.
            try Self.write(
                "\(Self.plain) INSERT INTO metadata VALUES ('bounds', '-180.0000001,-90.5,180,90');",
                to: "\(folder)/w.mbtiles")
            #expect(try TileArchive(path: "\(folder)/w.mbtiles").bounds?.degrees == [-180, -90, 180, 90])
        }
    }

    /// As most tools store tiles that occur often.
    @Test func tilesMayBeAViewOfTwoTables() throws {
        try Self.inFolder { folder in
            try Self.write(
                """
                CREATE TABLE metadata (name TEXT, value TEXT);
                CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id TEXT);
                CREATE TABLE images (tile_data BLOB, tile_id TEXT);
                CREATE UNIQUE INDEX map_index ON map (zoom_level, tile_column, tile_row);
                CREATE VIEW tiles AS SELECT map.zoom_level AS zoom_level, map.tile_column AS tile_column,
                  map.tile_row AS tile_row, images.tile_data AS tile_data FROM map JOIN images ON images.tile_id = map.tile_id;
                INSERT INTO map VALUES (0, 0, 0, 'a'), (1, 1, 1, 'a');
                INSERT INTO images VALUES (x'0102', 'a');
                """, to: "\(folder)/a.mbtiles")
            let archive = try TileArchive(path: "\(folder)/a.mbtiles")
            #expect(try archive.tile(zoom: 1, column: 1, row: 0) == [1, 2])
        }
    }

    /// Each would take for ever, or much memory, if it were run.
    @Test(arguments: [
        """
        CREATE VIEW tiles AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x FROM c)
          SELECT x AS zoom_level, x AS tile_column, x AS tile_row, x AS tile_data FROM c;
        """,
        "CREATE VIEW tiles AS SELECT 1 AS zoom_level, 1 AS tile_column, 1 AS tile_row, zeroblob(1000000000) AS tile_data;",
        """
        CREATE TABLE t (zoom_level, tile_column, tile_row);
        CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, 1 AS tile_data FROM t UNION SELECT * FROM t;
        """,
        """
        CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data GENERATED ALWAYS AS (zeroblob(1000000)));
        """,
        "CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data AS (hex(zeroblob(1000000))));",
        "CREATE VIRTUAL TABLE tiles USING fts5(zoom_level, tile_column, tile_row, tile_data);",
        """
        CREATE TABLE t (zoom_level, tile_column, tile_row, tile_data);
        CREATE VIEW tiles AS SELECT a.zoom_level AS zoom_level, a.tile_column AS tile_column, a.tile_row AS tile_row,
          a.tile_data || b.tile_data AS tile_data FROM t AS a JOIN t AS b ON a.tile_data LIKE b.tile_data;
        """,
        """
        CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data);
        CREATE TRIGGER t AFTER INSERT ON tiles BEGIN SELECT 1; END;
        """,
    ])
    func whatWouldRunIsNotOpened(tables: String) throws {
        try Self.inFolder { folder in
            let path = "\(folder)/a.mbtiles"
            try Self.write("CREATE TABLE metadata (name TEXT, value TEXT); \(tables)", to: path)
            #expect(throws: TileArchiveError.strangeTables(path: path)) { try TileArchive(path: path) }
        }
    }

    /// Columns hold values of any type, whatever a table says.
    @Test(arguments: [
        "INSERT INTO metadata VALUES (5, 5), ('name', 7), ('bounds', x'FF'), (x'FFFE', 'x'), ('attribution', x'FF00');",
        "INSERT INTO tiles VALUES ('abc', 'x', NULL, 'text');", "INSERT INTO tiles VALUES (1.5, 0, 0, 9);",
        "INSERT INTO tiles VALUES (x'FF', 0, 0, NULL), (9e99, 0, 0, 1);",
    ])
    func valuesOfOtherTypesEndNothing(rows: String) throws {
        try Self.inFolder { folder in
            let path = "\(folder)/a.mbtiles"
            try Self.write(
                Self.plain.replacing(" TEXT", with: "").replacing(" INTEGER", with: "").replacing(" BLOB", with: "")
                    + rows, to: path)
            do {
                let archive = try TileArchive(path: path)
                #expect(archive.bounds == nil)
                for zoom in archive.zooms.prefix(3) { _ = try archive.tile(zoom: zoom, column: 0, row: 0) }
            } catch {
                #expect(error is TileArchiveError)
            }
        }
    }

    @Test func aMapThatIsReplacedByOneOfTheSameSizeIsReadAnew() throws {
        try Self.inFolder { folder in
            let maps = TileFolder(folder)
            for tile in [UInt8(1), 2] {
                let draft = "\(folder)/.draft"
                try Self.write(Self.plain.replacing("x'01'", with: "x'0\(tile)'"), to: draft)
                #expect(rename(draft, "\(folder)/A.MBTILES") == 0)
                #expect(maps.tile(zoom: 1, column: 0, row: 1)?.bytes == [tile])
            }
        }
    }

    /// A join of everything with everything stops after some seconds of work.
    @Test func aReadThatIsTooLongEnds() throws {
        try Self.inFolder { folder in
            let path = "\(folder)/a.mbtiles"
            try Self.write(
                """
                CREATE TABLE metadata (name TEXT, value TEXT);
                CREATE TABLE t (zoom_level, tile_column, tile_row, tile_data);
                CREATE VIEW tiles AS SELECT a.zoom_level AS zoom_level, a.tile_column AS tile_column,
                  a.tile_row AS tile_row, a.tile_data AS tile_data FROM t AS a, t AS b, t AS c, t AS d;
                WITH RECURSIVE c(x) AS (VALUES (0) UNION ALL SELECT x + 1 FROM c WHERE x < 999)
                  INSERT INTO t SELECT 0, x, x, x FROM c;
                """, to: path)
            #expect(throws: TileArchiveError.self) { try TileArchive(path: path) }
        }
    }

    @Test(arguments: [0, 1, 50, 99, 100, 101, 2_000, 4_096, 5_000, 8_000])
    func aDamagedFileIsAFault(at offset: Int) throws {
        try Self.inFolder { folder in
            let path = "\(folder)/a.mbtiles"
            try Self.write(Self.plain, to: path)
            var bytes = try Data(contentsOf: URL(filePath: path))
            for index in offset..<min(bytes.count, offset + 200) { bytes[index] ^= 0xFF }
            try bytes.write(to: URL(filePath: path))
            do {
                _ = try TileArchive(path: path).tile(zoom: 1, column: 0, row: 1)
            } catch {
                #expect(error is TileArchiveError || error is DatabaseError)
            }
        }
    }
}
