import LatticeAPI
import LatticeCore
import LatticeGeo

/// Parses values of a query or a body.
extension RouteCall {
    /// An empty value counts as a value: `?before=` is not a valid id.
    func query(_ name: String) -> String? { call.query[name] }

    /// The query's room, with or without its `#`, which means something else in an address.
    func roomInQuery() throws(HTTPProblem) -> RoomName? {
        guard let text = query("room") else { return nil }
        do throws(NameError) {
            return try RoomName(text.hasPrefix("#") ? text : "#\(text)")
        } catch {
            throw .invalid(HTTPProblem.Fault("room", error.description))
        }
    }

    func flag(_ name: String) throws(HTTPProblem) -> Bool? {
        switch query(name) {
        case nil: return nil
        case "true": return true
        case "false": return false
        default: throw .invalid(HTTPProblem.Fault(name, "\(name) must be true or false"))
        }
    }

    func number(_ name: String) throws(HTTPProblem) -> Double? {
        guard let text = query(name) else { return nil }
        // `Double` also accepts hexadecimal digits and words.
        guard text.allSatisfy({ $0.isASCII && $0.isNumber || "+-.eE".contains($0) }), let number = Double(text),
            number.isFinite
        else {
            throw .invalid(
                HTTPProblem.Fault(
                    name,
                    "\(name) must be a number, such as \(name)=\(["radius", "within"].contains(name) ? "5" : "40.7128")"
                ))
        }
        return number
    }

    /// - Returns: `nil` if neither is given.
    func place() throws(HTTPProblem) -> Coordinate? {
        try Self.place(try number("lat"), try number("lon"))
    }

    /// Where the reader is while the requested place is elsewhere.
    func reader() throws(HTTPProblem) -> Coordinate? {
        try Self.place(try number("from_lat"), try number("from_lon"), ("from_lat", "from_lon"))
    }

    static func place(
        _ latitude: Double?, _ longitude: Double?, _ names: (String, String) = ("lat", "lon")
    ) throws(HTTPProblem) -> Coordinate? {
        if latitude == nil, longitude == nil { return nil }
        var faults: [HTTPProblem.Fault] = []
        for (name, value, range) in [(names.0, latitude, -90.0...90), (names.1, longitude, -180.0...180)] {
            if let value {
                if range.contains(value) { continue }
                let (least, most) = (Int(range.lowerBound), Int(range.upperBound))
                faults.append(HTTPProblem.Fault(name, "\(name) must be from \(least) to \(most) degrees"))
            } else {
                faults.append(HTTPProblem.Fault(name, "\(name) is missing; give \(names.0) and \(names.1) together"))
            }
        }
        guard faults.isEmpty, let latitude, let longitude,
            let place = Coordinate(latitude: latitude, longitude: longitude)
        else { throw .invalid(faults) }
        return place
    }

    /// The requested place, else the place of the person who asks.
    func centre() throws(HTTPProblem) -> Coordinate? {
        if let place = try place() { return place }
        guard isPerson else {
            throw .tokenNeeded("Give lat and lon, or send the token to use the place of the owner.")
        }
        return nil
    }

    /// In metres.
    func radius() throws(HTTPProblem) -> Double { try metres("radius") ?? PostLimit.radius }

    func metres(_ name: String) throws(HTTPProblem) -> Double? {
        guard let metres = try number(name) else { return nil }
        guard (1...PostLimit.searchMax).contains(metres) else {
            throw .invalid(HTTPProblem.Fault(name, "\(name) must be from 1 to \(Int(PostLimit.searchMax)) metres"))
        }
        return metres
    }

    func limit(or usual: Int) throws(HTTPProblem) -> Int {
        let range = PostLimit.pageSizeRange
        guard let text = query("limit") else { return usual }
        guard let limit = Int(text), range.contains(limit) else {
            throw .invalid(
                HTTPProblem.Fault("limit", "limit must be from \(range.lowerBound) to \(range.upperBound)"))
        }
        return limit
    }

    /// The id of a line, from a path, a query or a body.
    static func line(_ text: String, _ field: String) throws(HTTPProblem) -> RecordID {
        guard let hash = Bytes32(hex: text) else {
            throw .invalid(
                HTTPProblem.Fault(field, "\(field) must be the id of a line (64 hexadecimal digits)"))
        }
        return RecordID(hash)
    }

    func page() throws(HTTPProblem) -> PageRequest {
        PageRequest(limit: try limit(or: PostLimit.pageSize), after: query("after").map { PageCursor($0) })
    }

    /// Whether the client prefers this type to JSON.
    func wants(_ type: String) -> Bool {
        AcceptedTypes(call.headers["accept"]).prefers(type, to: "application/json")
    }
}

extension RouteFacts.Parameter {
    static let latitude = Self(
        name: "lat", schema: JSONSchema.number(-90...90),
        about: "Degrees; the place of the owner if absent, which needs the token.")
    static let longitude = Self(
        name: "lon", schema: JSONSchema.number(-180...180), about: "Degrees; give it together with lat.")
    static let radius = Self(
        name: "radius", schema: JSONSchema.number(1...PostLimit.searchMax),
        about: "You can read posts within this many metres.")
    static let readerLatitude = Self(
        name: "from_lat", schema: JSONSchema.number(-90...90),
        about: "Where the reader is, if that is elsewhere: decides what can be read, and distances are from there.")
    static let readerLongitude = Self(
        name: "from_lon", schema: JSONSchema.number(-180...180), about: "Degrees; give it together with from_lat.")
    static let within = Self(
        name: "within", schema: JSONSchema.number(1...PostLimit.searchMax),
        about: "Nothing further from lat and lon than this many metres; without it posts are listed up to "
            + "\(Int(PostLimit.searchMax)) metres, events within the radius.")
    static let limit = Self(
        name: "limit", schema: JSONSchema.integer(PostLimit.pageSizeRange),
        about: "Items per page; \(PostLimit.pageSize) if absent.")
    static let after = Self(
        name: "after", schema: JSONSchema.text, about: "The `next` of the previous page.")

    static let around: [Self] = [latitude, longitude, radius]
    /// A part of the map, seen from elsewhere.
    static let seen: [Self] = around + [readerLatitude, readerLongitude, within]
    static let paged: [Self] = [limit, after]
}
