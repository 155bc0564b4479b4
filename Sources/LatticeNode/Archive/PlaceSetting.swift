import LatticeCore
import LatticeGeo
import LatticeStore

/// A persona's place, as it set it. Visitors never get the owner's place.
struct PlaceSetting {
    private static let ownersKey = "here"

    /// Key of the store's setting.
    let key: String

    init(of persona: PeerID, isOwner: Bool) {
        key = isOwner ? Self.ownersKey : "\(Self.ownersKey) \(persona.hex)"
    }

    func place(in snapshot: StoreSnapshot) throws -> Coordinate? {
        guard let text = try snapshot.setting(key) else { return nil }
        let numbers = text.split(separator: ",").compactMap { Int32($0) }
        guard numbers.count == 2 else { return nil }
        return Coordinate(latitudeE7: numbers[0], longitudeE7: numbers[1])
    }

    static func text(_ place: Coordinate) -> String { "\(place.latitudeE7),\(place.longitudeE7)" }
}
