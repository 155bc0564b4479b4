import LatticeAPI
import LatticeCore
import LatticeGeo

/// A Humon client's description of an event. Numbers may be strings, and everything may be inside `event` or not.
struct EventDraftBody: Decodable {
    private struct Loose: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            do {
                text = try value.decode(String.self)
            } catch {
                text = "\(try value.decode(Double.self))"
            }
        }
    }

    private enum Field: String, CodingKey {
        case event
        case address
        case endedAt
        case lat
        case lon
        case name
        case startedAt
        case photo

        /// Required fields, in Humon's order.
        static let needed: [Field] = [.lat, .lon, .name, .startedAt]
        static let told = needed + [.address, .endedAt]

        var title: String {
            switch self {
            case .event: "Event"
            case .address: "Address"
            case .endedAt: "Ended at"
            case .lat: "Lat"
            case .lon: "Lon"
            case .name: "Name"
            case .startedAt: "Started at"
            case .photo: "Photo"
            }
        }
    }

    /// Names in a body, whose `null` is refused in Humon's words.
    static let fields = Set(["address", "ended_at", "lat", "lon", "name", "started_at"])

    private var texts: [Field: String] = [:]
    /// Fields that are present but null.
    private var nulls: Set<Field> = []
    private let photo: PhotoBody?

    init(from decoder: any Decoder) throws {
        let outer = try decoder.container(keyedBy: Field.self)
        let fields = outer.contains(.event) ? try outer.nestedContainer(keyedBy: Field.self, forKey: .event) : outer
        photo = try fields.decodeIfPresent(PhotoBody.self, forKey: .photo)
        for field in Field.told {
            texts[field] = try fields.decodeIfPresent(Loose.self, forKey: field)?.text
            if fields.contains(field), texts[field] == nil { nulls.insert(field) }
        }
    }

    /// - Parameter item: the event that changes; `nil` is a new one, which needs all required fields.
    /// - Throws: what is wrong, in Humon's order and words.
    func draft(changing item: ItemInfo? = nil) throws(EventFault) -> EventDraft {
        let isNew = item == nil
        var faults: [String] = []
        // A field can be changed later, but not removed.
        for field in isNew ? Field.needed : Field.told
        where isNew ? isBlank(field) : nulls.contains(field) && !isMissing(field, in: item) {
            faults.append("\(field.title) can't be blank")
        }
        var draft = EventDraft(name: texts[.name], address: texts[.address], alt: photo?.alt)
        if let photo {
            do throws(HTTPProblem) {
                draft.photo = try photo.source()
            } catch {
                throw .other(error)
            }
        }
        let (latitude, longitude) = (number(.lat, "Lat", &faults), number(.lon, "Lon", &faults))
        if let latitude, let longitude {
            draft.at = Coordinate(latitude: latitude, longitude: longitude)
            if !(-90...90).contains(latitude) { faults.append("Lat must be from -90 to 90") }
            if !(-180...180).contains(longitude) { faults.append("Lon must be from -180 to 180") }
        } else if !isNew, (latitude == nil) != (longitude == nil), faults.isEmpty {
            faults.append("Lat and lon go together")
        }
        draft.starts = date(.startedAt, "Started at", &faults)
        draft.ends = date(.endedAt, "Ended at", &faults)
        guard faults.isEmpty else { throw .invalid(faults) }
        return draft
    }

    /// Clients send all fields of an event, and null for those that it does not have.
    private func isMissing(_ field: Field, in item: ItemInfo?) -> Bool {
        switch field {
        case .address: item?.placeName == nil
        case .endedAt: item?.ends == nil
        case .event, .lat, .lon, .name, .startedAt, .photo: false
        }
    }

    private func isBlank(_ field: Field) -> Bool { texts[field]?.allSatisfy(\.isWhitespace) ?? true }

    private func number(_ field: Field, _ name: String, _ faults: inout [String]) -> Double? {
        guard !isBlank(field), let text = texts[field] else { return nil }
        guard let number = Double(text), number.isFinite else {
            faults.append("\(name) is not a number")
            return nil
        }
        return number
    }

    private func date(_ field: Field, _ name: String, _ faults: inout [String]) -> WallTime? {
        guard !isBlank(field), let text = texts[field] else { return nil }
        guard let date = RFC3339.read(text) else {
            faults.append("\(name) is not a date")
            return nil
        }
        return date
    }
}

/// A refusal under Humon's contract.
enum EventFault: Error {
    case invalid([String])
    case unauthorized
    case notFound
    case other(HTTPProblem)

    var reply: HTTPReply {
        switch self {
        case .invalid(let faults):
            .json(["message": "Validation Failed", "errors": .list(faults.map { .text($0) })], 422)
        case .unauthorized: .json(["message": "Unauthorized"], 401)
        case .notFound: .json(["message": "Not Found"], 404)
        case .other(let problem) where problem.status == 404: EventFault.notFound.reply
        case .other(let problem) where problem.status == 422:
            EventFault.invalid(problem.faults.isEmpty ? [problem.detail] : problem.faults.map(\.reason)).reply
        case .other(let problem): .json(["message": .text(problem.detail)], problem.status)
        }
    }

    static let invalidSchema = JSONSchema.object(
        ("message", JSONSchema.text), ("errors?", JSONSchema.list(JSONSchema.text)))
}
