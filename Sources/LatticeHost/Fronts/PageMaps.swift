import LatticeHTTP
import LatticeSettings
import LatticeStore

/// The base maps of the page: a file that was named, before all that are kept.
struct PageMaps: TileSource {
    private let named: TileArchive?
    private let kept: TileFolder

    /// - Parameters:
    ///   - path: an MBTiles file.
    ///   - folder: where `lattice map add` keeps maps.
    init(path: String?, folder: String) throws(Failure) {
        kept = TileFolder(folder)
        do throws(TileArchiveError) {
            named = if let path { try TileArchive(path: path) } else { nil }
        } catch {
            throw Failure(.failed, error.description)
        }
    }

    var facts: TileFacts? {
        let archives = (named.map { [$0] } ?? []) + kept.archives
        guard let least = archives.map(\.zooms.lowerBound).min(), let most = archives.map(\.zooms.upperBound).max()
        else {
            return nil
        }
        var credits: [String] = []
        for credit in archives.compactMap(\.attribution) where !credits.contains(credit) { credits.append(credit) }
        return TileFacts(
            zooms: least...most, attribution: credits.isEmpty ? nil : credits.joined(separator: " · "))
    }

    func tile(zoom: Int, column: Int, row: Int) throws -> Tile? {
        if let named, named.zooms.contains(zoom), let bytes = try named.tile(zoom: zoom, column: column, row: row) {
            return Tile(bytes, type: named.type)
        }
        return kept.tile(zoom: zoom, column: column, row: row).map { Tile($0.bytes, type: $0.type) }
    }
}
