import LatticeCore

// Encoding and decoding of the frames for reconciling and fetching.
extension ByteReader {
    mutating func keeping() throws(WireError) -> Keeping {
        let count = try count("kept groups", in: 0...Keeping.groupsMax)
        var entries: [Keeping.Entry] = []
        var last: UInt64 = 0
        for _ in 0..<count {
            let number = try varint("kept group")
            guard number > last else { throw .outOfRange(field: "kept group") }
            last = number
            let since = HybridTime(rawValue: try integer(bytes: 8, "kept since"))
            if let group = SyncScope.Group(rawValue: number) { entries.append(Keeping.Entry(group, since: since)) }
        }
        guard try flag("kept rooms") else { return Keeping(entries) }
        let roomCount = try self.count("kept rooms", in: 0...Keeping.roomsMax)
        var rooms: [[UInt8]] = []
        for _ in 0..<roomCount {
            let room = Array(try bytes("kept room", bytesMax: Record.topicBytesMax))
            guard rooms.last.map({ $0.lexicographicallyPrecedes(room) }) ?? true else {
                throw .outOfRange(field: "kept room")
            }
            rooms.append(room)
        }
        return Keeping(entries, rooms: rooms)
    }

    mutating func comparison() throws(WireError) -> Comparison {
        guard let side = Comparison.Side(rawValue: try byte("comparison side")) else {
            throw .outOfRange(field: "comparison side")
        }
        guard let session = UInt32(exactly: try varint("comparison session")) else {
            throw .outOfRange(field: "comparison session")
        }
        guard let group = SyncScope.Group(rawValue: try varint("comparison group")) else {
            throw .outOfRange(field: "comparison group")
        }
        var room: [UInt8]?
        if try flag("comparison room") {
            guard group == .chat else { throw .outOfRange(field: "comparison room") }
            room = Array(try bytes("comparison room", bytesMax: Record.topicBytesMax))
        }
        let since = HybridTime(rawValue: try integer(bytes: 8, "comparison since"))
        let message = try bytes("comparison message", bytesMax: Comparison.messageBytesMax)
        return Comparison(
            side: side, session: session, scope: SyncScope(group, room: room), since: since, message: Array(message))
    }

    mutating func recordIDs(_ field: String) throws(WireError) -> RecordIDs {
        let count = try count(field, in: 1...RecordIDs.countMax)
        var ids: [RecordID] = []
        ids.reserveCapacity(min(count, remaining / 32))
        for _ in 0..<count { ids.append(try recordID(field)) }
        return RecordIDs(ids)
    }

    mutating func serve() throws(WireError) -> ServedRecord {
        guard let age = UInt32(exactly: try varint("serve age")) else { throw .outOfRange(field: "serve age") }
        return ServedRecord(ageSeconds: age, signed: try SignedRecord(decoding: rest()))
    }
}

extension ByteWriter {
    mutating func keeping(_ keeping: Keeping) {
        varint(UInt64(keeping.entries.count))
        for entry in keeping.entries {
            varint(entry.group.rawValue)
            integer(entry.since.rawValue, bytes: 8)
        }
        byte(keeping.rooms == nil ? 0 : 1)
        guard let rooms = keeping.rooms else { return }
        varint(UInt64(rooms.count))
        for room in rooms { bytes(room) }
    }

    mutating func comparison(_ comparison: Comparison) {
        byte(comparison.side.rawValue)
        varint(UInt64(comparison.session))
        varint(comparison.scope.group.rawValue)
        byte(comparison.scope.room == nil ? 0 : 1)
        if let room = comparison.scope.room { bytes(room) }
        integer(comparison.since.rawValue, bytes: 8)
        bytes(comparison.message)
    }

    mutating func recordIDs(_ list: RecordIDs) {
        varint(UInt64(list.ids.count))
        for id in list.ids { fixed(id.hash) }
    }

    mutating func serve(_ serve: ServedRecord) {
        varint(UInt64(serve.ageSeconds))
        fixed(serve.signed.bytes)
    }
}
