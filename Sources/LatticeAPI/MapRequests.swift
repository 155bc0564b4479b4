package import LatticeGeo

// Base maps that are kept on the node's machine and shown by its page. Paths are those of that machine.

/// A base map that is kept here: an MBTiles file with images as tiles.
package struct BaseMapInfo: Hashable, Codable, Sendable {
    package static let nameEnd = ".mbtiles"

    /// The name of the file, such as `camp.mbtiles`.
    package let name: String
    /// Bytes.
    package let size: Int64
    /// What the map calls itself.
    @OrNull package private(set) var title: String?
    /// What it shows; `nil` if it does not say, and if it cannot be read.
    @OrNull package private(set) var bounds: MapBounds?
    /// Zoom levels of Web Mercator, 0–30.
    @OrNull package private(set) var minZoom: Int?
    @OrNull package private(set) var maxZoom: Int?
    /// In plain text.
    @OrNull package private(set) var attribution: String?
    /// Why it cannot be read.
    @OrNull package private(set) var problem: String?

    package init(
        name: String, size: Int64, title: String? = nil, bounds: MapBounds? = nil, zooms: ClosedRange<Int>? = nil,
        attribution: String? = nil, problem: String? = nil
    ) {
        (self.name, self.size) = (name, size)
        _title = OrNull(wrappedValue: title)
        _bounds = OrNull(wrappedValue: bounds)
        _minZoom = OrNull(wrappedValue: zooms?.lowerBound)
        _maxZoom = OrNull(wrappedValue: zooms?.upperBound)
        _attribution = OrNull(wrappedValue: attribution)
        _problem = OrNull(wrappedValue: problem)
    }
}

package struct BaseMaps: Hashable, Codable, Sendable {
    /// By name.
    package let kept: [BaseMapInfo]
    /// Maps that others shared and that are not kept here, newest first.
    package let shared: [FileInfo]

    package init(kept: [BaseMapInfo], shared: [FileInfo]) { (self.kept, self.shared) = (kept, shared) }
}

/// Lists the base maps that are kept here, and those that others share.
package struct ListMaps: Request {
    package static let name = "map.list"
    package static let replyName = "maps"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = BaseMaps

    package init() {}
}

/// Copies an MBTiles file into the folder of base maps. It replaces one of the same name.
///
/// - Throws: `file` if it cannot be read, is no such map, or does not fit on the disk.
package struct AddMap: Request {
    package static let name = "map.add"
    package static let replyName = "map"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = BaseMapInfo

    /// Absolute.
    package let path: String

    package init(_ path: String) { self.path = path }
}

/// Fetches a map that somebody shared, and keeps it. The reply comes at once; a notice follows when the map is saved.
///
/// - Throws: `unknownItem`, `ambiguousItem`; `unknownMap` if it is no map; `file` if it is larger than what the disk has free.
package struct GetMap: Request {
    package static let name = "map.get"
    package static let replyName = "file"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = FileInfo

    /// As in `GetFile`.
    package let file: String

    package init(_ file: String) { self.file = file }
}

/// Removes a base map that is kept here.
///
/// - Throws: `unknownMap`.
package struct RemoveMap: Request {
    package static let name = "map.remove"
    package static let replyName = "map"
    /// As it was.
    package typealias Reply = BaseMapInfo

    /// The name of its file, with or without `.mbtiles`.
    package let map: String

    package init(_ map: String) { self.map = map }
}
