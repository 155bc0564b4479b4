import LatticeAPI
package import LatticeCore
package import LatticeGeo

package enum ControlTopic: String, Codable, CaseIterable, Sendable {
    /// Lines in rooms, and private messages.
    case messages
    /// Private messages only.
    case `private`
    /// Peers that come and go, links, names, marks.
    case peers
    /// Posts and events near this person's place, or near another place.
    case posts
    case sync
    case notices
    /// What a client has to fetch again: new posts and events from anywhere, changed items, and own items that have reached
    /// another peer.
    case changes
}

/// The parameters of `subscribe`: all topics where none is named.
package struct ControlSubscription: Hashable, Sendable, Codable {
    private enum Field: String, CodingKey {
        case topics
        case rooms
        case near
    }

    package struct Circle: Hashable, Sendable, Codable {
        private enum Field: String, CodingKey {
            case centre
            case radius
        }

        package let centre: Coordinate
        /// Metres, 1–100,000.
        package let radius: Double

        package init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: Field.self)
            centre = try fields.decode(Coordinate.self, forKey: .centre)
            radius = try fields.decodeIfPresent(Double.self, forKey: .radius) ?? PostLimit.radius
            guard (1...PostLimit.searchMax).contains(radius) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .radius, in: fields,
                    debugDescription: "a radius is 1 to \(Int(PostLimit.searchMax)) metres")
            }
        }

        func contains(_ place: Coordinate) -> Bool { centre.distance(to: place) <= radius }
    }

    package let topics: Set<ControlTopic>
    /// Lines in these rooms only; `nil` is every room and private messages.
    package let rooms: Set<RoomName>?
    /// Posts in this circle only; `nil` is near this person's place.
    package let near: Circle?

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        let names = try fields.decodeIfPresent([String].self, forKey: .topics) ?? ControlTopic.allCases.map(\.rawValue)
        topics = Set(
            try names.map { name in
                guard let topic = ControlTopic(rawValue: name) else {
                    let known = ControlTopic.allCases.map(\.rawValue).joined(separator: ", ")
                    throw DecodingError.dataCorruptedError(
                        forKey: .topics, in: fields, debugDescription: "unknown topic; use \(known)")
                }
                return topic
            })
        let rooms = try fields.decodeIfPresent([RoomName].self, forKey: .rooms)
        guard (rooms?.count ?? 0) <= ControlLimit.roomsMax else {
            throw DecodingError.dataCorruptedError(
                forKey: .rooms, in: fields, debugDescription: "name at most \(ControlLimit.roomsMax) rooms")
        }
        self.rooms = rooms.map { Set($0) }
        near = try fields.decodeIfPresent(Circle.self, forKey: .near)
    }

    /// `looksAt` decides about items near another place.
    func wants(_ event: NodeEvent) -> Bool {
        switch event {
        case .message(let message): topics.contains(.messages) && rooms?.contains(message.room) ?? true
        case .lineChanged(let change): topics.contains(.messages) && rooms?.contains(change.line.room) ?? true
        case .pinned(let change): topics.contains(.messages) && rooms?.contains(change.room) ?? true
        case .read(let count):
            if case .room(let room) = count.conversation, let rooms {
                topics.contains(.messages) && rooms.contains(room)
            } else {
                topics.contains(.messages) && rooms == nil
            }
        case .privateMessage, .privateMessageChanged, .privateProgress:
            topics.contains(.private) || topics.contains(.messages) && rooms == nil
        case .peer, .presence, .invitation, .nameClash, .renamed, .contactMarks: topics.contains(.peers)
        case .posted: topics.contains(.posts) && near == nil
        case .sync: topics.contains(.sync)
        case .notice, .room: topics.contains(.notices)
        case .ready, .missed, .me: true
        case .placed, .changed, .sent, .notification, .notificationsSeen, .urgentDismissed: topics.contains(.changes)
        }
    }

    /// The centre of the circle if the item lies within it.
    func looksAt(_ placed: PlacedItem) -> Coordinate? {
        guard topics.contains(.posts), let near, near.contains(placed.place) else { return nil }
        return near.centre
    }
}
