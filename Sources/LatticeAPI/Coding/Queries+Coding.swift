import LatticeCore
import LatticeGeo

// Fields that a program leaves out get the values a front would have sent.

extension PageRequest {
    private enum Field: String, CodingKey {
        case limit
        case after
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        self.init(
            limit: try fields.count(
                in: PostLimit.pageSizeRange, forKey: .limit,
                "a page has 1 to \(PostLimit.pageSizeRange.upperBound) entries") ?? PostLimit.pageSize,
            after: try fields.decodeIfPresent(PageCursor.self, forKey: .after))
    }
}

extension NearQuery {
    private enum Field: String, CodingKey {
        case what
        case centre
        case reader
        case radius
        case within
        case since
        case order
        case page
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        self.init(
            try fields.decodeIfPresent(What.self, forKey: .what) ?? .posts,
            centre: try fields.decodeIfPresent(Coordinate.self, forKey: .centre),
            reader: try fields.decodeIfPresent(Coordinate.self, forKey: .reader),
            radius: try fields.decodeIfPresent(Double.self, forKey: .radius) ?? PostLimit.radius,
            within: try fields.decodeIfPresent(Double.self, forKey: .within),
            since: try fields.decodeIfPresent(WallTime.self, forKey: .since),
            order: try fields.decodeIfPresent(Order.self, forKey: .order),
            page: try fields.decodeIfPresent(PageRequest.self, forKey: .page) ?? PageRequest())
    }
}

extension SearchQuery {
    private enum Field: String, CodingKey {
        case words
        case near
        case radius
        case page
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        self.init(
            words: try fields.decode(String.self, forKey: .words),
            near: try fields.decodeIfPresent(Coordinate.self, forKey: .near),
            radius: try fields.decodeIfPresent(Double.self, forKey: .radius) ?? PostLimit.radius,
            page: try fields.decodeIfPresent(PageRequest.self, forKey: .page) ?? PageRequest())
    }
}

extension RetentionRule {
    private enum Field: String, CodingKey {
        case groups
        case rooms
        case days
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        let rooms = try fields.decodeIfPresent([RoomName].self, forKey: .rooms)
        guard (rooms?.count ?? 0) <= Self.roomsMax else {
            throw DecodingError.dataCorruptedError(
                forKey: .rooms, in: fields, debugDescription: "at most \(Self.roomsMax) rooms can be chosen")
        }
        self.init(
            groups: try fields.decodeIfPresent(Set<Group>.self, forKey: .groups), rooms: rooms,
            days: try fields.count(
                in: Self.daysRange, forKey: .days,
                "days are from \(Self.daysRange.lowerBound) to \(Self.daysRange.upperBound)"))
    }
}
