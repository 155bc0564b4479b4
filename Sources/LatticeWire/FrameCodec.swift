import LatticeCore

extension Frame {
    /// Reads every frame of one opened message.
    ///
    /// - Returns: the frames of known types in order; unknown types are skipped, so that a later version may say more.
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
        case .accept: frame = .accept
        case .refuse: frame = .refuse(Refusal(rawValue: try reader.varint("refusal")) ?? .unknown)
        case .record: frame = .record(try reader.recordFrame())
        case .probe: frame = .probe(try reader.probe())
        }
        try reader.end("frame")
        return frame
    }

    /// The whole frame as it stands in a message.
    package var bytes: [UInt8] {
        var body = ByteWriter()
        let type: TypeNumber
        switch self {
        case .goodbye(let goodbye):
            type = .goodbye
            body.varint(goodbye.code.rawValue)
            body.text(goodbye.text)
        case .ping(let nonce):
            type = .ping
            body.integer(nonce, bytes: 8)
        case .pong(let nonce):
            type = .pong
            body.integer(nonce, bytes: 8)
        case .rekey: type = .rekey
        case .invitation(let invitation):
            type = .invitation
            body.text(invitation.mesh.text)
            body.bytes(invitation.context)
        case .accept: type = .accept
        case .refuse(let refusal):
            type = .refuse
            body.varint(refusal.rawValue)
        case .record(let frame):
            type = .record
            body = ByteWriter(reserving: frame.signed.bytes.count + 4)
            body.varint(UInt64(frame.timeToLive))
            body.varint(UInt64(frame.hops))
            body.fixed(frame.signed.bytes)
        case .probe(let probe):
            type = .probe
            body.probe(probe)
        }
        var writer = ByteWriter(reserving: body.bytes.count + 8)
        writer.varint(type.rawValue)
        writer.bytes(body.bytes)
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
        return Invitation(mesh: mesh, context: Array(context))
    }

    fileprivate mutating func recordFrame() throws(WireError) -> RecordFrame {
        let timeToLive = try timeToLive()
        guard let hops = UInt8(exactly: try varint("hops")), (1...RecordFrame.timeToLiveMax).contains(hops) else {
            throw .outOfRange(field: "hops")
        }
        return RecordFrame(timeToLive: timeToLive, hops: hops, signed: try SignedRecord(decoding: rest()))
    }

    fileprivate mutating func timeToLive() throws(WireError) -> UInt8 {
        guard let value = UInt8(exactly: try varint("TTL")), (1...RecordFrame.timeToLiveMax).contains(value) else {
            throw .outOfRange(field: "TTL")
        }
        return value
    }

    fileprivate mutating func peerID(_ field: String) throws(WireError) -> PeerID {
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
        let timeToLive = try timeToLive()
        let count = try varint("probe stops")
        guard count <= UInt64(Probe.stopsMax) else { throw .outOfRange(field: "probe stops") }
        var path: [Probe.Stop] = []
        for _ in 0..<count {
            let peer = try peerID("probe stop")
            path.append(Probe.Stop(peer: peer, name: try peerName("probe stop name")))
        }
        return Probe(direction: direction, nonce: nonce, from: from, to: to, timeToLive: timeToLive, path: path)
    }
}

extension ByteWriter {
    fileprivate mutating func probe(_ probe: Probe) {
        byte(probe.direction.rawValue)
        integer(probe.nonce, bytes: 8)
        fixed(probe.from.key)
        fixed(probe.to.key)
        varint(UInt64(probe.timeToLive))
        varint(UInt64(probe.path.count))
        for stop in probe.path {
            fixed(stop.peer.key)
            text(stop.name.text)
        }
    }
}
