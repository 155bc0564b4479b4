import LatticeAPI
import LatticeCore
import LatticeGeo

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

    static let schema = JSONSchema.object(
        ("type", JSONSchema.one(of: "FeatureCollection")),
        (
            "features",
            JSONSchema.list(
                JSONSchema.object(
                    ("type", JSONSchema.one(of: "Feature")), ("id", JSONSchema.id),
                    (
                        "geometry",
                        [
                            "oneOf": [
                                JSONSchema.object(
                                    ("type", JSONSchema.one(of: "Point")),
                                    ("coordinates", JSONSchema.list(JSONSchema.number))),
                                ["type": "null"],
                            ]
                        ]
                    ),
                    ("properties", JSONSchema.named("Item"))))
        ),
        ("next?", JSONSchema.text))
}
