package import LatticeCore

/// The body of a `crossing` record: what of its author's may cross bridges to other networks. The topic is empty.
///
/// `body := state:1 count:varint room:text*`
///
/// Without such a record nothing of an author crosses.
package struct CrossingBody: Hashable, Sendable {
    package static let roomsMax = 64

    /// Public rooms whose lines may cross, sorted; `nil` if nothing crosses. With a list, however short, everything crosses that
    /// belongs to no room.
    package let rooms: [RoomName]?

    /// - Parameter rooms: in any order.
    package init(rooms: [RoomName]?) {
        let sorted = rooms.map { Set($0).sorted() }
        precondition((sorted?.count ?? 0) <= Self.roomsMax, "more rooms are refused where they are named")
        self.rooms = sorted
    }

    package init(decoding body: [UInt8]) throws(WireError) {
        var reader = ByteReader(body)
        let state = try reader.byte("crossing")
        let count = try reader.varint("crossing rooms")
        guard state <= 1, count <= (state == 0 ? 0 : UInt64(Self.roomsMax)) else {
            throw .outOfRange(field: state <= 1 ? "crossing rooms" : "crossing")
        }
        var rooms: [RoomName] = []
        for _ in 0..<count {
            let text = try reader.text("crossing room", bytesMax: RoomName.bytesMax)
            guard let room = Self.room(text) else { throw .notUTF8(field: "crossing room") }
            // One list has one form.
            if let last = rooms.last, !(last < room) { throw .outOfRange(field: "crossing room") }
            rooms.append(room)
        }
        try reader.end("crossing")
        self.rooms = state == 0 ? nil : rooms
    }

    package var body: [UInt8] {
        var writer = ByteWriter()
        writer.byte(rooms == nil ? 0 : 1)
        writer.varint(UInt64(rooms?.count ?? 0))
        for room in rooms ?? [] { writer.text(room.text) }
        return writer.bytes
    }

    /// - Returns: `nil` if this is no name of a room, or one that is written in another way.
    private static func room(_ text: String) -> RoomName? {
        do {
            let room = try RoomName(text)
            return room.text.utf8.elementsEqual(text.utf8) ? room : nil
        } catch {
            return nil
        }
    }
}
