import LatticeCrypto
import LatticeSession
import LatticeWire

extension FuzzTarget {
    static let transport = FuzzTarget(
        "transport",
        "sealed messages in a stream cut anywhere: what is sealed is opened, what is not fails for good, memory is bounded",
        inputBytesMax: 2_048
    ) { bytes throws(BrokenProperty) in
        var source = ByteSource(bytes)
        let form = source.byte() % 3
        let pieceBytes = 1 + source.index(below: 300)
        switch form {
        case 0: try TransportTrial.cut(source.all(), pieceBytes: pieceBytes)
        case 1: try TransportTrial.open(source.all())
        default: try TransportTrial.send(source.all(), pieceBytes: pieceBytes)
        }
    }
}

private enum TransportTrial {
    private static func cipher() -> CipherState {
        CipherState(key: SecretBytes(copying: [UInt8](repeating: 9, count: 32)))
    }

    /// A stream gives the same messages however it is split.
    static func cut(_ stream: [UInt8], pieceBytes: Int) throws(BrokenProperty) {
        let whole = try messages(of: stream, pieceBytes: max(1, stream.count))
        let pieces = try messages(of: stream, pieceBytes: pieceBytes)
        try hold(whole.messages == pieces.messages && whole.hasFailed == pieces.hasFailed, "pieces are another stream")
    }

    private static func messages(
        of stream: [UInt8], pieceBytes: Int
    ) throws(BrokenProperty) -> (messages: [[UInt8]], hasFailed: Bool) {
        var splitter = MessageSplitter(messageBytesMax: 1_000)
        var messages: [[UInt8]] = []
        var hasFailed = false
        for start in stride(from: 0, to: stream.count, by: pieceBytes) {
            splitter.append(stream[start..<min(stream.count, start + pieceBytes)])
            taking: while true {
                switch accepted({ try splitter.next() }) {
                case nil:
                    hasFailed = true
                    break taking
                case .some(nil): break taking
                case .some(let message?):
                    try hold(!hasFailed, "a stream goes on after an error")
                    messages.append(Array(message))
                }
            }
            try hold(splitter.pendingBytes <= 1_001, "\(splitter.pendingBytes) bytes are held")
        }
        return (messages, hasFailed)
    }

    /// One message not sealed with the key, then one that is: nothing opens after an error.
    static func open(_ bytes: [UInt8]) throws(BrokenProperty) {
        var opener = Opener(cipher())
        try hold(accepted { try opener.open(bytes[...]) } == nil, "what nobody sealed is opened")
        var sealer = Sealer(cipher())
        let sealed = sealer.seal([Frame.ping(nonce: 1).bytes])
        try hold(accepted { try opener.open(sealed[2...]) } == nil, "a session goes on after an error")
    }

    /// Any sealed plaintext gives frames or a final error; decoded frames survive sealing and opening again.
    static func send(_ plaintext: [UInt8], pieceBytes: Int) throws(BrokenProperty) {
        var cipher = cipher()
        var buffer = plaintext
        guard accepted({ try cipher.encrypt(authenticating: [], in: &buffer, from: 0) }) != nil else { return }
        var opener = Opener(self.cipher())
        let opened = accepted { try opener.open(buffer[...]) }
        let frames = accepted { try Frame.decode(message: plaintext[...]) }
        let isRekeyLast = frames?.firstIndex(of: .rekey).map { $0 == (frames?.count ?? 0) - 1 } ?? true
        try hold(opened == (isRekeyLast ? frames : nil), "a message is opened as something else than was sealed")
        guard let frames, !frames.contains(.rekey) else { return }
        try again(frames, pieceBytes: pieceBytes)
    }

    private static func again(_ frames: [Frame], pieceBytes: Int) throws(BrokenProperty) {
        var sealer = Sealer(cipher(), rekeyIntervalMessages: UInt64(1 + pieceBytes % 3))
        var stream: [UInt8] = []
        // In several batches, so that the keys change between them.
        for start in stride(from: 0, to: frames.count, by: 3) {
            stream += sealer.seal(frames[start..<min(frames.count, start + 3)].map(\.bytes))
        }
        var splitter = MessageSplitter()
        var opener = Opener(cipher())
        var heard: [Frame] = []
        for start in stride(from: 0, to: stream.count, by: pieceBytes) {
            splitter.append(stream[start..<min(stream.count, start + pieceBytes)])
            while let message = accepted({ try splitter.next() }) ?? nil {
                guard let opened = accepted({ try opener.open(message) }) else {
                    throw BrokenProperty("what was sealed does not open")
                }
                heard += opened.filter { $0 != .rekey }
            }
        }
        try hold(heard == frames, "other frames are heard than were said")
    }
}
