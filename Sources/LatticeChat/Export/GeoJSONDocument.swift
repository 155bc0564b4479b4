import LatticeAPI
import LatticeCore
import LatticeGeo

/// A FeatureCollection (RFC 7946), one feature a line.
enum GeoJSONDocument {
    static func text(_ items: [ItemInfo], thumbnails: [RecordID: [UInt8]]) -> String {
        let features = items.compactMap { feature($0, thumbnail: thumbnails[$0.id])?.description }
        guard !features.isEmpty else { return "{\"type\":\"FeatureCollection\",\"features\":[]}\n" }
        return "{\"type\":\"FeatureCollection\",\"features\":[\n\(features.joined(separator: ",\n"))\n]}\n"
    }

    /// Longitude comes first (section 3.1.1).
    private static func feature(_ item: ItemInfo, thumbnail: [UInt8]?) -> JSONLine? {
        guard let place = item.place else { return nil }
        let point = JSONLine([
            ("type", .text("Point")), ("coordinates", .list([.number(place.longitude), .number(place.latitude)])),
        ])
        return JSONLine([
            ("type", .text("Feature")), ("id", .text(item.resourceName)), ("geometry", .object(point)),
            ("properties", .object(JSONLine(PostJSON.members(item, thumbnail: thumbnail)))),
        ])
    }
}
