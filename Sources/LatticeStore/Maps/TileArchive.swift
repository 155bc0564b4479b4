import Foundation
import GRDB
package import LatticeGeo

/// A base map in one file: MBTiles 1.3 with images as tiles. It is only read.
///
/// The file may come from a stranger. So SQLite runs nothing of it but plain tables and plain views, checks its pages, and stops after
/// some seconds of work (sqlite.org, "Defense Against The Dark Arts").
package struct TileArchive: Sendable {
    /// An image of a quarter of a million pixels has a tenth of this.
    private static let tileBytesMax = 1 << 20
    private static let attributionCharactersMax = 500
    private static let nameCharactersMax = 100

    private let database: DatabaseQueue
    package let zooms: ClosedRange<Int>
    /// For example `image/png`.
    package let type: String
    /// What the map calls itself; `nil` if nothing.
    package let name: String?
    /// Attribution in plain text.
    package let attribution: String?
    /// What it shows; `nil` if the file does not say that in a valid way.
    package let bounds: MapBounds?

    /// - Throws: `TileArchiveError`, which says what to do.
    package init(path: String) throws(TileArchiveError) {
        do {
            database = try StrangersDatabase.opened(path)
            let (facts, zooms) = try StrangersDatabase.read(database) { database in
                try StrangersDatabase.checkSchema(database)
                // A column may hold values of any type; what is no text or number would end the program.
                let rows = try Row.fetchAll(
                    database,
                    sql: """
                        SELECT CAST(name AS TEXT), CAST(value AS TEXT) FROM metadata
                        WHERE typeof(name) = 'text' AND length(name) <= 64 AND typeof(value) <> 'blob'
                          AND length(value) <= 4096 LIMIT 100
                        """)
                let facts = rows.reduce(into: [String: String]()) { $0[$1[0] as String? ?? ""] = $1[1] as String? }
                // Each alone is found in an index.
                let zooms = try Row.fetchOne(
                    database,
                    sql: """
                        SELECT CAST((SELECT min(zoom_level) FROM tiles) AS INTEGER),
                          CAST((SELECT max(zoom_level) FROM tiles) AS INTEGER)
                        """)
                return (facts, (zooms?[0] as Int?, zooms?[1] as Int?))
            }
            guard let least = zooms.0, let most = zooms.1, (0...30).contains(least), (least...30).contains(most) else {
                throw TileArchiveError.empty(path: path)
            }
            self.zooms = least...most
            guard let type = Self.types[facts["format"] ?? "png"] else {
                throw TileArchiveError.noPictures(path: path, format: facts["format"] ?? "")
            }
            self.type = type
            attribution = Self.text(facts["attribution"], charactersMax: Self.attributionCharactersMax)
            name = Self.text(facts["name"], charactersMax: Self.nameCharactersMax)
            bounds = facts["bounds"].flatMap(Self.bounds)
        } catch let error as TileArchiveError {
            throw error
        } catch StrangersDatabase.Fault.schema {
            throw .strangeTables(path: path)
        } catch {
            throw .unreadable(path: path, reason: (error as? DatabaseError)?.message ?? "\(error)")
        }
    }

    private static func text(_ fact: String?, charactersMax: Int) -> String? {
        guard let fact else { return nil }
        let text = String(plain(fact).prefix(charactersMax))
        return text.allSatisfy(\.isWhitespace) ? nil : text
    }

    /// West, south, east, north, as MBTiles has them. A map of the whole world often goes a little beyond it.
    private static func bounds(_ text: String) -> MapBounds? {
        let numbers = text.split(separator: ",").map { Double($0.filter { $0 != " " }) ?? .nan }
        guard numbers.count == 4, numbers.allSatisfy(\.isFinite) else { return nil }
        return MapBounds(degrees: zip(numbers, [180.0, 90, 180, 90]).map { min($1, max(-$1, $0)) })
    }

    private static let types = [
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp",
    ]

    /// - Parameter row: counted from the north, as in tile URLs; the file counts from the south.
    /// - Returns: `nil` if the tile is missing or too large.
    package func tile(zoom: Int, column: Int, row: Int) throws -> [UInt8]? {
        precondition(zooms.contains(zoom), "the front asks for zooms that are there")
        return try StrangersDatabase.read(database) { database in
            let sql = """
                SELECT CAST(tile_data AS BLOB) FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?
                AND length(tile_data) <= ? LIMIT 1
                """
            let arguments: StatementArguments = [zoom, column, (1 << zoom) - 1 - row, Self.tileBytesMax]
            return try Data.fetchOne(database, sql: sql, arguments: arguments).map { Array($0) }
        }
    }

    /// Removes the markup of attributions.
    private static func plain(_ text: String) -> String {
        var (result, isInside) = ("", false)
        for character in text {
            switch character {
            case "<": isInside = true
            case ">" where isInside: isInside = false
            default: if !isInside { result.append(character) }
            }
        }
        return result.replacing("&copy;", with: "©").replacing("&amp;", with: "&")
    }
}

package enum TileArchiveError: Error, Equatable, CustomStringConvertible {
    case unreadable(path: String, reason: String)
    case empty(path: String)
    case noPictures(path: String, format: String)
    /// Its tables are made in a way that is not run.
    case strangeTables(path: String)

    /// What is wrong with the file, without its name.
    package var reason: String {
        switch self {
        case .unreadable(_, let reason): "it cannot be read as MBTiles: \(reason)"
        case .empty: "it contains no tiles"
        case .strangeTables:
            "it is built in an unusual way; save it anew with another tool, as MBTiles with plain tables"
        case .noPictures(_, let format):
            "it contains \(format) tiles, which are not supported; png, jpg and webp are"
        }
    }

    package var description: String {
        switch self {
        case .unreadable(let path, _), .empty(let path), .strangeTables(let path), .noPictures(let path, _):
            "\(path): \(reason); give another MBTiles file"
        }
    }
}
