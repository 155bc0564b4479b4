package import LatticeCore
package import LatticeGeo

/// Something a front may want to show. Large, rare cases are `indirect`: a line is copied several times, and every value is
/// as large as the largest case.
package enum NodeEvent: Hashable, Sendable {
    /// The node listens and discovery has begun.
    case ready(Me)
    case peer(PeerChange)
    case presence(PresenceChange)
    case message(Message)
    /// A line of a room was edited or deleted, or somebody reacted to it.
    indirect case lineChanged(LineChange)
    /// Somebody pinned a line or a text in a room of this persona, or removed their pin.
    indirect case pinned(PinChange)
    /// Somebody sent us a private message, or another process of ours sent one.
    indirect case privateMessage(PrivateMessage)
    case privateProgress(PrivateProgress)
    /// A private message was edited or deleted, or one of the two people reacted to it.
    indirect case privateMessageChanged(PrivateMessageChange)
    /// The policy is `ask` and this peer wants to link; the answer is `AnswerInvitation`.
    case invitation(PeerID, PeerName, context: [UInt8])
    indirect case notice(Notice)
    /// Somebody left a post or announced an event near this persona's place, or somebody it follows did so anywhere.
    indirect case posted(ItemInfo)
    /// Somebody mentioned, answered or wrote to this persona, did something to what is its own, follows it, or posted and is
    /// followed by it.
    indirect case notification(NotificationInfo)
    /// A front of this person looked at the notifications.
    case notificationsSeen
    /// A front of this person dismissed these urgent lines and posts.
    case urgentDismissed([RecordID])
    /// Progress of reconciliation; sent a few times a second while it changes.
    case sync(SyncProgress)
    /// The reader fell behind and lost this many events.
    case missed(Int)
    /// Somebody uses the name of another person; sent once for each key between starts.
    indirect case nameClash(NameClash)
    /// A known key has another name than when it was last seen.
    case renamed(PeerID, from: PeerName, to: PeerName)
    case contactMarks(ContactMarks)
    /// Any front changed the persona's name or rooms. A front that has just made a change asks `ShowMe` for the current state:
    /// this event may be older than the answer to its change.
    case me(Me)
    /// A post or event arrived from anywhere, or this person left one in any front: for fronts that watch places other than
    /// this person's.
    case placed(PlacedItem)
    /// A room event, for hosts of a shared node.
    case room(RoomEvent)
    /// Stored items changed (likes, comments, edits, deletions), by others or by this person in any front.
    case changed(FeedChanges)
    /// Own waiting posts, comments, events and lines that a neighbour has now; at most `FeedChanges.eachMax` at a time.
    case sent([RecordID])
    /// A front of this person moved a read position.
    case read(UnreadCount)
}

extension NodeEvent {
    /// Who wrote what it shows; `nil` for all that nobody wrote, and for changes of links, presences and rooms.
    package var author: PeerID? {
        switch self {
        case .message(let line): line.from
        case .lineChanged(let change): change.by
        case .pinned(let change): change.by.id
        case .privateMessage(let message): message.isMine ? nil : message.peer
        case .privateMessageChanged(let change): change.by
        case .posted(let item): item.author
        case .notification(let notification): notification.by.id
        case .ready, .peer, .presence, .privateProgress, .invitation, .notice, .sync, .missed, .nameClash, .renamed,
            .contactMarks, .me, .placed, .room, .changed, .sent, .read, .notificationsSeen, .urgentDismissed:
            nil
        }
    }
}

extension NodeEvent {
    /// The public room whose people alone it concerns.
    package var room: RoomName? {
        switch self {
        case .message(let line): line.room
        case .lineChanged(let change): change.line.room
        case .pinned, .privateMessage, .privateMessageChanged, .posted, .notification, .notificationsSeen,
            .urgentDismissed,
            .ready, .peer, .presence, .privateProgress,
            .invitation, .notice,
            .sync, .missed, .nameClash, .renamed, .contactMarks, .me, .placed, .room, .changed, .sent, .read:
            nil
        }
    }
}

/// An item and its place; `ShowItem` returns the rest.
package struct PlacedItem: Hashable, Sendable, Codable {
    package let item: RecordID
    package let place: Coordinate

    package init(item: RecordID, place: Coordinate) {
        (self.item, self.place) = (item, place)
    }
}

package struct Me: Hashable, Sendable, Codable {
    package var id: PeerID
    package var name: PeerName
    package var mesh: MeshName
    /// TCP, 1–65535.
    package var port: UInt16
    /// The discovery in use: `system`, `embedded` or `off`.
    package var discovery: String
    package var rooms: [RoomName]
    /// The private rooms among them, and others that were entered before.
    package var privateRooms: [RoomName]
    /// Whether the mesh admits only holders of its passphrase.
    package var isClosed: Bool
    /// The away text, which may be empty; `nil` if this person is not away.
    package var away: String?

    package init(
        id: PeerID, name: PeerName, mesh: MeshName, port: UInt16, discovery: String, rooms: [RoomName],
        privateRooms: [RoomName] = [], isClosed: Bool = false, away: String? = nil
    ) {
        self.away = away
        self.id = id
        self.name = name
        self.mesh = mesh
        self.port = port
        self.discovery = discovery
        self.rooms = rooms
        self.privateRooms = privateRooms
        self.isClosed = isClosed
    }

    /// Fields that an earlier version leaves out count as open.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try fields.decode(PeerID.self, forKey: .id), name: try fields.decode(PeerName.self, forKey: .name),
            mesh: try fields.decode(MeshName.self, forKey: .mesh), port: try fields.decode(UInt16.self, forKey: .port),
            discovery: try fields.decode(String.self, forKey: .discovery),
            rooms: try fields.decode([RoomName].self, forKey: .rooms),
            privateRooms: try fields.decode([RoomName].self, forKey: .privateRooms),
            isClosed: try fields.decodeIfPresent(Bool.self, forKey: .isClosed) ?? false,
            away: try fields.decodeIfPresent(String.self, forKey: .away))
    }
}

/// The states of a link, as in MultipeerConnectivity.
package enum PeerState: String, Hashable, Sendable, Codable {
    case notConnected
    case connecting
    case connected
}

/// A neighbour's link changed its state.
package struct PeerChange: Hashable, Sendable, Codable {
    package let id: PeerID
    package let name: PeerName
    package let state: PeerState
    /// Why it is `notConnected`.
    package let reason: LinkEnding?
    /// The link was replaced by another and the peer is reached through others: it has not gone.
    package let isRearranged: Bool
    private let brief: Bool?
    /// A short-lived command: it is listed, not announced.
    package var isBrief: Bool { brief ?? false }
    /// One of many strangers who come and go at once: it is listed, and counted in a notice instead of announced.
    @CodedFlag package private(set) var isSummedUp: Bool

    package init(
        id: PeerID, name: PeerName, state: PeerState, reason: LinkEnding?, isRearranged: Bool = false,
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

/// A peer in the mesh, over any number of hops, came, left, or changed its name or rooms.
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
    /// The away text that the peer announced, which may be empty; `nil` if it is not away.
    package let away: String?

    package init(
        id: PeerID, name: PeerName, isHere: Bool, rooms: [RoomName], hops: Int, isBrief: Bool = false,
        isSummedUp: Bool = false, away: String? = nil
    ) {
        self.away = away
        self.isSummedUp = isSummedUp
        brief = isBrief ? true : nil
        self.id = id
        self.name = name
        self.isHere = isHere
        self.rooms = rooms
        self.hops = hops
    }
}
