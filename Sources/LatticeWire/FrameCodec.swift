import LatticeCore

extension Frame {
    /// Reads all frames of one decrypted message.
    ///
    /// - Returns: the frames of known types in order; unknown types are skipped, for later versions.
    package static func decode(message: ArraySlice<UInt8>) throws(WireError) -> [Frame] {
        var reader = ByteReader(message)
        var frames: [Frame] = []
        var count = 0
        while reader.remaining > 0 {
            count += 1
            guard count <= countPerMessageMax else { throw .outOfRange(field: "frames in one message") }
            let type = try reader.varint("frame type")
            let body = try reader.bytes("frame body", bytesMax: plaintextBytesMax)
            guard let number = TypeNumber(rawValue: type) else { continue }
            frames.append(try decode(number, body: body))
        }
        return frames
    }

    private static func decode(_ type: TypeNumber, body: ArraySlice<UInt8>) throws(WireError) -> Frame {
        var reader = ByteReader(body)
        let frame: Frame
        switch type {
        case .goodbye: frame = .goodbye(try reader.goodbye())
        case .ping: frame = .ping(nonce: try reader.integer(bytes: 8, "ping nonce"))
        case .pong: frame = .pong(nonce: try reader.integer(bytes: 8, "pong nonce"))
        case .rekey: frame = .rekey
        case .invitation: frame = .invitation(try reader.invitation())
        case .accept: frame = .accept(room: try reader.room("accept room"))
        case .refuse: frame = .refuse(Refusal(rawValue: try reader.varint("refusal")) ?? .unknown)
        case .record: frame = .record(try reader.recordFrame())
        case .probe: frame = .probe(try reader.probe())
        case .have: frame = .have(try reader.have())
        case .graft: frame = .graft(try reader.graft())
        case .prune: frame = .prune(of: reader.remaining == 0 ? nil : try reader.peerID("pruned origin"))
        case .walk: frame = .walk(try reader.walk())
        case .shuffle: frame = .shuffle(try reader.shuffleFrame())
        case .keeping: frame = .keeping(try reader.keeping())
        case .comparison: frame = .comparison(try reader.comparison())
        case .offer: frame = .offer(try reader.recordIDs("offered ids"))
        case .fetch: frame = .fetch(try reader.recordIDs("fetched ids"))
        case .serve: frame = .serve(try reader.serve())
        case .lack: frame = .lack(try reader.recordIDs("lacking ids"))
        case .stored: frame = .stored(try reader.recordIDs("stored ids"))
        case .data: frame = .data(try reader.dataFrame())
        case .dataAnswer: frame = .dataAnswer(try reader.dataAnswer())
        case .presence: frame = .presence(try reader.presenceFrame())
        case .want: frame = .want(try reader.want())
        case .holds: frame = .holds(try reader.holds())
        case .piece: frame = .piece(try reader.piece())
        case .absent: frame = .absent(try reader.absent())
        case .datagram: frame = .datagram(try reader.datagram())
        }
        try reader.end("frame")
        return frame
    }

    package var bytes: [UInt8] {
        let count = byteCount
        var writer = ByteWriter(reserving: count)
        writer.varint(type.rawValue)
        writer.varint(UInt64(bodyByteCount))
        switch self {
        case .goodbye(let goodbye):
            writer.varint(goodbye.code.rawValue)
            writer.text(goodbye.text)
        case .ping(let nonce), .pong(let nonce): writer.integer(nonce, bytes: 8)
        case .rekey: break
        case .prune(let origin): if let origin { writer.fixed(origin.key) }
        case .invitation(let invitation): writer.invitation(invitation)
        case .accept(let room): writer.varint(UInt64(room))
        case .refuse(let refusal): writer.varint(refusal.rawValue)
        case .record(let frame):
            writer.varint(UInt64(frame.timeToLive))
            writer.varint(UInt64(frame.hops))
            writer.byte(frame.isStray ? 1 : 0)
            writer.fixed(frame.signed.bytes)
        case .probe(let probe): writer.probe(probe)
        case .have(let have): writer.have(have)
        case .graft(let graft): writer.graft(graft)
        case .walk(let walk): writer.walk(walk)
        case .shuffle(let shuffle): writer.shuffle(shuffle)
        case .keeping(let keeping): writer.keeping(keeping)
        case .comparison(let comparison): writer.comparison(comparison)
        case .offer(let list), .fetch(let list), .lack(let list), .stored(let list): writer.recordIDs(list)
        case .serve(let serve): writer.serve(serve)
        case .data(let data): writer.dataFrame(data)
        case .dataAnswer(let answer): writer.dataAnswer(answer)
        case .want(let want): writer.want(want)
        case .holds(let holds): writer.holds(holds)
        case .piece(let piece): writer.piece(piece)
        case .absent(let absent): writer.absent(absent)
        case .datagram(let datagram): writer.datagram(datagram)
        case .presence(let frame):
            writer.varint(UInt64(frame.timeToLive))
            writer.varint(UInt64(frame.hops))
            writer.varint(UInt64(frame.ageMilliseconds))
            writer.fixed(frame.signed.bytes)
        }
        precondition(writer.bytes.count == count, "a frame is as long as its head says")
        return writer.bytes
    }
}

extension ByteReader {
    fileprivate mutating func goodbye() throws(WireError) -> Goodbye {
        let code = Goodbye.Code(rawValue: try varint("goodbye code")) ?? .unknown
        return Goodbye(code, try text("goodbye text", bytesMax: Goodbye.textBytesMax))
    }

    fileprivate mutating func invitation() throws(WireError) -> Invitation {
        let mesh = try meshName("mesh name")
        let context = try bytes("invitation context", bytesMax: Invitation.contextBytesMax)
        let isUrgent = try flag("invitation urgency")
        let room = try room("invitation room")
        return Invitation(mesh: mesh, context: Array(context), isUrgent: isUrgent, room: room)
    }

    mutating func flag(_ field: String) throws(WireError) -> Bool {
        let value = try byte(field)
        guard value <= 1 else { throw .outOfRange(field: field) }
        return value == 1
    }

    fileprivate mutating func room(_ field: String) throws(WireError) -> UInt8 {
        guard let room = UInt8(exactly: try varint(field)) else { throw .outOfRange(field: field) }
        return room
    }

    fileprivate mutating func recordFrame() throws(WireError) -> RecordFrame {
        let timeToLive = try links("TTL", in: 1...RecordFrame.timeToLiveMax)
        let hops = try links("hops", in: 1...RecordFrame.timeToLiveMax)
        let isStray = try flag("record stray")
        return RecordFrame(
            timeToLive: timeToLive, hops: hops, isStray: isStray, signed: try SignedRecord(decoding: rest()))
    }

    fileprivate mutating func presenceFrame() throws(WireError) -> PresenceFrame {
        let timeToLive = try links("TTL", in: 1...RecordFrame.timeToLiveMax)
        let hops = try links("hops", in: 1...RecordFrame.timeToLiveMax)
        guard let age = UInt32(exactly: try varint("presence age")) else { throw .outOfRange(field: "presence age") }
        let signed = try SignedRecord(decoding: rest())
        guard signed.record.kind == .presence else { throw .outOfRange(field: "presence kind") }
        return PresenceFrame(timeToLive: timeToLive, hops: hops, ageMilliseconds: age, signed: signed)
    }

    /// A number of links, travelled or left.
    mutating func links(_ field: String, in range: ClosedRange<UInt8>) throws(WireError) -> UInt8 {
        guard let value = UInt8(exactly: try varint(field)), range.contains(value) else {
            throw .outOfRange(field: field)
        }
        return value
    }

    mutating func peerID(_ field: String) throws(WireError) -> PeerID {
        guard let key = Bytes32(try fixed(32, field)) else { throw .truncated(field: field) }
        return PeerID(key)
    }

    fileprivate mutating func probe() throws(WireError) -> Probe {
        guard let direction = Probe.Direction(rawValue: try byte("probe direction")) else {
            throw .outOfRange(field: "probe direction")
        }
        let nonce = try integer(bytes: 8, "probe nonce")
        let from = try peerID("probe origin")
        let to = try peerID("probe target")
        let timeToLive = try links("TTL", in: 1...RecordFrame.timeToLiveMax)
        let count = try varint("probe stops")
        guard count <= UInt64(Probe.stopsMax) else { throw .outOfRange(field: "probe stops") }
        var path: [Probe.Stop] = []
        for _ in 0..<count {
            let peer = try peerID("probe stop")
            let name = try peerName("probe stop name")
            let signature = Array(try fixed(Record.signatureBytes, "probe stop signature"))
            path.append(Probe.Stop(peer: peer, name: name, signature: signature))
        }
        return Probe(direction: direction, nonce: nonce, from: from, to: to, timeToLive: timeToLive, path: path)
    }
}

extension ByteWriter {
    fileprivate mutating func invitation(_ invitation: Invitation) {
        text(invitation.mesh.text)
        bytes(invitation.context)
        byte(invitation.isUrgent ? 1 : 0)
        varint(UInt64(invitation.room))
    }

    fileprivate mutating func probe(_ probe: Probe) {
        byte(probe.direction.rawValue)
        integer(probe.nonce, bytes: 8)
        fixed(probe.from.key)
        fixed(probe.to.key)
        varint(UInt64(probe.timeToLive))
        varint(UInt64(probe.path.count))
        for stop in probe.path { probeStop(stop) }
    }

    mutating func probeStop(_ stop: Probe.Stop) {
        fixed(stop.peer.key)
        text(stop.name.text)
        fixed(stop.signature)
    }
}
