import Foundation
package import LatticeCore

// Streams of bytes between this node's programs and those of other peers.
//
// A stream goes both ways, and each way has its own end; a reader that sees it has had everything. Sent bytes wait for the
// reader over any number of hops. A stream is sealed for its peer: peers that relay it see its size and time.

/// Opens a stream to the program that listens for this label at a peer.
package struct OpenStream: Request {
    package static let name = "stream.open"
    package static let replyName = "stream.opened"
    package static let traits: RequestTraits = [.waits]
    package typealias Reply = StreamInfo

    package static let waitMax: Duration = .seconds(86_400)
    private static let waitUsual: Duration = .seconds(10)

    package let peer: PeerReference
    package let label: StreamLabel
    /// How long to wait for the peer to be reachable and to listen, up to `waitMax`.
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

/// Waits until a program at another peer opens a stream with this label. Only one program may listen for a label at a time,
/// and only until a stream has been opened.
package struct ListenForStream: Request {
    package static let name = "stream.listen"
    package static let replyName = "stream.opened"
    package static let traits: RequestTraits = [.waits]
    package typealias Reply = StreamInfo

    package let label: StreamLabel
    /// The peer that may open it; `nil` is anybody.
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

/// A request for one direction of a stream. Each direction carries out one at a time to keep their order.
package protocol StreamTransfer: Request {
    static var isSending: Bool { get }
    var stream: Int { get }
}

/// Sends bytes; waits until the stream has space for them.
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

/// Ends this direction, and waits until the program at the other end has read everything.
package struct FinishStream: StreamTransfer {
    package static let name = "stream.finish"
    package static let replyName = "stream.done"
    package static let traits: RequestTraits = [.waits]
    package static let isSending = true
    package typealias Reply = Done

    package let stream: Int

    package init(_ stream: Int) { self.stream = stream }
}

/// Waits for the next bytes; asking confirms that the program has handled the previous ones. At the end it also waits until
/// the other direction has ended.
package struct ReceiveBytes: StreamTransfer {
    package static let name = "stream.receive"
    package static let replyName = "stream.bytes"
    package static let traits: RequestTraits = [.waits]
    package static let isSending = false

    package let stream: Int

    package init(_ stream: Int) { self.stream = stream }

    package struct Reply: Hashable, Sendable, Codable {
        /// Empty at the end.
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

/// Resets a stream and gives the other end the reason. Has no effect on a stream that is over.
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

package struct StreamInfo: Hashable, Sendable, Codable {
    /// Its number at this node; never reused.
    package let stream: Int
    /// The peer at the other end, proven over any number of hops.
    package let peer: PeerID
    package let label: StreamLabel

    package init(stream: Int, peer: PeerID, label: StreamLabel) {
        (self.stream, self.peer, self.label) = (stream, peer, label)
    }
}

package enum StreamReason: String, Hashable, Sendable, CodedAsWord {
    /// It was stopped, or wants no more.
    case ended
    /// Received bytes could not be written.
    case writeFailed
    case diskFull
    case readerGone
    /// The bytes to send could not be read.
    case readFailed
}

extension StreamLabel: CodedAsText {
    package var codedText: String { text }

    package init(codedText: String) throws { try self.init(codedText) }
}
