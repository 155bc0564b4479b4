import GRDB
import LatticeCore
import LatticeGeo

/// Where posts, events and places are.
struct ItemPlaces {
    let database: Database

    /// The item itself, or the item that a comment is about.
    func isInside(_ id: Bytes32, _ circle: Circle) throws -> Bool {
        let item = try database.one(
            """
            SELECT latitude, longitude, iif(kind = 5, parent, NULL) FROM item WHERE record = (SELECT seq FROM record WHERE id = ?)
            """, [.key(id)]
        ) { (latitude: $0.optionalInt(0), longitude: $0.optionalInt(1), parent: $0.bytes32(2)) }
        guard let item else { return false }
        if let parent = item.parent, parent != id {
            return try database.one(
                "SELECT latitude, longitude FROM item WHERE record = (SELECT seq FROM record WHERE id = ?)",
                [.key(parent)]
            ) { Self.contains(circle, $0.optionalInt(0), $0.optionalInt(1)) } ?? false
        }
        return Self.contains(circle, item.latitude, item.longitude)
    }

    static func contains(_ circle: Circle, _ latitude: Int64?, _ longitude: Int64?) -> Bool {
        guard let latitude, let longitude,
            let coordinate = Coordinate(
                latitudeE7: Int32(truncatingIfNeeded: latitude), longitudeE7: Int32(truncatingIfNeeded: longitude))
        else { return false }
        return circle.contains(coordinate)
    }
}
