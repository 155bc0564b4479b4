package import LatticeCore

/// The body of a `chat` record; its topic is the room's name.
///
/// `body := style:1 name:bytes text:bytes`. The name stands in the line because whoever hears it may be many hops away
/// and know nothing else of its author.
package struct ChatLine: Hashable, Sendable {
    /// How the line was meant.
    package enum Style: UInt8, Hashable, Sendable {
        /// `<bob> hi`
        case says = 0
        /// `* bob waves`
        case acts = 1
    }

    package static let textBytesMax = 4_096

    package let style: Style
    package let name: PeerName
    package let text: String

    package init(style: Style, name: PeerName, text: String) {
        precondition(text.utf8.count <= Self.textBytesMax, "a longer line is refused where it is typed")
        self.style = style
        self.name = name
        self.text = text
    }

    package init(decoding body: [UInt8]) throws(WireError) {
        var reader = ByteReader(body)
        guard let style = Style(rawValue: try reader.byte("chat style")) else { throw .outOfRange(field: "chat style") }
        let name = try reader.peerName("chat name")
        let text = try reader.text("chat text", bytesMax: Self.textBytesMax)
        try reader.end("chat line")
        self.init(style: style, name: name, text: text)
    }

    package var body: [UInt8] {
        var writer = ByteWriter(reserving: 8 + name.text.utf8.count + text.utf8.count)
        writer.byte(style.rawValue)
        writer.text(name.text)
        writer.text(text)
        return writer.bytes
    }
}

/// The body of a `presence` record; its topic is empty.
///
/// `body := state:1 name:bytes count:varint room:bytes*`
package struct Presence: Hashable, Sendable {
    package static let roomsMax = 64
    /// Renewed every minute; who is silent for two and a half is taken to be gone.
    package static let lifetimeSeconds: UInt32 = 150

    package let isHere: Bool
    package let name: PeerName
    package let rooms: [RoomName]

    package init(isHere: Bool, name: PeerName, rooms: [RoomName]) {
        precondition(rooms.count <= Self.roomsMax, "joining more rooms is refused where it is typed")
        self.isHere = isHere
        self.name = name
        self.rooms = rooms
    }

    package init(decoding body: [UInt8]) throws(WireError) {
        var reader = ByteReader(body)
        let state = try reader.byte("presence state")
        guard state <= 1 else { throw .outOfRange(field: "presence state") }
        let name = try reader.peerName("presence name")
        let count = try reader.varint("presence rooms")
        guard count <= UInt64(Self.roomsMax) else { throw .outOfRange(field: "presence rooms") }
        var rooms: [RoomName] = []
        for _ in 0..<count {
            rooms.append(try reader.roomName("presence room"))
        }
        try reader.end("presence")
        self.init(isHere: state == 1, name: name, rooms: rooms)
    }

    package var body: [UInt8] {
        var writer = ByteWriter()
        writer.byte(isHere ? 1 : 0)
        writer.text(name.text)
        writer.varint(UInt64(rooms.count))
        for room in rooms { writer.text(room.text) }
        return writer.bytes
    }
}

extension ByteReader {
    package mutating func peerName(_ field: String) throws(WireError) -> PeerName {
        let text = try text(field, bytesMax: PeerName.bytesMax)
        do {
            return try PeerName(text)
        } catch {
            throw .notUTF8(field: field)
        }
    }

    package mutating func meshName(_ field: String) throws(WireError) -> MeshName {
        let text = try text(field, bytesMax: MeshName.bytesMax)
        do {
            return try MeshName(text)
        } catch {
            throw .notUTF8(field: field)
        }
    }

    package mutating func roomName(_ field: String) throws(WireError) -> RoomName {
        let text = try text(field, bytesMax: RoomName.bytesMax)
        do {
            return try RoomName(text)
        } catch {
            throw .notUTF8(field: field)
        }
    }
}
