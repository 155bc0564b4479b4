import LatticeHTTP
import LatticeSettings
import LatticeStore

/// An MBTiles file as a tile source for the page.
struct BaseMap: TileSource {
    private let archive: TileArchive
    let facts: TileFacts

    init(path: String) throws(Failure) {
        do {
            archive = try TileArchive(path: path)
        } catch {
            throw Failure(.failed, error.description)
        }
        facts = TileFacts(zooms: archive.zooms, type: archive.type, attribution: archive.attribution)
    }

    func tile(zoom: Int, column: Int, row: Int) throws -> [UInt8]? {
        try archive.tile(zoom: zoom, column: column, row: row)
    }
}
