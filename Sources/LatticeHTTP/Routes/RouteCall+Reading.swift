import FoundationEssentials
import LatticeAPI
import LatticeCore
import LatticeGeo

/// What stands in a query or a body, read into what it means.
extension RouteCall {
    func query(_ name: String) -> String? { call.query[name].flatMap { $0.isEmpty ? nil : $0 } }

    func number(_ name: String) throws(HTTPProblem) -> Double? {
        guard let text = query(name) else { return nil }
        // Hexadecimal digits and words are numbers to nobody else.
        guard text.allSatisfy({ $0.isASCII && $0.isNumber || "+-.eE".contains($0) }), let number = Double(text),
            number.isFinite
        else {
            throw .invalid(
                RequestError.FieldFault(
                    name, "\(name) is a number, as in \(name)=\(name == "radius" ? "5" : "40.7128")"))
        }
        return number
    }

    /// - Returns: `nil` where neither is said.
    func place() throws(HTTPProblem) -> Coordinate? {
        try Self.place(try number("lat"), try number("lon"))
    }

    static func place(_ latitude: Double?, _ longitude: Double?) throws(HTTPProblem) -> Coordinate? {
        if latitude == nil, longitude == nil { return nil }
        var faults: [RequestError.FieldFault] = []
        for (name, value, range) in [("lat", latitude, -90.0...90), ("lon", longitude, -180.0...180)] {
            if let value {
                if range.contains(value) { continue }
                let (least, most) = (Int(range.lowerBound), Int(range.upperBound))
                faults.append(RequestError.FieldFault(name, "\(name) is from \(least) to \(most) degrees"))
            } else {
                faults.append(RequestError.FieldFault(name, "lat and lon go together; give \(name), too"))
            }
        }
        guard faults.isEmpty, let latitude, let longitude,
            let place = Coordinate(latitude: latitude, longitude: longitude)
        else { throw .invalid(faults) }
        return place
    }

    /// The place that is asked for; without one where this person is, which is told only to them.
    func centre() throws(HTTPProblem) -> Coordinate? {
        if let place = try place() { return place }
        guard isOwner else {
            throw .tokenNeeded("Say around where, by lat and lon: where this person is needs the token.")
        }
        return nil
    }

    /// Metres.
    func radius() throws(HTTPProblem) -> Double {
        guard let radius = try number("radius") else { return WallLimit.radius }
        guard (1...WallLimit.searchMax).contains(radius) else {
            throw .invalid(
                RequestError.FieldFault("radius", "the radius is from 1 to \(Int(WallLimit.searchMax)) metres"))
        }
        return radius
    }

    func limit(or usual: Int) throws(HTTPProblem) -> Int {
        let range = WallLimit.pageSizeRange
        guard let text = query("limit") else { return usual }
        guard let limit = Int(text), range.contains(limit) else {
            throw .invalid(
                RequestError.FieldFault("limit", "the limit is from \(range.lowerBound) to \(range.upperBound)"))
        }
        return limit
    }

    func page() throws(HTTPProblem) -> PageRequest {
        PageRequest(limit: try limit(or: WallLimit.pageSize), after: query("after").map { PageCursor($0) })
    }

    /// The body, as JSON with names in snake case.
    func body<Value: Decodable>(_ type: Value.Type) throws(HTTPProblem) -> Value {
        let kind = call.headers["content-type"]?.prefix { $0 != ";" }.lowercased() ?? ""
        guard kind == "application/json" || kind.hasSuffix("+json") else {
            throw HTTPProblem(415, "wrongType", "Send JSON, and say so: Content-Type: application/json.")
        }
        do {
            let decoder = JSONDecoder()
            let names = try decoder.decode(BodyNames.self, from: Data(call.body))
            if let fault = names.fault(fields, isChange: call.method == .patch) { throw HTTPProblem.invalid(fault) }
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return try decoder.decode(type, from: Data(call.body))
        } catch let problem as HTTPProblem {
            throw problem
        } catch DecodingError.typeMismatch(let type, let context) {
            throw Self.misfit(context.codingPath, "is of another kind: \(Self.word(of: type)) is wanted")
        } catch DecodingError.valueNotFound(_, let context) {
            throw Self.misfit(context.codingPath, "must not be null")
        } catch DecodingError.keyNotFound(let key, let context) {
            throw Self.misfit(context.codingPath + [key], "is missing")
        } catch {
            throw HTTPProblem(400, "badRequest", "The body is no JSON that can be read.")
        }
    }

    private static func word(of type: Any.Type) -> String {
        switch type {
        case is String.Type: "text"
        case is Double.Type: "a number"
        case is Int.Type: "a whole number"
        default: "an object"
        }
    }

    private static func misfit(_ path: [any CodingKey], _ what: String) -> HTTPProblem {
        let field = path.map { key in
            key.stringValue.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
        }.joined(separator: ".")
        return .invalid(
            RequestError.FieldFault(field.isEmpty ? "body" : field, "\(field.isEmpty ? "the body" : field) \(what)"))
    }

    /// Whether an answer is rather to be of this type than JSON.
    func wants(_ type: String) -> Bool {
        AcceptedTypes(call.headers["accept"]).prefers(type, to: "application/json")
    }
}

/// What a body says something of.
private struct BodyNames: Decodable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private var names: [String] = []
    private var empty: Set<String> = []

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Name.self)
        for name in members.allKeys {
            names.append(name.stringValue)
            if try members.decodeNil(forKey: name) { empty.insert(name.stringValue) }
        }
    }

    /// - Parameters:
    ///   - fields: which there are; `nil` if others are passed over.
    ///   - isChange: whether what is absent stays as it is.
    func fault(_ fields: [String]?, isChange: Bool) -> RequestError.FieldFault? {
        for name in names.sorted() {
            if let fields, !fields.contains(name) {
                let known = fields.joined(separator: ", ")
                return RequestError.FieldFault(
                    String(name.prefix(40)), "this is not known here; what can be said: \(known)")
            }
            if isChange, empty.contains(name) {
                return RequestError.FieldFault(name, "\(name) cannot be null; leave it out, and it stays as it is")
            }
        }
        return nil
    }
}

extension RouteFacts.Parameter {
    static let latitude = Self(name: "lat", schema: Schema.number(-90...90), about: "Degrees; absent is where you are.")
    static let longitude = Self(name: "lon", schema: Schema.number(-180...180), about: "Degrees, with lat.")
    static let radius = Self(
        name: "radius", schema: Schema.number(1...WallLimit.searchMax), about: "Metres within which one may read.")
    static let limit = Self(
        name: "limit", schema: Schema.integer(WallLimit.pageSizeRange),
        about: "How many at most; \(WallLimit.pageSize) if absent.")
    static let after = Self(
        name: "after", schema: Schema.text, about: "Where the page before ended: its `next`, as it came.")

    static let around: [Self] = [latitude, longitude, radius]
    static let paged: [Self] = [limit, after]
}
