/// Provides the tiles of the base maps that this node has.
package protocol TileSource: Sendable {
    /// `nil` while there is no map.
    var facts: TileFacts? { get }

    /// - Parameters: as in the address of a tile: rows count from the north.
    /// - Returns: `nil` if there is no such tile.
    func tile(zoom: Int, column: Int, row: Int) throws -> Tile?
}

package struct Tile: Sendable {
    package let bytes: [UInt8]
    /// Such as `image/png`.
    package let type: String

    package init(_ bytes: [UInt8], type: String) { (self.bytes, self.type) = (bytes, type) }
}

package struct TileFacts: Hashable, Sendable {
    package let zooms: ClosedRange<Int>
    /// Attribution in plain text.
    package let attribution: String?

    package init(zooms: ClosedRange<Int>, attribution: String?) {
        self.zooms = zooms
        self.attribution = attribution
    }
}
