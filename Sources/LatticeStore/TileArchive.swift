import Foundation
import GRDB

/// A base map in one file: MBTiles 1.3 with images as tiles. It is only read.
package struct TileArchive: Sendable {
    /// An image of a quarter of a million pixels has a tenth of this.
    private static let tileBytesMax = 1 << 20
    private static let attributionCharactersMax = 500

    private let database: DatabaseQueue
    package let zooms: ClosedRange<Int>
    /// For example `image/png`.
    package let type: String
    /// Attribution in plain text.
    package let attribution: String?

    /// - Throws: `TileArchiveError`, which says what to do.
    package init(path: String) throws(TileArchiveError) {
        do {
            var configuration = Configuration()
            configuration.readonly = true
            configuration.label = "tiles"
            database = try DatabaseQueue(path: path, configuration: configuration)
            let (facts, zooms) = try database.read { database in
                let rows = try Row.fetchAll(database, sql: "SELECT name, value FROM metadata LIMIT 100")
                let facts = rows.reduce(into: [String: String]()) { $0[$1[0] as String? ?? ""] = $1[1] as String? }
                let zooms = try Row.fetchOne(
                    database, sql: "SELECT min(zoom_level), max(zoom_level) FROM tiles")
                return (facts, (zooms?[0] as Int?, zooms?[1] as Int?))
            }
            guard let least = zooms.0, let most = zooms.1, (0...30).contains(least), (0...30).contains(most) else {
                throw TileArchiveError.empty(path: path)
            }
            self.zooms = least...most
            guard let type = Self.types[facts["format"] ?? "png"] else {
                throw TileArchiveError.noPictures(path: path, format: facts["format"] ?? "")
            }
            self.type = type
            attribution = facts["attribution"].map { String(Self.plain($0).prefix(Self.attributionCharactersMax)) }
        } catch let error as TileArchiveError {
            throw error
        } catch {
            throw .unreadable(path: path, reason: "\(error)")
        }
    }

    private static let types = [
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp",
    ]

    /// - Parameter row: counted from the north, as in tile URLs; the file counts from the south.
    /// - Returns: `nil` if the tile is missing or too large.
    package func tile(zoom: Int, column: Int, row: Int) throws -> [UInt8]? {
        precondition(zooms.contains(zoom), "the front asks for zooms that are there")
        return try database.read { database in
            let sql = """
                SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?
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

    package var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(path) cannot be read as MBTiles: \(reason)"
        case .empty(let path): "\(path) contains no tiles; give another MBTiles file"
        case .noPictures(let path, let format):
            "\(path) contains \(format) tiles, which are not supported; give an MBTiles file with png, jpg or webp tiles"
        }
    }
}
