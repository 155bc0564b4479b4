package import LatticeCore
package import LatticeGeo

/// Something a front may want to show. What is large and rare is held apart: a line is handed on several times, and takes as much as the
/// largest case does.
package enum NodeEvent: Hashable, Sendable {
    /// The node listens and discovery has begun.
    case ready(Me)
    case peer(PeerChange)
    case presence(PresenceChange)
    case message(Message)
    /// Somebody said something to us alone, or we did in another process of ours.
    case privateMessage(PrivateMessage)
    case privateProgress(PrivateProgress)
    /// The policy is `ask` and this peer wants to link; answered by `AnswerInvitation`.
    case invitation(PeerID, PeerName, context: [UInt8])
    case notice(Notice)
    /// Somebody left a post or announced an event near where one is.
    indirect case posted(ItemInfo)
    /// How far this peer is with what others have and it lacks; told a few times a second while it changes.
    case sync(SyncProgress)
    /// The reader fell behind; this many events are not to be had any more.
    case missed(Int)
    /// Somebody goes by the name of somebody else: told once a key and start.
    indirect case nameClash(NameClash)
    /// A key that was known goes by another name than when it was here last.
    case renamed(PeerID, from: PeerName, to: PeerName)
    case standing(Standing)
    /// The persona's name or rooms were changed, by any front. A front that has just changed something asks `ShowMe`
    /// how it stands now: this may be older than the answer it got.
    case me(Me)
    /// A post or event came, wherever in the world it was left, or one left it oneself in any front: for whoever looks after other places than
    /// one's own.
    case placed(PlacedItem)
    /// Of a room, for whoever shares this node with others.
    case room(RoomEvent)
    /// Somebody liked, commented, changed or took back something that is here, or is another now; by others, or by oneself in any front.
    case changed(WallChanges)
    /// Posts, comments, events and lines of one's own that waited, and that somebody has now; `WallChanges.eachMax` at most at a time.
    case sent([RecordID])
}

/// Where an item is; the rest is asked for by `ShowItem`.
package struct PlacedItem: Hashable, Sendable, Codable {
    package let item: RecordID
    package let place: Coordinate

    package init(item: RecordID, place: Coordinate) {
        (self.item, self.place) = (item, place)
    }
}

/// Who this node is.
package struct Me: Hashable, Sendable, Codable {
    package var id: PeerID
    package var name: PeerName
    package var mesh: MeshName
    /// TCP, 1–65535.
    package var port: UInt16
    /// `system`, `embedded` or `off`: what finds peers right now.
    package var discovery: String
    package var rooms: [RoomName]
    /// Those of them, and others that were entered once, that only their members read.
    package var privateRooms: [RoomName]
    /// Whether only those who have its passphrase are in the mesh.
    package var isClosed: Bool

    package init(
        id: PeerID, name: PeerName, mesh: MeshName, port: UInt16, discovery: String, rooms: [RoomName],
        privateRooms: [RoomName] = [], isClosed: Bool = false
    ) {
        self.id = id
        self.name = name
        self.mesh = mesh
        self.port = port
        self.discovery = discovery
        self.rooms = rooms
        self.privateRooms = privateRooms
        self.isClosed = isClosed
    }

    /// What an earlier version did not tell of counts as open.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try fields.decode(PeerID.self, forKey: .id), name: try fields.decode(PeerName.self, forKey: .name),
            mesh: try fields.decode(MeshName.self, forKey: .mesh), port: try fields.decode(UInt16.self, forKey: .port),
            discovery: try fields.decode(String.self, forKey: .discovery),
            rooms: try fields.decode([RoomName].self, forKey: .rooms),
            privateRooms: try fields.decode([RoomName].self, forKey: .privateRooms),
            isClosed: try fields.decodeIfPresent(Bool.self, forKey: .isClosed) ?? false)
    }
}

/// The states of a link, as in MultipeerConnectivity.
package enum PeerState: String, Hashable, Sendable, Codable {
    case notConnected
    case connecting
    case connected
}

/// A neighbour's link came to another state.
package struct PeerChange: Hashable, Sendable, Codable {
    package let id: PeerID
    package let name: PeerName
    package let state: PeerState
    /// Why it is `notConnected`.
    package let reason: String?
    /// The link was given up for another and the peer is reached through others: nothing has happened to it.
    package let isRearranged: Bool
    private let brief: Bool?
    /// A command that runs for a moment: it is listed, and not announced.
    package var isBrief: Bool { brief ?? false }
    /// One of many strangers who come and go at once: it is listed, and counted in a notice instead of announced.
    @CodedFlag package private(set) var isSummedUp: Bool

    package init(
        id: PeerID, name: PeerName, state: PeerState, reason: String?, isRearranged: Bool = false,
        isBrief: Bool = false, isSummedUp: Bool = false
    ) {
        self.isSummedUp = isSummedUp
        self.id = id
        self.name = name
        self.state = state
        self.reason = reason
        self.isRearranged = isRearranged
        brief = isBrief ? true : nil
    }
}

/// Somebody in the mesh, over any number of hops, came, went, took another name or other rooms.
package struct PresenceChange: Hashable, Sendable, Codable {
    package let id: PeerID
    package let name: PeerName
    package let isHere: Bool
    package let rooms: [RoomName]
    package let hops: Int
    private let brief: Bool?
    /// As in `PeerChange`.
    package var isBrief: Bool { brief ?? false }
    /// As in `PeerChange`.
    @CodedFlag package private(set) var isSummedUp: Bool

    package init(
        id: PeerID, name: PeerName, isHere: Bool, rooms: [RoomName], hops: Int, isBrief: Bool = false,
        isSummedUp: Bool = false
    ) {
        self.isSummedUp = isSummedUp
        brief = isBrief ? true : nil
        self.id = id
        self.name = name
        self.isHere = isHere
        self.rooms = rooms
        self.hops = hops
    }
}

/// A line somebody said.
package struct Message: Hashable, Sendable, Codable {
    package let record: RecordID
    package let room: RoomName
    package let from: PeerID
    package let name: PeerName
    package let text: String
    package let style: SpeechStyle
    /// The earlier of when its author says it was said and when somebody had it first, as far as that is known.
    package let at: WallTime
    /// Links it travelled, 0 for what was said at this very node; `nil` where that is not known any more.
    package let hops: Int?
    /// It was said before, and came only now: from a neighbour that had kept it.
    package let isLate: Bool
    /// Only members of the room can read it.
    package let isPrivate: Bool
    /// No program answers it by itself.
    @CodedFlag package private(set) var isNotice: Bool

    package init(
        record: RecordID, room: RoomName, from: PeerID, name: PeerName, text: String, style: SpeechStyle,
        at: WallTime, hops: Int?, isLate: Bool = false, isPrivate: Bool = false, isNotice: Bool = false
    ) {
        self.isNotice = isNotice
        self.record = record
        self.room = room
        self.from = from
        self.name = name
        self.text = text
        self.style = style
        self.at = at
        self.hops = hops
        self.isLate = isLate
        self.isPrivate = isPrivate
    }
}

/// Something that went wrong or well around the conversation, in one sentence that says what to do.
package struct Notice: Hashable, Sendable, Codable {
    package enum Level: String, Hashable, Sendable, Codable {
        case information
        case problem
    }

    /// Stable, for programs: `noInterface`, `unreachable`, …
    package let code: String
    package let text: String
    package let level: Level

    package init(_ level: Level, code: String, _ text: String) {
        self.level = level
        self.code = code
        self.text = text
    }
}
