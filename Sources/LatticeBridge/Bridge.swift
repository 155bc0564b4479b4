package import LatticeAPI
import LatticeConcurrency
import LatticeCore

/// Copies records between a node and a broker, both ways, until the node ends.
///
/// In: each stream of the broker is read on from where this bridge was, and the node judges what comes as if a neighbour had
/// brought it. Out: once everything that others have published is read, the node's records follow in the order of its store.
/// Each is published at least once, except for those that the broker is known to have.
package actor Bridge {
    private let executor = BlockingExecutor("lattice.bridge")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let node: any MeshNode & FeedNode
    let broker: any BridgeBroker
    let wrapping: any BridgeWrapping
    let via: RecordVia
    let state: BridgeState
    let time: BridgeTime
    var gate = DrainGate()
    let gateSignal = Signal()
    /// Larger files stay here.
    let blobBytesMax: Int64
    /// Raised when a blob waits to be published.
    let blobSignal = Signal()
    /// Ids of pieces that were just published.
    var pieceEchoes = RecentSet<String>(countMax: 4_096)
    /// Raised when records were read.
    let roundSignal = Signal()
    /// All pieces are read that others have published.
    var arePiecesRead = false
    /// Up to here, a piece without its record is dropped.
    var piecesJudged: UInt64 = 0
    /// Records that were just published: the broker delivers them to us, too, and the node need not judge them.
    var echoes = RecentSet<RecordID>(countMax: 8_192)
    var clock = BrokerClock()
    /// Records beyond the confirmed position that the broker has: at most one batch.
    var passed: Set<RecordID> = []
    /// How long to wait when the broker has not taken everything.
    var outWait = Wait.first
    /// The confirmed position of the feed.
    var fed: FeedPosition?
    /// The number of the feed at the node.
    package internal(set) var openFeed: Int?
    /// How often everything had to be read from its beginning.
    var beginnings = 0
    package internal(set) var status = BridgeStatus()

    /// - Parameters:
    ///   - via: the network's name at the node, which does not offer what came over it.
    ///   - blobBytesMax: larger pictures and files are not published.
    package init(
        node: any MeshNode & FeedNode, broker: any BridgeBroker, wrapping: any BridgeWrapping, via: RecordVia,
        state: BridgeState, time: BridgeTime, blobBytesMax: Int64
    ) {
        (self.node, self.broker, self.wrapping, self.via) = (node, broker, wrapping, via)
        (self.state, self.time, self.blobBytesMax) = (state, time, blobBytesMax)
    }

    /// Runs until the task is cancelled.
    ///
    /// - Throws: `RequestError` if the node has ended or does not understand, `BrokerFault` if the broker's streams have
    ///   other settings or it refuses us, `BridgeState.Fault` if the file cannot be written.
    package func run() async throws {
        fed = try state.feed()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for span in BridgeSpan.records { group.addTask { try await self.readIn(span) } }
            group.addTask { try await self.feedOut() }
            group.addTask { try await self.readPieces() }
            group.addTask { try await self.feedPieces() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// The node has another store, or the broker another stream: all of both is read again, and nothing that either has goes to
    /// the other.
    func beginAnew() async throws {
        try state.beginAnew()
        (fed, gate) = (nil, DrainGate())
        echoes.removeAll()
        beginnings += 1
        (status.isLive, status.behind, piecesJudged) = (false, [:], 0)
        pieceEchoes.removeAll()
        (passed, outWait, status.obstacleOut) = ([], Wait.first, nil)
        (status.obstaclePiecesOut, arePiecesRead) = (nil, false)
        for signal in [blobSignal, roundSignal] { signal.raise() }
        guard let openFeed else { return }
        _ = try await node.perform(RecordsEnd(openFeed))
    }

    /// Both sides have everything that may cross.
    package var isComplete: Bool {
        status.isLive && gate.isOpen(at: time.now()) && status.obstacleIn == nil && status.obstacleOut == nil
            && status.obstaclePiecesIn == nil
            && status.obstaclePiecesOut == nil && status.isEachBlobTried && status.behind[.pieces] == 0
            && status.behind.values.allSatisfy { $0 == 0 }
    }

    /// Half a second, and up to eight.
    enum Wait {
        static let first: Duration = .milliseconds(500)
        static let max: Duration = .seconds(8)
        /// A full stream gets space when something in it expires.
        static let full: Duration = .seconds(60)
    }
}
