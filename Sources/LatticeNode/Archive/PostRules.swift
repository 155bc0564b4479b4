import Foundation
import LatticeAPI
import LatticeCore
import LatticeGeo
import LatticeStore
import LatticeWire

/// What may be posted. All faulty fields are named, not just the first.
struct PostRules: Sendable {
    /// Grapheme clusters of a post or comment.
    let textClustersMax: Int

    static let placeNameClustersMax = 64
    static let aboutClustersMax = 280
    static let year: UInt32 = Record.lifetimeSecondsRange.upperBound
    static let postLifetime = UInt32(PostLimit.postLifetime.components.seconds)
    private static let day: Int64 = 86_400_000
    /// How far ahead an event may start: its record lives at most a year, and a day longer than the event.
    private static let eventAheadDaysMax = 364
    private static let eventAheadMax = Int64(eventAheadDaysMax) * day

    struct Faults {
        private(set) var list: [FieldFault] = []

        mutating func add(_ fault: FieldFault) {
            list.append(fault)
        }

        func check() throws(RequestError) {
            guard !list.isEmpty else { return }
            throw .invalid(faults: list)
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
        required(text, .text, clustersMax: textClustersMax, bytesMax: PostBody.textBytesMax, &faults)
    }

    func placeName(_ text: String?, _ faults: inout Faults) -> String {
        optional(
            text, .placeName, clustersMax: Self.placeNameClustersMax,
            bytesMax: PostBody.placeNameBytesMax, &faults)
    }

    func about(_ text: String, _ faults: inout Faults) -> String {
        optional(
            text, .about, clustersMax: Self.aboutClustersMax,
            bytesMax: ProfileBody.aboutBytesMax, &faults)
    }

    func eventName(_ text: String?, _ faults: inout Faults) -> String {
        let name = optional(
            text, .eventName, clustersMax: textClustersMax, bytesMax: EventBody.nameBytesMax,
            &faults)
        if name.isEmpty { faults.add(.noEventName) }
        return name
    }

    /// The name of a place.
    func placeTitle(_ text: String?, _ faults: inout Faults) -> String {
        let name = required(
            text ?? "", .name, clustersMax: Self.placeNameClustersMax, bytesMax: PlaceBody.nameBytesMax, &faults)
        if name.contains("/") { faults.add(.slashInName) }
        return name
    }

    /// What kind of place it is.
    func category(_ text: String?, _ faults: inout Faults) -> String {
        optional(text, .category, clustersMax: 32, bytesMax: PlaceBody.categoryBytesMax, &faults)
    }

    func hours(_ text: String?, _ faults: inout Faults) -> String {
        optional(text, .hours, clustersMax: textClustersMax, bytesMax: PlaceBody.hoursBytesMax, &faults)
    }

    func address(_ text: String?, _ faults: inout Faults) -> String {
        optional(
            text, .address, clustersMax: textClustersMax, bytesMax: EventBody.addressBytesMax, &faults)
    }

    func eventText(_ text: String?, _ faults: inout Faults) -> String {
        optional(
            text, .eventText, clustersMax: 1_000, bytesMax: EventBody.textBytesMax, &faults)
    }

    /// The photo that a record gets, with its description.
    ///
    /// - Parameters:
    ///   - photo: the new one, which has no description yet.
    ///   - kept: the one that stays without a new one.
    ///   - alt: `nil` leaves the description as it is; an empty one removes it.
    func photo(
        _ photo: BodyPhoto?, else kept: BodyPhoto? = nil, alt: String?, _ faults: inout Faults
    ) -> BodyPhoto? {
        guard let photo = photo ?? kept, let alt else { return photo ?? kept }
        let text = optional(
            alt, .photo, clustersMax: BodyPhoto.altBytesMax, bytesMax: BodyPhoto.altBytesMax, &faults)
        guard text.utf8.count <= BodyPhoto.altBytesMax else { return nil }
        return photo.described(as: text.isEmpty ? nil : text)
    }

    /// - Returns: valid dates of an event; `nil` if they are at fault.
    func dates(
        starts: WallTime?, ends: WallTime?, at now: WallTime, _ faults: inout Faults
    ) -> (starts: WallTime, ends: WallTime?)? {
        guard let starts else {
            faults.add(.noStart)
            return nil
        }
        guard (1...now.milliseconds + Self.eventAheadMax).contains(starts.milliseconds) else {
            faults.add(.startsTooLate(daysMax: Self.eventAheadDaysMax))
            return nil
        }
        guard let ends else {
            if starts.milliseconds < now.milliseconds - Self.day {
                faults.add(.over(field: .starts))
            }
            return (starts, nil)
        }
        if ends < starts {
            faults.add(.endsBeforeStart)
            return nil
        }
        if ends.milliseconds > now.milliseconds + Self.eventAheadMax {
            faults.add(.endsTooLate(daysMax: Self.eventAheadDaysMax))
            return nil
        }
        if ends.milliseconds < now.milliseconds - Self.day {
            faults.add(.over(field: .ends))
        }
        return (starts, ends)
    }

    func place(_ coordinate: Coordinate?, blur: Int?, _ faults: inout Faults) -> Place? {
        if let blur, !(1...Int(Place.geohashCharactersMax)).contains(blur) {
            faults.add(.blur(max: Int(Place.geohashCharactersMax)))
            return nil
        }
        guard let coordinate else {
            faults.add(.noPlace)
            return nil
        }
        guard let blur else { return Place(coordinate) }
        return Place(coordinate.blurred(characters: blur), geohashCharacters: UInt8(blur))
    }

    /// Metres.
    func unlock(_ metres: Int?, _ faults: inout Faults) -> Int? {
        let range = PostBody.unlockMetresRange
        guard let metres, !range.contains(metres) else { return metres }
        faults.add(.unlock(min: range.lowerBound, maxKilometres: range.upperBound / 1_000))
        return nil
    }

    func lifetime(_ lifetime: Duration, _ faults: inout Faults) -> UInt32 {
        guard PostLimit.lifetimeRange.contains(lifetime) else {
            faults.add(.lifetime)
            return Record.lifetimeSecondsRange.lowerBound
        }
        return UInt32(lifetime.components.seconds)
    }

    /// A deleted item takes no reactions: nobody would see them, and the author wants it gone.
    static func mustBeThere(_ item: StoredItem) throws(RequestError) {
        let byParentAuthor: Bool
        switch item.state {
        case .shown: return
        case .deletedByAuthor: byParentAuthor = false
        case .deletedByParentAuthor: byParentAuthor = true
        }
        throw .takenBack(kind: item.infoKind, byParentAuthor: byParentAuthor)
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

    func required(
        _ text: String, _ what: FieldFault.Text, clustersMax: Int, bytesMax: Int, _ faults: inout Faults
    ) -> String {
        let text = optional(text, what, clustersMax: clustersMax, bytesMax: bytesMax, &faults)
        if text.isEmpty { faults.add(.empty(text: what)) }
        return text
    }

    func optional(
        _ text: String?, _ what: FieldFault.Text, clustersMax: Int, bytesMax: Int, _ faults: inout Faults
    ) -> String {
        let text = Self.tidied(text ?? "")
        if text.count > clustersMax {
            faults.add(.tooManyCharacters(text: what, count: text.count, max: clustersMax))
        } else if text.utf8.count > bytesMax {
            faults.add(.tooManyBytes(text: what, count: text.utf8.count, max: bytesMax))
        }
        return text
    }
}
