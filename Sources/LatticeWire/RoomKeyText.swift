package import LatticeCore

/// The body of kind 3 in `SealedText`: the key of a private room, for one person who may read it from now on.
///
/// `roomKey := purpose:1 room:bytes root:32 parent:32 number:varint secret:32 count:varint member* count:varint (removed:32)*`
/// with `member := state:1 peer:32`; at most 256 members and 64 removed, each list in ascending order of its keys.
package struct RoomKeyText: Hashable, Sendable {
    package enum Purpose: UInt8, Sendable {
        /// The receiver may join.
        case invitation = 1
        /// The receiver is a member, and somebody was removed.
        case renewal = 2
    }

    package struct Member: Hashable, Sendable {
        package let peer: PeerID
        /// `invited` or `here`.
        package let state: RoomMemberText.State

        package init(_ peer: PeerID, _ state: RoomMemberText.State) {
            self.peer = peer
            self.state = state
        }
    }

    package static let membersMax = 256
    package static let removedMax = 64
    /// Successive keys of a room; no honest room needs more.
    package static let numberMax: UInt64 = 1_000_000

    package let purpose: Purpose
    package let room: RoomName
    /// The id of the room's first key; distinguishes rooms of the same name.
    package let root: Bytes32
    /// The id of the previous key; zeros for the first one.
    package let parent: Bytes32
    /// 0 for the first key, then counted up.
    package let number: UInt64
    package let secret: Bytes32
    package let members: [Member]
    /// The members who were removed when this key was made.
    package let removed: [PeerID]

    /// - Parameters:
    ///   - members: in any order, without duplicates.
    ///   - removed: in any order, without duplicates.
    package init(
        _ purpose: Purpose, room: RoomName, root: Bytes32, parent: Bytes32, number: UInt64, secret: Bytes32,
        members: [Member], removed: [PeerID]
    ) {
        precondition(members.count <= Self.membersMax && removed.count <= Self.removedMax, "a room has its limits")
        precondition(number <= Self.numberMax, "a room has its limits")
        self.purpose = purpose
        self.room = room
        self.root = root
        self.parent = parent
        self.number = number
        self.secret = secret
        self.members = members.sorted { $0.peer < $1.peer }
        self.removed = removed.sorted()
    }

    package init(decoding body: [UInt8]) throws(WireError) {
        var reader = ByteReader(body)
        guard let purpose = Purpose(rawValue: try reader.byte("room key purpose")) else {
            throw .outOfRange(field: "room key purpose")
        }
        self.purpose = purpose
        room = try reader.foldedRoomName("room key name")
        root = try reader.bytes32("room key root")
        parent = try reader.bytes32("room key parent")
        number = try reader.varint("room key number")
        guard number <= Self.numberMax else { throw .outOfRange(field: "room key number") }
        secret = try reader.bytes32("room key secret")
        var members: [Member] = []
        for _ in 0..<(try reader.count("room key members", max: Self.membersMax)) {
            let state = RoomMemberText.State(rawValue: try reader.byte("room key member"))
            guard let state, state != .left else { throw .outOfRange(field: "room key member") }
            members.append(Member(PeerID(try reader.bytes32("room key member")), state))
        }
        var removed: [PeerID] = []
        for _ in 0..<(try reader.count("room key removed", max: Self.removedMax)) {
            removed.append(PeerID(try reader.bytes32("room key removed")))
        }
        try reader.end("room key")
        let peers = members.map(\.peer)
        guard Self.isAscending(peers), Self.isAscending(removed), Set(peers).isDisjoint(with: removed) else {
            throw .outOfRange(field: "room key members")
        }
        self.members = members
        self.removed = removed
    }

    private static func isAscending(_ peers: [PeerID]) -> Bool {
        zip(peers, peers.dropFirst()).allSatisfy { $0 < $1 }
    }

    package var body: [UInt8] {
        var writer = ByteWriter(reserving: 256 + 33 * members.count + 32 * removed.count)
        writer.byte(purpose.rawValue)
        writer.text(room.text)
        writer.fixed(root)
        writer.fixed(parent)
        writer.varint(number)
        writer.fixed(secret)
        writer.varint(UInt64(members.count))
        for member in members {
            writer.byte(member.state.rawValue)
            writer.fixed(member.peer.key)
        }
        writer.varint(UInt64(removed.count))
        for peer in removed { writer.fixed(peer.key) }
        return writer.bytes
    }
}

/// The body of kind 4 in `SealedText`: somebody is invited, is here, or has left for good.
///
/// `member := state:1 peer:32 name:bytes`; about others only `invited` is allowed.
package struct RoomMemberText: Hashable, Sendable {
    package enum State: UInt8, Sendable {
        case invited = 1
        case here = 2
        case left = 3
    }

    package let state: State
    package let peer: PeerID
    /// The name that the author knows them by.
    package let name: PeerName

    package init(_ state: State, _ peer: PeerID, _ name: PeerName) {
        self.state = state
        self.peer = peer
        self.name = name
    }

    package init(decoding body: [UInt8]) throws(WireError) {
        var reader = ByteReader(body)
        guard let state = State(rawValue: try reader.byte("member state")) else {
            throw .outOfRange(field: "member state")
        }
        self.state = state
        peer = PeerID(try reader.bytes32("member"))
        name = try reader.peerName("member name")
        try reader.end("member")
    }

    package var body: [UInt8] {
        var writer = ByteWriter()
        writer.byte(state.rawValue)
        writer.fixed(peer.key)
        writer.text(name.text)
        return writer.bytes
    }
}

extension ByteReader {
    /// The folded form, which is the only valid one on the wire.
    fileprivate mutating func foldedRoomName(_ field: String) throws(WireError) -> RoomName {
        var copy = self
        let room = try roomName(field)
        guard try copy.bytes(field, bytesMax: RoomName.bytesMax).elementsEqual(room.text.utf8) else {
            throw .outOfRange(field: field)
        }
        return room
    }

    fileprivate mutating func count(_ field: String, max: Int) throws(WireError) -> Int {
        let count = try varint(field)
        guard count <= UInt64(max) else { throw .outOfRange(field: field) }
        return Int(count)
    }
}
