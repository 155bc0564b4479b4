package import LatticeAPI
package import LatticeCore
package import LatticeGeo
import LatticeStore
import LatticeWire

/// The points of a file: waypoints of GPX 1.1 or 1.0, or points of GeoJSON (RFC 7946).
package struct PointFile: Equatable {
    package struct Point: Equatable {
        package let coordinate: Coordinate
        /// Not empty.
        package let words: String
        package var placeName = ""
        /// As the file says.
        package var written: WallTime?
    }

    static let bytesMax = 16 << 20
    static let pointsMax = DraftTable.draftsMax
    /// Levels of elements, lists and objects in each other.
    static let depthMax = 64

    package private(set) var points: [Point] = []
    /// What is no point: tracks, routes, lines and areas.
    var others = 0
    private var namelessCount = 0

    private init() {}

    /// Reads a whole file in time that grows with its length.
    package init(_ bytes: [UInt8]) throws(PointFault) {
        guard bytes.count <= Self.bytesMax else {
            throw PointFault(.tooLarge(bytesMax: Self.bytesMax), line: 1)
        }
        try Self.checkUTF8(bytes)
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = bytes.starts(with: mark) ? mark.count : 0
        var file = PointFile()
        do throws(ScanFault) {
            switch bytes[start...].first(where: { !Self.isSpace($0) }) {
            case UInt8(ascii: "<"): try GPXPoints.read(bytes, from: start, into: &file)
            case UInt8(ascii: "{"): try GeoJSONPoints.read(bytes, from: start, into: &file)
            default: throw ScanFault(.otherFormat, at: start)
            }
        } catch {
            throw PointFault(error.problem, line: 1 + bytes[..<error.index].count { $0 == UInt8(ascii: "\n") })
        }
        self = file
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    private static func checkUTF8(_ bytes: [UInt8]) throws(PointFault) {
        guard String(validating: bytes, as: UTF8.self) == nil else { return }
        // A file may be one line, or lines alone.
        var (line, rest) = (1, bytes[...])
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            guard String(validating: rest[..<end], as: UTF8.self) != nil else { break }
            line += 1
            rest = rest[(end + 1)...]
        }
        throw PointFault(.notUTF8, line: line)
    }

    /// - Parameters:
    ///   - index: where it stands in the file.
    ///   - noun: what it is called if it has no words.
    mutating func add(
        _ coordinate: Coordinate, name: String, description: String, placeName: String, written: WallTime?,
        noun: String, at index: Int
    ) throws(ScanFault) {
        guard points.count < Self.pointsMax else {
            throw ScanFault(.tooManyPoints(max: Self.pointsMax), at: index)
        }
        var words = Self.words(name, description)
        if words.isEmpty {
            namelessCount += 1
            words = "\(noun) \(namelessCount)"
        }
        let place = PostRules.tidied(placeName)
        guard words.utf8.count <= PostBody.textBytesMax else {
            throw ScanFault(.tooManyBytes(max: PostBody.textBytesMax), at: index)
        }
        guard place.utf8.count <= PostBody.placeNameBytesMax else {
            throw ScanFault(.tooManyBytes(max: PostBody.placeNameBytesMax), at: index)
        }
        points.append(Point(coordinate: coordinate, words: words, placeName: place, written: written))
    }

    /// `Kitchen: hot soup`; the description alone if it begins with the name, as in what we export.
    private static func words(_ name: String, _ description: String) -> String {
        let (name, text) = (PostRules.tidied(name), PostRules.tidied(description))
        guard !name.isEmpty, !text.isEmpty else { return name + text }
        let head = name.hasSuffix("…") ? name.dropLast() : name[...]
        return text.hasPrefix(head) || DisplayText.safe(text).hasPrefix(head) ? text : "\(name): \(text)"
    }
}

/// What is wrong with a file of points, and in which line.
package struct PointFault: Error, Equatable {
    package let problem: RequestError.PointProblem
    package let line: Int

    init(_ problem: RequestError.PointProblem, line: Int) { (self.problem, self.line) = (problem, line) }
}

/// The same, while the lines are not counted.
struct ScanFault: Error {
    let problem: RequestError.PointProblem
    let index: Int

    init(_ problem: RequestError.PointProblem, at index: Int) { (self.problem, self.index) = (problem, index) }
}

extension PersonaDesk {
    /// Drafts of all points in a file, or none.
    func importDrafts(_ path: String, at now: WallTime) async throws(RequestError) -> ImportDrafts.Reply {
        let bytes = try Self.bytes(at: path)
        let file: PointFile
        do throws(PointFault) {
            file = try PointFile(bytes)
        } catch let fault {
            throw .badPoints(problem: fault.problem, line: fault.line)
        }
        let name = try await reader.authorName()
        let drafts = file.points.map { point in
            NewDraft(
                PostBody(name: name, place: Place(point.coordinate), text: point.words, placeName: point.placeName),
                written: point.written ?? now)
        }
        guard !drafts.isEmpty else { return ImportDrafts.Reply([], others: file.others) }
        return ImportDrafts.Reply(try await keep(drafts).map { DraftInfo($0) }, others: file.others)
    }

    /// One byte more than the limit, if there are more.
    private static func bytes(at path: String) throws(RequestError) -> [UInt8] {
        var file = try BundleFile(reading: path)
        var bytes: [UInt8] = []
        while bytes.count <= PointFile.bytesMax {
            let piece = try file.read()
            if piece.isEmpty { break }
            bytes += piece
        }
        return bytes
    }
}
