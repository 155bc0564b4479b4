/// Provides the tiles of a base map.
package protocol TileSource: Sendable {
    var facts: TileFacts { get }

    /// - Parameters: as in the address of a tile: rows count from the north.
    /// - Returns: `nil` if there is no such tile.
    func tile(zoom: Int, column: Int, row: Int) throws -> [UInt8]?
}

package struct TileFacts: Hashable, Sendable {
    package let zooms: ClosedRange<Int>
    /// Such as `image/png`.
    package let type: String
    /// Attribution in plain text.
    package let attribution: String?

    package init(zooms: ClosedRange<Int>, type: String, attribution: String?) {
        self.zooms = zooms
        self.type = type
        self.attribution = attribution
    }
}
