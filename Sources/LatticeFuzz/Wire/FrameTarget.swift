import LatticeWire

extension FuzzTarget {
    static let frame = FuzzTarget(
        "frame", "frames of one message: what is read is written again in the same bytes", inputBytesMax: 4_096
    ) { bytes throws(BrokenProperty) in
        guard let frames = accepted({ try Frame.decode(message: bytes[...]) }) else { return }
        var rest = frames[...]
        for piece in try pieces(of: bytes) where Frame.TypeNumber(rawValue: piece.type) != nil {
            guard let frame = rest.popFirst() else { throw BrokenProperty("a frame of a known type was not read") }
            try hold(frame.bytes.count == frame.byteCount, "a frame has another length than it says")
            let isSame = frame.bytes.elementsEqual(bytes[piece.range])
            try hold(isSame || frame.saysLess(than: piece.range.count), "a frame is written in other bytes")
        }
        try hold(rest.isEmpty, "more frames were read than were there")
        let written = frames.flatMap(\.bytes)
        let again = accepted { try Frame.decode(message: written[...]) }
        try hold(again == frames, "what was written is not read, or as something else")
    }

    /// The frames of a decoded message, each with its byte range.
    private static func pieces(of bytes: [UInt8]) throws(BrokenProperty) -> [(type: UInt64, range: Range<Int>)] {
        var reader = ByteReader(bytes)
        var pieces: [(type: UInt64, range: Range<Int>)] = []
        do {
            while reader.remaining > 0 {
                let start = reader.consumed
                let type = try reader.varint("type")
                _ = try reader.bytes("body", bytesMax: Frame.plaintextBytesMax)
                pieces.append((type, start..<reader.consumed))
            }
        } catch {
            throw BrokenProperty("a message was read that has no frames: \(error)")
        }
        return pieces
    }
}

extension Frame {
    /// Whether it stands for something of a later version that was only partly kept.
    fileprivate func saysLess(than count: Int) -> Bool {
        switch self {
        case .goodbye(let goodbye): goodbye.code == .unknown
        case .refuse(let refusal): refusal == .unknown
        case .absent(let absent): absent.reason == .unknown
        case .keeping: bytes.count < count
        default: false
        }
    }
}
