import LatticeAPI
import LatticeCore
import LatticeGeo
import LatticeWire

/// The waypoints of a GPX document.
struct GPXPoints {
    private struct Waypoint {
        let coordinate: Coordinate
        /// Where it begins.
        let index: Int
        var fields: [String: String] = [:]
        var written: WallTime?
    }

    /// Children of a waypoint.
    private static let fields: Set<String> = ["name", "desc", "cmt", "time"]

    private var scanner: XMLScanner
    private var depth = 0
    /// Whether this program wrote it: then the comment is the name of the place.
    private var isOurs = false
    private var waypoint: Waypoint?
    private var field: (name: String, text: String)?

    private init(_ bytes: [UInt8], from start: Int) {
        scanner = XMLScanner(bytes, from: start)
    }

    static func read(_ bytes: [UInt8], from start: Int, into file: inout PointFile) throws(ScanFault) {
        var points = GPXPoints(bytes, from: start)
        while true {
            let index = points.scanner.index
            switch try points.scanner.next() {
            case .start(let name, let attributes): try points.start(name, attributes, at: index, &file)
            case .text(let text): try points.text(text, at: index)
            case .end: try points.end(at: index, &file)
            case .finished: return
            }
        }
    }

    private mutating func start(
        _ name: String, _ attributes: [String: String], at index: Int, _ file: inout PointFile
    ) throws(ScanFault) {
        depth += 1
        switch (depth, name) {
        case (1, "gpx"): isOurs = attributes["creator"] == "lattice"
        case (1, _): throw ScanFault(.otherFormat, at: index)
        case (2, "wpt"):
            guard let latitude = Self.degrees(attributes["lat"]), let longitude = Self.degrees(attributes["lon"]),
                let coordinate = Coordinate(latitude: latitude, longitude: longitude)
            else { throw ScanFault(.coordinates, at: index) }
            waypoint = Waypoint(coordinate: coordinate, index: index)
        case (2, "trk"), (2, "rte"): file.others += 1
        case (3, _):
            guard waypoint != nil, Self.fields.contains(name) else { return }
            guard waypoint?.fields[name] == nil else {
                throw ScanFault(.malformed(reason: "a waypoint has two of '\(name)'"), at: index)
            }
            field = (name, "")
        default: return
        }
    }

    private mutating func text(_ text: String, at index: Int) throws(ScanFault) {
        guard depth == 3, let before = field else { return }
        guard before.text.utf8.count + text.utf8.count <= PostBody.textBytesMax else {
            throw ScanFault(.tooManyBytes(max: PostBody.textBytesMax), at: index)
        }
        field?.text += text
    }

    private mutating func end(at index: Int, _ file: inout PointFile) throws(ScanFault) {
        if depth == 3, let field {
            waypoint?.fields[field.name] = field.text
            if field.name == "time" { waypoint?.written = try Self.time(field.text, at: index) }
            self.field = nil
        } else if depth == 2, let waypoint {
            let fields = waypoint.fields
            try file.add(
                waypoint.coordinate, name: fields["name"] ?? "",
                description: fields["desc"] ?? (isOurs ? "" : fields["cmt"] ?? ""),
                placeName: isOurs ? fields["cmt"] ?? "" : "", written: waypoint.written, noun: "Waypoint",
                at: waypoint.index)
            self.waypoint = nil
        }
        depth -= 1
    }

    /// A decimal number, as in XML Schema: neither an exponent nor a word.
    private static func degrees(_ text: String?) -> Double? {
        let text = text?.trimmingSpace ?? ""
        guard text.utf8.count <= 32,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0) })
        else { return nil }
        return Double(text)
    }

    /// A time without a zone is UTC, as GPX says.
    private static func time(_ text: String, at index: Int) throws(ScanFault) -> WallTime {
        let text = text.trimmingSpace
        guard let time = RFC3339.read(text) ?? RFC3339.read("\(text)Z"),
            PostBody.writtenRange.contains(time.milliseconds)
        else { throw ScanFault(.time, at: index) }
        return time
    }
}

extension String {
    fileprivate var trimmingSpace: String {
        let bytes = utf8.drop(while: PointFile.isSpace)
        let end = bytes.lastIndex { !PointFile.isSpace($0) }.map { bytes.index(after: $0) } ?? bytes.startIndex
        return String(decoding: bytes[..<end], as: UTF8.self)
    }
}
