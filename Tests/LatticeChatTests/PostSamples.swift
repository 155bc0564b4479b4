import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeGeo

/// Posts, comments and events for the tests of posts.
enum PostSamples {
    static let now = Samples.at
    /// City Hall, New York.
    static let centre = place(40.7128, -74.0060)

    static func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
        guard let place = Coordinate(latitude: latitude, longitude: longitude) else {
            preconditionFailure("samples lie on the globe")
        }
        return place
    }

    static func record(_ number: UInt8) -> RecordID {
        guard let hash = Bytes32([number] + [UInt8](repeating: 0, count: 31)) else {
            preconditionFailure("32 bytes are 32 bytes")
        }
        return RecordID(hash)
    }

    static func item(
        _ number: UInt8, _ text: String?, kind: ItemInfo.Kind = .post, state: ItemInfo.State = .shown,
        author rank: UInt8 = 2, name: String = "bob", secondsAgo: Int64 = 200
    ) -> ItemInfo {
        let at = WallTime(milliseconds: now.milliseconds - secondsAgo * 1_000)
        var item = ItemInfo(
            id: record(number), short: String(record(number).hex.prefix(6)), kind: kind, state: state,
            author: Samples.peer(rank), authorName: name, at: at,
            expires: WallTime(milliseconds: at.milliseconds + 2_592_000_000))
        item.text = text
        return item
    }

    /// A post at this distance in metres from the middle.
    static func post(
        _ number: UInt8, _ text: String?, metres: Double, bearing: Double, state: ItemInfo.State = .shown,
        secondsAgo: Int64 = 200
    ) -> ItemInfo {
        var item = item(number, text, state: state, secondsAgo: secondsAgo)
        item.place = centre.destination(bearing: bearing, distance: metres)
        item.metres = metres
        item.bearing = bearing
        return item
    }

    /// From 2026-12-01 18:00 to 22:00 in Greenwich.
    static func event(_ number: UInt8 = 9, text: String? = "Bring a chair", title: String = "Concert") -> ItemInfo {
        var event = post(number, text, metres: 640, bearing: 90)
        event.kind = .event
        event.title = title
        event.placeName = "Bandshell"
        event.starts = WallTime(milliseconds: 1_796_148_000_000)
        event.ends = WallTime(milliseconds: 1_796_162_400_000)
        event.attendees = 3
        return event
    }

    static func person(_ rank: UInt8, _ name: String?) -> PersonInfo {
        PersonInfo(id: Samples.peer(rank), name: name)
    }

    static let pipe = CommandContext(now: now)
    static let terminal = CommandContext(now: now, columns: 40, isTerminal: true)
}
