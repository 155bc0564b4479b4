package import LatticeCore
package import LatticeGeo

// The feed of the store: `records.subscribe` opens one, and from then on the connection gets `RecordBatch`es.

/// Opens a feed, which ends with the connection.
package struct RecordsSubscribe: Request {
    package static let name = "records.subscribe"
    package static let replyName = "records.subscribed"

    package static let windowMax = 4_096
    package static let windowUsual = 1_024
    package static let kindsMax = 64
    package static let roomsMax = 64

    package struct Circle: Hashable, Codable, Sendable {
        package let centre: Coordinate
        /// Metres, 1–100,000.
        package let radius: Double

        package init(centre: Coordinate, radius: Double) {
            (self.centre, self.radius) = (centre, radius)
        }

        package init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                centre: try fields.decode(Coordinate.self, forKey: .centre),
                radius: try fields.decode(Double.self, forKey: .radius))
            guard (1...PostLimit.searchMax).contains(radius) else {
                throw TextFault("a radius is 1 to \(Int(PostLimit.searchMax)) metres")
            }
        }
    }

    /// `nil` begins with the oldest record.
    package let after: FeedPosition?
    /// Kinds of records; `nil` is every kind.
    package let kinds: [UInt64]?
    /// Lines, and what is about them, come from these rooms only.
    package let rooms: [RoomName]?
    /// Posts, events and places, and what is about them, come from inside this circle only.
    package let near: Circle?
    /// Not what came over this network.
    package let notVia: RecordVia?
    /// Only what its author lets cross bridges, as it stands when it is read.
    @CodedFlag package private(set) var crossing: Bool
    /// How many records may be sent beyond the last that `RecordsTaken` named.
    package let window: Int

    package init(
        after: FeedPosition? = nil, kinds: [UInt64]? = nil, rooms: [RoomName]? = nil, near: Circle? = nil,
        notVia: RecordVia? = nil, crossing: Bool = false, window: Int = windowUsual
    ) {
        (self.after, self.kinds, self.rooms, self.near) = (after, kinds, rooms, near)
        (self.notVia, self.window) = (notVia, window)
        _crossing = CodedFlag(wrappedValue: crossing)
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let window = try fields.count(
            in: 1...Self.windowMax, forKey: .window, "a window is 1 to \(Self.windowMax) records")
        self.init(
            after: try fields.decodeIfPresent(FeedPosition.self, forKey: .after),
            kinds: try fields.decodeIfPresent([UInt64].self, forKey: .kinds),
            rooms: try fields.decodeIfPresent([RoomName].self, forKey: .rooms),
            near: try fields.decodeIfPresent(Circle.self, forKey: .near),
            notVia: try fields.decodeIfPresent(RecordVia.self, forKey: .notVia),
            crossing: try fields.decode(CodedFlag.self, forKey: .crossing).wrappedValue,
            window: window ?? Self.windowUsual)
        guard (kinds?.count ?? 0) <= Self.kindsMax else { throw TextFault("name at most \(Self.kindsMax) kinds") }
        guard (rooms?.count ?? 0) <= Self.roomsMax else { throw TextFault("name at most \(Self.roomsMax) rooms") }
    }

    package struct Reply: Hashable, Codable, Sendable {
        /// Its number at this node; never reused.
        package let feed: Int
        /// Where it begins.
        package let position: FeedPosition
        /// The end of the store now.
        package let top: FeedPosition

        package init(feed: Int, position: FeedPosition, top: FeedPosition) {
            (self.feed, self.position, self.top) = (feed, position, top)
        }
    }
}

/// The program has handled everything up to here: the node sends more.
package struct RecordsTaken: Request {
    package static let name = "records.taken"
    package static let replyName = "done"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = Done

    package let feed: Int
    package let position: FeedPosition

    package init(_ feed: Int, _ position: FeedPosition) {
        (self.feed, self.position) = (feed, position)
    }
}

/// Ends a feed. Has no effect on one that is over.
package struct RecordsEnd: Request {
    package static let name = "records.end"
    package static let replyName = "done"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = Done

    package let feed: Int

    package init(_ feed: Int) { self.feed = feed }
}

/// Records of a feed, in the order in which they were stored.
package struct RecordBatch: Hashable, Codable, Sendable {
    package struct Entry: Hashable, Codable, Sendable {
        package let id: RecordID
        /// The signed record.
        @Base64Bytes package private(set) var bytes: [UInt8]
        package let position: FeedPosition

        package init(_ id: RecordID, _ bytes: [UInt8], at position: FeedPosition) {
            (self.id, self.position) = (id, position)
            _bytes = Base64Bytes(wrappedValue: bytes)
        }
    }

    package let feed: Int
    package let records: [Entry]
    /// Everything up to here was read, whether it was wanted or not.
    package let position: FeedPosition
    /// The feed is at the end of the store.
    package let live: Bool

    package init(feed: Int, _ records: [Entry], position: FeedPosition, live: Bool) {
        (self.feed, self.records, self.position, self.live) = (feed, records, position, live)
    }
}

/// A node whose feeds a connection can follow.
package protocol FeedNode: Sendable {
    /// Waits until there are records that the window of this feed has space for.
    ///
    /// - Throws: `feed(.unknown)` once the feed has ended.
    func nextRecords(of feed: Int) async throws(RequestError) -> RecordBatch
}
