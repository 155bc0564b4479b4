public import FoundationEssentials
import LatticeAPI
import LatticeCore
import LatticeGeo

/// The id of a kept record: the hash of all its bytes. Its text is 64 hexadecimal digits.
public struct RecordID: Hashable, LosslessStringConvertible, Sendable {
    let core: LatticeCore.RecordID

    init(_ core: LatticeCore.RecordID) {
        self.core = core
    }

    /// - Parameter description: 64 hexadecimal digits.
    /// - Returns: `nil` for any other text.
    public init?(_ description: String) {
        guard let core = LatticeCore.RecordID(hex: description) else { return nil }
        self.core = core
    }

    /// 64 hexadecimal digits, in lower case.
    public var description: String { core.hex }
}

/// A point on the globe, WGS 84.
public struct Place: Hashable, Sendable {
    let core: Coordinate

    init(_ core: Coordinate) {
        self.core = core
    }

    /// - Parameters:
    ///   - latitude: degrees, −90…90; north is positive.
    ///   - longitude: degrees, −180…180; east is positive.
    /// - Returns: `nil` for a number outside its range, or one that is not finite. The rest is rounded to 10⁻⁷ degrees.
    public init?(latitude: Double, longitude: Double) {
        guard let core = Coordinate(latitude: latitude, longitude: longitude) else { return nil }
        self.core = core
    }

    /// Degrees, −90…90; north is positive.
    public var latitude: Double { core.latitude }
    /// Degrees, −180 ..< 180; east is positive.
    public var longitude: Double { core.longitude }

    /// The shorter side of a cell of a geohash in metres, at the equator, by characters from 1 on.
    private static let cellMetres: [Double] = [
        4_992_000, 624_000, 156_000, 19_500, 4_870, 609, 152, 19, 4.7, 0.59, 0.14, 0.018,
    ]

    /// - Returns: the most characters of a geohash whose cells are at least that large.
    static func blurCharacters(metres: Int) -> Int? {
        metres > 0 ? max(1, cellMetres.lastIndex { $0 >= Double(metres) }.map { $0 + 1 } ?? 1) : nil
    }
}

/// What somebody said in a room.
public struct Line: Identifiable, Hashable, Sendable {
    /// The record.
    public let id: RecordID
    /// Who said it, by their signature.
    public let peer: Peer
    /// The room, with its `#`.
    public let room: String
    /// What was said, 1–4,096 bytes; empty if its author deleted it.
    public let text: String
    /// When it was said, as its author's clock had it, but not later than it came.
    public let date: Date

    init(_ line: Message) {
        (id, room, text) = (RecordID(line.record), line.room.text, line.text)
        peer = Peer(line.from, name: line.name.text)
        date = Date(line.at)
    }
}

/// What somebody left at a place.
public struct Post: Identifiable, Hashable, Sendable {
    /// The record.
    public let id: RecordID
    /// Who left it, by their signature.
    public let peer: Peer
    /// What they wrote, 1–4,096 bytes; `nil` if its author lets only those read it who are near.
    public let text: String?
    /// Where, as exact as its author said.
    public let place: Place
    /// Metres from the place that was asked for; `nil` in ``Records/Event/post(_:)``.
    public let metres: Double?
    /// When it was left.
    public let date: Date
    /// When it is forgotten.
    public let expires: Date

    init?(_ item: ItemInfo, hasDistance: Bool) {
        guard item.kind == .post, item.state == .shown || item.state == .tooFar, let place = item.place else {
            return nil
        }
        (id, text) = (RecordID(item.id), item.text)
        peer = Peer(item.author, name: item.authorName)
        self.place = Place(place)
        metres = hasDistance ? item.metres : nil
        (date, expires) = (Date(item.at), Date(item.expires))
    }
}

extension Date {
    fileprivate init(_ time: WallTime) {
        self.init(timeIntervalSince1970: Double(time.milliseconds) / 1_000)
    }
}
