/// Where the pieces of a base map come from.
package protocol TileSource: Sendable {
    var facts: TileFacts { get }

    /// - Parameters: as in the address of a tile: rows count from the north.
    /// - Returns: `nil` where there is none.
    func tile(zoom: Int, column: Int, row: Int) throws -> [UInt8]?
}

/// What a base map is.
package struct TileFacts: Hashable, Sendable {
    package let zooms: ClosedRange<Int>
    /// As in `image/png`.
    package let type: String
    /// Whom to thank, as plain text.
    package let attribution: String?

    package init(zooms: ClosedRange<Int>, type: String, attribution: String?) {
        self.zooms = zooms
        self.type = type
        self.attribution = attribution
    }
}
