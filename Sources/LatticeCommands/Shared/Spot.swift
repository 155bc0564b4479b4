import ArgumentParser
import LatticeAPI
import LatticeGeo
import LatticeSettings

/// A place as somebody types it: a coordinate, or the name of a place that somebody has made.
enum Spot: Equatable {
    case parsed(ParsedPlace)
    case named(PlaceReference)

    /// Where it is.
    struct Resolved {
        let coordinate: Coordinate
        /// The length of the geohash that was typed, if it was one.
        let geohashCharacters: Int?
        /// The place of that name, if it was one.
        let place: ItemInfo?
    }

    /// - Throws: `ValidationError` if it is neither.
    init(_ text: String) throws {
        do throws(PlaceError) {
            self = .parsed(try PlaceParser.parse(text))
        } catch {
            guard Self.isName(text) else { throw ValidationError(error.description) }
            self = .named(PlaceReference(text))
        }
    }

    /// Two letters beside each other: in a coordinate, letters stand alone, as in `40.7128N 74.0060W`.
    private static func isName(_ text: String) -> Bool {
        guard !text.lowercased().hasPrefix("geo:"), text.utf8.count <= PlaceParser.textBytesMax else { return false }
        return zip(text, text.dropFirst()).contains { $0.isLetter && $1.isLetter }
    }

    /// - Throws: `RequestError` if no place has this name.
    func resolved(on node: any MeshNode) async throws -> Resolved {
        switch self {
        case .parsed(let place):
            return Resolved(coordinate: place.coordinate, geohashCharacters: place.geohashCharacters, place: nil)
        case .named(let name):
            let place = try await node.perform(FindPlace(name))
            guard let coordinate = place.place else { throw RequestError.placeLost }
            return Resolved(coordinate: coordinate, geohashCharacters: nil, place: place)
        }
    }
}

extension Arguments {
    static func spot(_ text: String) throws -> Spot { try Spot(text) }

    /// `nil` if there are no words.
    static func spot(_ words: [String]) throws -> Spot? {
        words.isEmpty ? nil : try Spot(ArgumentWords.text(words))
    }

    static func placeName(_ text: String) -> PlaceReference { PlaceReference(text) }
}
