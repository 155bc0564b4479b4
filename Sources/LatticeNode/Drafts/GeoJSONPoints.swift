import LatticeAPI
import LatticeCore
import LatticeGeo
import LatticeWire

/// The points of a GeoJSON document: a FeatureCollection, a Feature or a Point.
struct GeoJSONPoints {
    /// What is known of an object. The members may stand in any order, so the coordinates are read when its type is known.
    private struct Object {
        let index: Int
        var type: String?
        var coordinates: Int?
        var geometry: Geometry?
        var properties: [String: String] = [:]
    }

    private struct Geometry {
        var type: String?
        var coordinates: Int?
    }

    /// Members that hold words or a time, the first ones first.
    private static let names = ["title", "name"]
    private static let descriptions = ["text", "description", "desc"]
    private static let times = ["at", "time", "timestamp"]
    private static let placeName = "place_name"
    private static let properties = Set(names + descriptions + times + [placeName])
    private static let geometries: Set<String> = [
        "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon", "GeometryCollection",
    ]

    private let bytes: [UInt8]

    static func read(_ bytes: [UInt8], from start: Int, into file: inout PointFile) throws(ScanFault) {
        let points = GeoJSONPoints(bytes: bytes)
        var scanner = JSONScanner(bytes, from: start)
        _ = try scanner.next()
        var inside = file
        let object = try points.object(&scanner) { scanner throws(ScanFault) in
            guard try scanner.next() == UInt8(ascii: "[") else { return try scanner.skipValue() }
            try scanner.elements { scanner throws(ScanFault) in
                guard try scanner.next() == UInt8(ascii: "{") else {
                    throw ScanFault(.malformed(reason: "a feature is missing"), at: scanner.index)
                }
                let feature = try points.object(&scanner)
                guard feature.type == "Feature" else {
                    throw ScanFault(.malformed(reason: "a feature is missing"), at: feature.index)
                }
                try points.add(feature, to: &inside)
            }
        }
        try scanner.end()
        if object.type == "FeatureCollection" { file = inside } else { try points.add(object, to: &file) }
    }

    private func object(
        _ scanner: inout JSONScanner, features: ((inout JSONScanner) throws(ScanFault) -> Void)? = nil
    ) throws(ScanFault) -> Object {
        var object = Object(index: scanner.index)
        try scanner.members { name, scanner throws(ScanFault) in
            switch (name, try scanner.next()) {
            case ("type", UInt8(ascii: "\"")): object.type = try scanner.string()
            case ("geometry", UInt8(ascii: "{")): object.geometry = try Self.geometry(&scanner)
            case ("properties", UInt8(ascii: "{")): object.properties = try Self.properties(&scanner)
            case ("features", _):
                if let features { try features(&scanner) } else { try scanner.skipValue() }
            case ("coordinates", _):
                object.coordinates = scanner.index
                try scanner.skipValue()
            default: try scanner.skipValue()
            }
        }
        return object
    }

    private static func geometry(_ scanner: inout JSONScanner) throws(ScanFault) -> Geometry {
        var geometry = Geometry()
        try scanner.members { name, scanner throws(ScanFault) in
            switch (name, try scanner.next()) {
            case ("type", UInt8(ascii: "\"")): geometry.type = try scanner.string()
            case ("coordinates", _):
                geometry.coordinates = scanner.index
                try scanner.skipValue()
            default: try scanner.skipValue()
            }
        }
        return geometry
    }

    private static func properties(_ scanner: inout JSONScanner) throws(ScanFault) -> [String: String] {
        var known: [String: String] = [:]
        try scanner.members { name, scanner throws(ScanFault) in
            guard properties.contains(name), try scanner.next() == UInt8(ascii: "\"") else {
                return try scanner.skipValue()
            }
            let index = scanner.index
            known[name] = try scanner.string()
            guard known[name]?.utf8.count ?? 0 <= PostBody.textBytesMax else {
                throw ScanFault(.tooManyBytes(max: PostBody.textBytesMax), at: index)
            }
        }
        return known
    }

    private func add(_ object: Object, to file: inout PointFile) throws(ScanFault) {
        let geometry: Geometry
        switch object.type {
        case "Feature": geometry = object.geometry ?? Geometry()
        case "Point": geometry = Geometry(type: "Point", coordinates: object.coordinates)
        case .some(let type) where Self.geometries.contains(type): geometry = Geometry()
        default: throw ScanFault(.otherFormat, at: object.index)
        }
        guard geometry.type == "Point" else {
            file.others += 1
            return
        }
        func first(_ names: [String]) -> String {
            names.lazy.compactMap { object.properties[$0] }.first { !$0.isEmpty } ?? ""
        }
        // GeoJSON has no form for times; what is none is left out.
        let time = Self.times.lazy.compactMap { object.properties[$0].flatMap { RFC3339.read($0) } }
            .first { PostBody.writtenRange.contains($0.milliseconds) }
        try file.add(
            try coordinate(at: geometry.coordinates ?? object.index), name: first(Self.names),
            description: first(Self.descriptions), placeName: object.properties[Self.placeName] ?? "", written: time,
            noun: "Point", at: object.index)
    }

    /// Longitude, latitude and perhaps an altitude.
    private func coordinate(at index: Int) throws(ScanFault) -> Coordinate {
        var scanner = JSONScanner(bytes, from: index)
        var numbers: [Double] = []
        do throws(ScanFault) {
            try scanner.elements { scanner throws(ScanFault) in
                let number = try scanner.number()
                if numbers.count < 4 { numbers.append(number) }
            }
        } catch {
            throw ScanFault(.coordinates, at: index)
        }
        guard numbers.count >= 2, let coordinate = Coordinate(latitude: numbers[1], longitude: numbers[0]) else {
            throw ScanFault(.coordinates, at: index)
        }
        return coordinate
    }
}
