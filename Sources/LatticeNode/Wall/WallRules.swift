import Foundation
import LatticeAPI
import LatticeCore
import LatticeGeo
import LatticeStore
import LatticeWire

/// What may be posted. All faulty fields are named, not just the first.
struct WallRules: Sendable {
    /// Grapheme clusters of a post or comment.
    let textClustersMax: Int

    static let placeNameClustersMax = 64
    static let aboutClustersMax = 280
    static let year: UInt32 = Record.lifetimeSecondsRange.upperBound
    private static let day: Int64 = 86_400_000
    /// How far ahead an event may start: its record lives at most a year, and a day longer than the event.
    private static let eventAheadMax: Int64 = 364 * day

    /// Collects faults.
    struct Faults {
        private(set) var list: [RequestError.FieldFault] = []

        mutating func add(_ field: String, _ reason: String) {
            list.append(RequestError.FieldFault(field, reason))
        }

        func check() throws(RequestError) {
            guard !list.isEmpty else { return }
            throw RequestError(.invalid, list.map(\.reason).joined(separator: "; "), faults: list)
        }
    }

    /// In Unicode's composed form, without unprintable characters and surrounding white space.
    static func tidied(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.precomposedStringWithCanonicalMapping.unicodeScalars {
            switch scalar {
            case "\t", "\r": scalars.append(" ")
            case "\n": scalars.append("\n")
            case let scalar where DisplayText.isUnsafe(scalar): continue
            default: scalars.append(scalar)
            }
        }
        return String(scalars).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func text(_ text: String, _ faults: inout Faults) -> String {
        required(text, "text", "a text", clustersMax: textClustersMax, bytesMax: PostBody.textBytesMax, &faults)
    }

    func placeName(_ text: String?, _ faults: inout Faults) -> String {
        optional(
            text, "place_name", "a place name", clustersMax: Self.placeNameClustersMax,
            bytesMax: PostBody.placeNameBytesMax, &faults)
    }

    func about(_ text: String, _ faults: inout Faults) -> String {
        optional(
            text, "about", "a profile text", clustersMax: Self.aboutClustersMax,
            bytesMax: ProfileBody.aboutBytesMax, &faults)
    }

    func eventName(_ text: String?, _ faults: inout Faults) -> String {
        let name = optional(
            text, "name", "an event name", clustersMax: textClustersMax, bytesMax: EventBody.nameBytesMax,
            &faults)
        if name.isEmpty { faults.add("name", "give the event a name") }
        return name
    }

    func address(_ text: String?, _ faults: inout Faults) -> String {
        optional(
            text, "address", "an address", clustersMax: textClustersMax, bytesMax: EventBody.addressBytesMax, &faults)
    }

    func eventText(_ text: String?, _ faults: inout Faults) -> String {
        optional(
            text, "text", "an event text", clustersMax: 1_000, bytesMax: EventBody.textBytesMax, &faults)
    }

    /// - Returns: valid dates of an event; `nil` if they are at fault.
    func dates(
        starts: WallTime?, ends: WallTime?, at now: WallTime, _ faults: inout Faults
    ) -> (starts: WallTime, ends: WallTime?)? {
        guard let starts else {
            faults.add("starts", "give the time when the event starts")
            return nil
        }
        guard (1...now.milliseconds + Self.eventAheadMax).contains(starts.milliseconds) else {
            faults.add("starts", "an event can start up to 364 days from now")
            return nil
        }
        guard let ends else {
            if starts.milliseconds < now.milliseconds - Self.day {
                faults.add("starts", "this event ended more than a day ago")
            }
            return (starts, nil)
        }
        if ends < starts {
            faults.add("ends", "an event cannot end before it starts")
            return nil
        }
        if ends.milliseconds > now.milliseconds + Self.eventAheadMax {
            faults.add("ends", "an event can end up to 364 days from now")
            return nil
        }
        if ends.milliseconds < now.milliseconds - Self.day {
            faults.add("ends", "this event ended more than a day ago")
        }
        return (starts, ends)
    }

    func place(_ coordinate: Coordinate?, blur: Int?, _ faults: inout Faults) -> Place? {
        if let blur, !(1...Int(Place.geohashCharactersMax)).contains(blur) {
            faults.add("blur", "blur must be 1 to 12 characters of the geohash")
            return nil
        }
        guard let coordinate else {
            faults.add("place", "a place is missing: add --at PLACE, or set yours first: lattice here PLACE")
            return nil
        }
        guard let blur else { return Place(coordinate) }
        return Place(coordinate.blurred(characters: blur), geohashCharacters: UInt8(blur))
    }

    func lifetime(_ lifetime: Duration?, _ faults: inout Faults) -> UInt32 {
        let lifetime = lifetime ?? WallLimit.postLifetime
        guard WallLimit.lifetimeRange.contains(lifetime) else {
            faults.add("expires", "a post can be kept from one minute to one year")
            return Record.lifetimeSecondsRange.lowerBound
        }
        return UInt32(lifetime.components.seconds)
    }

    /// A deleted item takes no reactions: nobody would see them, and the author wants it gone.
    static func mustBeThere(_ item: StoredItem) throws(RequestError) {
        let who: String
        switch item.state {
        case .shown: return
        case .deletedByAuthor: who = "its author"
        case .deletedByParentAuthor: who = "the author of the post or event"
        }
        throw RequestError(
            .takenBack,
            "this \(item.kindName) was deleted by \(who) and can no longer be changed")
    }

    /// An event is useful until a day after its end.
    static func eventLifetime(starts: WallTime, ends: WallTime?, from now: WallTime) -> UInt32 {
        seconds(until: WallTime(milliseconds: max(starts, ends ?? starts).milliseconds + day), from: now)
    }

    /// Until `end`, within the limits of a record's lifetime.
    static func seconds(until end: WallTime, from now: WallTime) -> UInt32 {
        let range = Record.lifetimeSecondsRange
        let seconds = (end.milliseconds - now.milliseconds + 999) / 1_000
        return UInt32(min(max(seconds, Int64(range.lowerBound)), Int64(range.upperBound)))
    }

    private func required(
        _ text: String, _ field: String, _ what: String, clustersMax: Int, bytesMax: Int, _ faults: inout Faults
    ) -> String {
        let text = optional(text, field, what, clustersMax: clustersMax, bytesMax: bytesMax, &faults)
        if text.isEmpty { faults.add(field, "\(what) needs at least one visible character") }
        return text
    }

    private func optional(
        _ text: String?, _ field: String, _ what: String, clustersMax: Int, bytesMax: Int, _ faults: inout Faults
    ) -> String {
        let text = Self.tidied(text ?? "")
        if text.count > clustersMax {
            faults.add(field, "\(what) can have at most \(clustersMax) characters; this one has \(text.count)")
        } else if text.utf8.count > bytesMax {
            faults.add(field, "\(what) can have at most \(bytesMax) bytes; this one has \(text.utf8.count)")
        }
        return text
    }
}
