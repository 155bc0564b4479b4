import LatticeAPI
import LatticeCore
import LatticeGeo

/// Lists of items as GeoJSON (RFC 7946).
enum GeoJSON {
    static func collection(_ page: ItemPage) -> JSON {
        ["type": "FeatureCollection", "features": .list(page.items.map(feature)), "next": .text(page.next?.text)]
    }

    private static func feature(_ item: ItemInfo) -> JSON {
        [
            "type": "Feature", "id": .text(item.id.hex),
            "geometry": item.place.map { place in
                // Longitude comes first (section 3.1.1).
                ["type": "Point", "coordinates": [.number(place.longitude), .number(place.latitude)]]
            } ?? .null,
            "properties": item.json,
        ]
    }

    static let schema = Schema.object(
        ("type", Schema.one(of: "FeatureCollection")),
        (
            "features",
            Schema.list(
                Schema.object(
                    ("type", Schema.one(of: "Feature")), ("id", Schema.id),
                    (
                        "geometry",
                        [
                            "oneOf": [
                                Schema.object(
                                    ("type", Schema.one(of: "Point")), ("coordinates", Schema.list(Schema.number))),
                                ["type": "null"],
                            ]
                        ]
                    ),
                    ("properties", Schema.named("Item"))))
        ),
        ("next?", Schema.text))
}
