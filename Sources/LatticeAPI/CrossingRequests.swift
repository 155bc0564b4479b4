package import LatticeCore

// What of a persona's may cross bridges to other networks. Nothing crosses unless its author has said so.

package struct Crossing: Hashable, Sendable, Codable {
    package static let roomsMax = 64

    /// Whether anything crosses: posts, comments, the profile, private messages, and all else that is in no room.
    package let allows: Bool
    /// Public rooms whose lines cross as well, sorted.
    @OrNone package private(set) var rooms: [RoomName]
    /// When this was said; absent if it never was, or has expired.
    package let at: WallTime?
    /// Until when it holds; then nothing crosses.
    package let until: WallTime?

    /// - Parameter rooms: `nil` if nothing crosses.
    package init(rooms: [RoomName]? = nil, at: WallTime? = nil, until: WallTime? = nil) {
        (allows, self.at, self.until) = (rooms != nil, at, until)
        _rooms = OrNone(wrappedValue: rooms ?? [])
    }
}

/// What of this persona's may cross.
package struct ShowCrossing: Request {
    package static let name = "bridge.crossing"
    package static let replyName = "bridge.crossing"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = Crossing

    package init() {}
}

/// Says what of this persona's may cross from now on, in place of what was said before. It is signed for everybody to read, and
/// holds for a year.
///
/// - Throws: `invalid` for too many rooms and for a private one.
package struct SetCrossing: Request {
    package static let name = "bridge.setCrossing"
    package static let replyName = "bridge.crossing"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = Crossing

    package let allows: Bool
    /// Public rooms, in any order.
    @OrNone package private(set) var rooms: [RoomName]

    /// - Parameter rooms: `nil` if nothing crosses.
    package init(rooms: [RoomName]?) {
        allows = rooms != nil
        _rooms = OrNone(wrappedValue: rooms ?? [])
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let allows = try fields.decode(Bool.self, forKey: .allows)
        let rooms = try fields.decode(OrNone<RoomName>.self, forKey: .rooms).wrappedValue
        guard allows || rooms.isEmpty else { throw TextFault("name rooms only with allows: true") }
        self.init(rooms: allows ? rooms : nil)
    }
}
