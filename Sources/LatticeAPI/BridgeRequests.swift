package import LatticeCore

// Programs that copy records between this node and a broker, and how they are doing.

/// How a bridge is doing, as it says itself.
package struct BridgeReport: Hashable, Sendable, Codable {
    /// Characters of an address, or of the words for what is in the way.
    package static let charactersMax = 500
    /// Sums of a few fit into 64 bits, and each into JSON's numbers.
    package static let countMax = 1 << 53

    /// What keeps records from crossing.
    package struct Obstacle: Hashable, Sendable, Codable {
        package enum Code: String, Hashable, Sendable, CodedAsWord {
            /// The broker does not answer: the bridge tries again.
            case unreachable
            /// The broker rejects the login or a certificate, or a permission is missing.
            case refused
            /// Something at the broker has settings with which records would be lost or doubled.
            case settings
            /// The broker has no space.
            case full
            /// The node's store cannot be written now, or too much came at once.
            case nodeBusy
            case other
        }

        package let code: Code
        /// One sentence without a full stop; not yet made safe for a screen.
        package let words: String

        /// - Parameter words: only their beginning if they are long.
        package init(_ code: Code, _ words: String) {
            (self.code, self.words) = (code, String(words.prefix(BridgeReport.charactersMax)))
        }
    }

    /// What the node answered about records of the broker.
    package struct Taken: Hashable, Sendable, Codable {
        package var added: Int
        package var known: Int
        package var expired: Int
        package var refused: Int

        package init(added: Int = 0, known: Int = 0, expired: Int = 0, refused: Int = 0) {
            (self.added, self.known, self.expired, self.refused) = (added, known, expired, refused)
        }

        package init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            (added, known) = (try fields.count(.added) ?? 0, try fields.count(.known) ?? 0)
            (expired, refused) = (try fields.count(.expired) ?? 0, try fields.count(.refused) ?? 0)
        }
    }

    /// What the broker answered about records of the node.
    package struct Published: Hashable, Sendable, Codable {
        package var stored: Int
        package var known: Int
        /// Published again because the broker had not answered, or had no space.
        package var repeated: Int

        package init(stored: Int = 0, known: Int = 0, repeated: Int = 0) {
            (self.stored, self.known, self.repeated) = (stored, known, repeated)
        }

        package init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            (stored, known) = (try fields.count(.stored) ?? 0, try fields.count(.known) ?? 0)
            repeated = try fields.count(.repeated) ?? 0
        }
    }

    /// What the records cross over.
    package var engine: BridgeEngine
    /// The address of the broker, without secrets; not yet made safe for a screen.
    package var broker: String?
    /// When the bridge was started; the counts begin then.
    package var startedAt: WallTime?
    @CodedFlag package var isConnected: Bool
    /// Since when the broker is not reachable; absent while it is.
    package var lostAt: WallTime?
    /// What keeps records from coming in.
    package var obstacleIn: Obstacle?
    /// What keeps records from going out.
    package var obstacleOut: Obstacle?
    /// Records at the broker that the node has not seen yet; absent if that is unknown.
    package var behindIn: Int?
    /// The feed that the bridge reads: the node counts what is left in it.
    package var feed: Int?
    /// Records that may cross and are not at the broker yet; absent if that is unknown.
    package var behindOut: Int?
    /// There may be more than `behindOut`, which took too long to count.
    @CodedFlag package var isMoreBehindOut: Bool
    package var taken = Taken()
    package var published = Published()
    /// How far this machine's clock is ahead of the broker's; negative if it is behind; absent if that is unknown.
    @InSeconds package var clockAhead: Duration?
    /// Both sides have everything that may cross.
    @CodedFlag package var isComplete: Bool

    package init(_ engine: BridgeEngine, broker: String? = nil, isConnected: Bool = false, isComplete: Bool = false) {
        (self.engine, self.isConnected, self.isComplete) = (engine, isConnected, isComplete)
        self.broker = broker.map { String($0.prefix(Self.charactersMax)) }
        isMoreBehindOut = false
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func obstacle(_ key: CodingKeys) throws -> Obstacle? {
            try fields.decodeIfPresent(Obstacle.self, forKey: key).map { Obstacle($0.code, $0.words) }
        }
        self.init(
            try fields.decode(BridgeEngine.self, forKey: .engine),
            broker: try fields.decodeIfPresent(String.self, forKey: .broker),
            isConnected: try fields.decode(CodedFlag.self, forKey: .isConnected).wrappedValue,
            isComplete: try fields.decode(CodedFlag.self, forKey: .isComplete).wrappedValue)
        startedAt = try fields.decodeIfPresent(WallTime.self, forKey: .startedAt)
        lostAt = try fields.decodeIfPresent(WallTime.self, forKey: .lostAt)
        (obstacleIn, obstacleOut) = (try obstacle(.obstacleIn), try obstacle(.obstacleOut))
        (behindIn, feed, behindOut) = (
            try fields.count(.behindIn), try fields.count(.feed), try fields.count(.behindOut)
        )
        isMoreBehindOut = try fields.decode(CodedFlag.self, forKey: .isMoreBehindOut).wrappedValue
        taken = try fields.decodeIfPresent(Taken.self, forKey: .taken) ?? Taken()
        published = try fields.decodeIfPresent(Published.self, forKey: .published) ?? Published()
        clockAhead = try fields.decode(InSeconds.self, forKey: .clockAhead).wrappedValue
    }

    private enum CodingKeys: String, CodingKey {
        case engine, broker, startedAt, isConnected, lostAt, obstacleIn, obstacleOut
        case behindIn, feed, behindOut, isMoreBehindOut, taken, published, clockAhead, isComplete
    }
}

extension KeyedDecodingContainer {
    /// - Returns: `nil` if the field is `null` or missing.
    fileprivate func count(_ key: Key) throws -> Int? {
        try count(in: 0...BridgeReport.countMax, forKey: key, "\(key.stringValue) is a count")
    }
}

/// What records cross over: `nats`, `mqtt`, or another word.
package struct BridgeEngine: Hashable, Sendable, CodedAsText {
    package let codedText: String

    package init(codedText: String) throws {
        guard codedText.wholeMatch(of: #/[a-z][a-z0-9-]{0,15}/#) != nil else {
            throw TextFault("an engine is a word of at most 16 letters, digits and hyphens, such as nats")
        }
        self.codedText = codedText
    }

    package init(_ via: RecordVia) { codedText = via.rawValue }
}

/// A bridge says how it is doing: when something changes, and at least every 10 seconds. The node keeps the newest report of
/// each engine and connection, and forgets it with the connection or after `secondsMax`.
package struct ReportBridge: Request {
    package static let name = "bridge.report"
    package static let replyName = "done"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = Done

    package static let secondsMax = 30

    package let report: BridgeReport
    /// The connection on which it came, which the node's side of it fills in; 0 for a caller without one.
    package let connection: UInt64

    package init(_ report: BridgeReport, connection: UInt64 = 0) {
        (self.report, self.connection) = (report, connection)
    }

    package init(from decoder: any Decoder) throws {
        self.init(try BridgeReport(from: decoder))
    }

    package func encode(to encoder: any Encoder) throws {
        try report.encode(to: encoder)
    }
}

/// Nothing reports on this connection any more: the node forgets what did.
package struct EndBridgeReports: Request {
    package static let name = "bridge.reportEnd"
    package static let replyName = "done"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = Done

    /// As of `ReportBridge`.
    package let connection: UInt64

    package init(connection: UInt64 = 0) { self.connection = connection }

    package init(from decoder: any Decoder) throws { self.init() }

    package func encode(to encoder: any Encoder) throws {
        _ = encoder.container(keyedBy: NoFields.self)
    }

    private enum NoFields: CodingKey {}
}

/// The bridges that run beside this node, by their newest reports.
package struct ShowBridges: Request {
    package static let name = "bridge.status"
    package static let replyName = "bridge.status"
    package static let traits: RequestTraits = [.repeatable]

    package init() {}

    package struct Reply: Hashable, Codable, Sendable {
        /// In the order in which they came.
        package let bridges: [BridgeReport]
        /// Somebody whose records are here lets something cross.
        package let isCrossing: Bool

        package init(_ bridges: [BridgeReport], isCrossing: Bool) {
            (self.bridges, self.isCrossing) = (bridges, isCrossing)
        }
    }
}
