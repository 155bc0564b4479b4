import FoundationEssentials
import LatticeAPI
import LatticeConcurrency
import LatticeCore
import LatticeNode
import LatticeStore
import LatticeWire

/// Offers a file to a peer, and gives what that asks for.
actor ResourceSender: ResourceWork {
    private static let nameRule = """
        the name of a file has 1 to 255 bytes, no '/', '\\', control characters and invisible ones, no blank at its ends and no \
        dot at its end
        """

    private struct Offered {
        let source: ResourceSource
        let stream: ResourceStream
        /// Pieces that the receiver has asked for and not got yet.
        var wanted: Range<Int> = 0..<0
        /// A receiver that goes on with an earlier transfer asks for some nodes twice.
        var piecesLeft: Int
    }

    /// Pieces that are given at once: 256 KiB.
    private static let batchCount = 8
    /// How long a connected peer may take to accept a stream.
    private static let openTimeout: Duration = .seconds(10)

    private let executor = BlockingExecutor("lattice.resource")
    private let session: Session
    private let url: URL
    private let name: String
    private let peer: Peer
    /// `nil` before the beginning and after the end.
    private var offered: Offered?
    private var hasBegun = false
    private var pace = StepPace()

    init(_ session: Session, _ url: URL, named name: String?, to peer: Peer) {
        (self.session, self.url, self.peer) = (session, url, peer)
        self.name = name ?? url.lastPathComponent
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func next() async throws(LatticeError) -> ResourceStep? {
        do throws(LatticeError) {
            if !hasBegun { offered = try await offer() }
            while let offered {
                if offered.wanted.isEmpty {
                    if try await !hear(offered) { return finish(offered) }
                } else if let step = try await giveSome(offered) {
                    return step
                }
            }
            return nil
        } catch {
            offered = nil
            throw error.about(peer.id)
        }
    }

    private func offer() async throws(LatticeError) -> Offered {
        hasBegun = true
        guard url.isFileURL else { throw LatticeError(.invalid, "only files are sent, not what stands at \(url)") }
        guard let name = FileName(name) else {
            throw LatticeError(.invalid, Self.nameRule)
        }
        let running = try await session.running()
        guard session.board.read({ $0[peer.id.core]?.state == .connected }) || peer.id.core == running.id else {
            throw LatticeError(.noRoute, "the peer is not connected")
        }
        let source: ResourceSource
        do throws(ResourceFault) {
            source = try ResourceSource(url.path)
        } catch {
            throw LatticeError(error)
        }
        let info = try await running.open(peer.id.core, for: .resource, wait: Self.openTimeout)
        let stream = ResourceStream(info, on: running.node)
        do throws(RequestError) {
            try await stream.send(ResourceOffer(source.name, name: name, type: MediaType(ofFile: name)).bytes)
        } catch {
            throw LatticeError(ofReceiver: error, hasAsked: false)
        }
        return Offered(source: source, stream: stream, piecesLeft: 2 * source.shape.pieceCount)
    }

    /// Waits for what the receiver says next.
    ///
    /// - Returns: `false` if it has the whole file.
    private func hear(_ offered: Offered) async throws(LatticeError) -> Bool {
        let answer: ResourceAnswer
        do {
            // Until the file is wanted, a person may think about it.
            let bytes = try await offered.stream.take(ResourceAnswer.byteCount, isPatient: !pace.hasBegun)
            answer = try ResourceAnswer(bytes, of: offered.source.shape)
        } catch let error as RequestError {
            throw LatticeError(ofReceiver: error, hasAsked: pace.hasBegun)
        } catch {
            throw LatticeError(.interrupted, "the other side asked for what is not there: \(error)")
        }
        switch answer {
        case .pieces(let range):
            pace.begin()
            guard range.count <= offered.piecesLeft else {
                throw LatticeError(.interrupted, "the other side asked for more than there is")
            }
            self.offered?.wanted = range
            self.offered?.piecesLeft -= range.count
            return true
        case .done:
            await offered.stream.end()
            return false
        }
    }

    private func finish(_ offered: Offered) -> ResourceStep {
        self.offered = nil
        return ResourceStep(completedBytes: offered.source.name.size, totalBytes: offered.source.name.size)
    }

    /// - Returns: a step if one is due.
    private func giveSome(_ offered: Offered) async throws(LatticeError) -> ResourceStep? {
        let (source, wanted) = (offered.source, offered.wanted)
        let batch = wanted.prefix(Self.batchCount)
        var bytes: [UInt8] = []
        do throws(ResourceFault) {
            for number in batch { bytes += try source.piece(number) }
        } catch {
            offered.stream.reset(.readFailed)
            throw LatticeError(error)
        }
        do throws(RequestError) {
            try await offered.stream.send(bytes)
        } catch {
            throw LatticeError(ofReceiver: error, hasAsked: true)
        }
        self.offered?.wanted = batch.upperBound..<wanted.upperBound
        guard case .leaf(let index) = source.shape.piece(batch.upperBound - 1), pace.isDue else { return nil }
        let end = min(source.name.size, Int64(index + 1) * Int64(BlobShape.leafBytes))
        return end < source.name.size ? ResourceStep(completedBytes: end, totalBytes: source.name.size) : nil
    }
}
