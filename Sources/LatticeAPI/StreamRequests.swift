import Foundation
package import LatticeCore

// Streams of bytes between this node's programs and those of other peers.
//
// A stream goes both ways, and each way has an end: a program that reads it has had everything. What is sent waits for the reader at
// the other side, over any number of hops. It is sealed for that peer alone: peers that relay it see its size and time.

/// Opens a stream to the program that listens there for this label.
package struct OpenStream: Request {
    package static let name = "stream.open"
    package static let replyName = "stream.opened"
    package static let traits: RequestTraits = [.waits]
    package typealias Reply = StreamInfo

    package static let waitMax: Duration = .seconds(86_400)
    private static let waitUsual: Duration = .seconds(10)

    package let peer: PeerReference
    package let label: StreamLabel
    /// How long to wait for the peer to be there and to listen, up to `waitMax`.
    @InSeconds private var seconds: Duration?

    package var wait: Duration { seconds ?? Self.waitUsual }

    package init(_ peer: PeerReference, label: StreamLabel, wait: Duration) {
        (self.peer, self.label) = (peer, label)
        _seconds = InSeconds(wrappedValue: wait)
    }

    private enum CodingKeys: String, CodingKey {
        case peer
        case label
        case seconds = "wait"
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try fields.decode(PeerReference.self, forKey: .peer),
            label: try fields.decodeIfPresent(StreamLabel.self, forKey: .label) ?? .usual,
            wait: try fields.decode(InSeconds.self, forKey: .seconds).wrappedValue ?? Self.waitUsual)
        guard (.zero...Self.waitMax).contains(wait) else { throw TextFault("a wait is 0 to 86400 seconds") }
    }
}

/// Waits until a program at another peer opens a stream of this label. One program at a time listens for a label, and only until
/// a stream has been opened.
package struct ListenForStream: Request {
    package static let name = "stream.listen"
    package static let replyName = "stream.opened"
    package static let traits: RequestTraits = [.waits]
    package typealias Reply = StreamInfo

    package let label: StreamLabel
    /// Who may open it; `nil` is anybody.
    @OrNull package private(set) var peer: PeerReference?

    package init(label: StreamLabel, from peer: PeerReference? = nil) {
        self.label = label
        _peer = OrNull(wrappedValue: peer)
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            label: try fields.decodeIfPresent(StreamLabel.self, forKey: .label) ?? .usual,
            from: try fields.decodeIfPresent(PeerReference.self, forKey: .peer))
    }
}

/// A request for one direction of a stream. Each direction carries out one at a time: side by side they would lose their order.
package protocol StreamTransfer: Request {
    static var isSending: Bool { get }
    var stream: Int { get }
}

/// Sends bytes; waits until there is room for them.
package struct SendBytes: StreamTransfer {
    package static let name = "stream.send"
    package static let replyName = "stream.done"
    package static let traits: RequestTraits = [.waits]
    package static let isSending = true
    package typealias Reply = Done

    package static let bytesMax = 256 << 10

    package let stream: Int
    /// At most `bytesMax`.
    package let bytes: [UInt8]

    package init(_ stream: Int, _ bytes: [UInt8]) {
        (self.stream, self.bytes) = (stream, bytes)
    }

    private enum CodingKeys: String, CodingKey {
        case stream
        case bytes = "data"
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let data = try fields.decode(Data.self, forKey: .bytes)
        guard data.count <= Self.bytesMax else {
            throw TextFault("\(data.count) bytes at once are too many; send at most \(Self.bytesMax)")
        }
        self.init(try fields.decode(Int.self, forKey: .stream), Array(data))
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(stream, forKey: .stream)
        try fields.encode(Data(bytes), forKey: .bytes)
    }
}

/// Says that nothing more comes, and waits until the program at the other side has taken everything.
package struct FinishStream: StreamTransfer {
    package static let name = "stream.finish"
    package static let replyName = "stream.done"
    package static let traits: RequestTraits = [.waits]
    package static let isSending = true
    package typealias Reply = Done

    package let stream: Int

    package init(_ stream: Int) { self.stream = stream }
}

/// Waits for what comes next; asking for it says that the program is done with what came before. After the end it waits until the
/// other direction has ended, too.
package struct ReceiveBytes: StreamTransfer {
    package static let name = "stream.receive"
    package static let replyName = "stream.bytes"
    package static let traits: RequestTraits = [.waits]
    package static let isSending = false

    package let stream: Int

    package init(_ stream: Int) { self.stream = stream }

    package struct Reply: Hashable, Sendable, Codable {
        /// None at the end.
        package let bytes: [UInt8]
        package let isEnd: Bool

        package init(_ bytes: [UInt8], isEnd: Bool) {
            (self.bytes, self.isEnd) = (bytes, isEnd)
        }

        private enum CodingKeys: String, CodingKey {
            case bytes = "data"
            case isEnd
        }

        package init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                Array(try fields.decode(Data.self, forKey: .bytes)), isEnd: try fields.decode(Bool.self, forKey: .isEnd)
            )
        }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: CodingKeys.self)
            try fields.encode(Data(bytes), forKey: .bytes)
            try fields.encode(isEnd, forKey: .isEnd)
        }
    }
}

/// Gives a stream up and tells the other side why; a stream that is over stays so.
package struct ResetStream: Request {
    package static let name = "stream.reset"
    package static let replyName = "stream.done"
    package typealias Reply = Done

    package let stream: Int
    package let reason: StreamReason

    package init(_ stream: Int, _ reason: StreamReason) {
        (self.stream, self.reason) = (stream, reason)
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try fields.decode(Int.self, forKey: .stream),
            try fields.decodeIfPresent(StreamReason.self, forKey: .reason) ?? .ended)
    }
}

/// A stream that both sides know of.
package struct StreamInfo: Hashable, Sendable, Codable {
    /// Its number at this node; none is given twice.
    package let stream: Int
    /// Who is at the other side: proven, over any number of hops.
    package let peer: PeerID
    package let label: StreamLabel

    package init(stream: Int, peer: PeerID, label: StreamLabel) {
        (self.stream, self.peer, self.label) = (stream, peer, label)
    }
}

/// Why a program gives a stream up.
package enum StreamReason: String, Hashable, Sendable, CodedAsWord {
    /// It was ended, or wants no more.
    case ended
    /// What came could not be written.
    case writeFailed
    case diskFull
    /// The program that reads from this one takes no more.
    case readerGone
    /// What was to be sent could not be read.
    case readFailed
}

extension StreamLabel: CodedAsText {
    package var codedText: String { text }

    package init(codedText: String) throws { try self.init(codedText) }
}
