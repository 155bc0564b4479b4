package import LatticeCore

/// What may be asked of streams of bytes to the programs of other peers. Each case names its `StreamAnswer`.
///
/// A stream goes both ways; each way has an end, and whoever hears it has had all. What is sent waits for whoever reads at the other
/// side, over any number of hops. It is sealed for that peer alone: those who pass it on see how much it is and when.
package enum StreamRequest: Hashable, Sendable {
    /// As much as is sent or received at once.
    package static let bytesMax = 256 << 10
    /// As long as one may wait for somebody to listen.
    package static let waitMax: Duration = .seconds(86_400)

    /// Opens a stream to the program that listens there for this label; waits so long for the peer to be there and to listen.
    /// Answer: `opened`.
    case open(PeerID, label: StreamLabel, wait: Duration)
    /// Waits until somebody opens a stream of this label; `nil` is whoever comes. One program at a time listens for a label, and it
    /// listens no longer when somebody has come. Answer: `opened`.
    case listen(label: StreamLabel, from: PeerID?)
    /// Sends at most `bytesMax` bytes; waits until there is room for them. Answer: `done`.
    case send(Int, [UInt8])
    /// Says that nothing more comes, and waits until the program at the other side has taken all. Answer: `done`.
    case finish(Int)
    /// Waits for what comes next; to ask for it says that what came before was dealt with. After the end it waits until the other way has
    /// ended, too. Answer: `bytes`.
    case receive(Int)
    /// Gives a stream up, and tells the other side why. Answer: `done`, also where it is over.
    case reset(Int, StreamReason)
}

/// What a front gets for a `StreamRequest`.
package enum StreamAnswer: Hashable, Sendable {
    case done
    case opened(OpenStream)
    /// At the end there are none.
    case bytes([UInt8], isEnd: Bool)
}

/// A stream that both sides know of.
package struct OpenStream: Hashable, Sendable, Codable {
    /// By what it is asked for at this node; none is given twice.
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
    /// Whatever reads from the program takes no more.
    case readerGone
    /// What was to be sent could not be read.
    case readFailed
}

extension MeshNode {
    /// Asks for what has to do with streams.
    package func stream(_ request: StreamRequest) async throws(RequestError) -> StreamAnswer {
        guard case .stream(let answer) = try await perform(.stream(request)) else {
            preconditionFailure("each request names its answer")
        }
        return answer
    }
}

extension StreamLabel: CodedAsText {
    package var codedText: String { text }

    package init(codedText: String) throws { try self.init(codedText) }
}
