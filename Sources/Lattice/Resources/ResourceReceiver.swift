import LatticeAPI
import LatticeConcurrency
import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire

/// Tells the sender that its file is not fetched any more, when the transfer goes before its end.
private final class TransferHold: Sendable {
    private let stream: ResourceStream

    init(_ stream: ResourceStream) { self.stream = stream }

    deinit { stream.reset(.ended) }
}

/// Fetches what a peer offers into a file.
actor ResourceReceiver: ResourceWork {
    private enum Phase {
        case idle
        case receiving(ResourcePart, next: Int)
        case over
    }

    private let executor = BlockingExecutor("lattice.resource")
    private let resource: IncomingResource
    private let offer: ResourceOffer
    private let shape: BlobShape
    private let stream: ResourceStream
    private let place: ResourcePlace
    private var phase = Phase.idle
    private var hold: TransferHold?
    private var pace = StepPace()
    /// The verified hashes of the nodes, or of all leaves where there is one node only.
    private var top: [UInt8] = []
    /// The verified hashes of the leaves that come now, where there are two levels of nodes.
    private var node: [UInt8] = []

    init(
        _ resource: IncomingResource, _ offer: ResourceOffer, _ stream: ResourceStream, to place: ResourcePlace
    ) {
        (self.resource, self.offer, self.stream, self.place) = (resource, offer, stream, place)
        shape = BlobShape(offer.blob)
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func next() async throws(LatticeError) -> ResourceStep? {
        do throws(LatticeError) {
            switch phase {
            case .idle: return try await begin()
            case .receiving(let part, let next): return try await receive(part, from: next)
            case .over: return nil
            }
        } catch {
            (phase, hold) = (.over, nil)
            throw error.about(resource.peer.id)
        }
    }

    // MARK: - Beginning

    private func begin() async throws(LatticeError) -> ResourceStep? {
        guard let path = place.path else { throw LatticeError(.invalid, "a file is saved to a file URL") }
        guard resource.take() else {
            throw LatticeError(.busy, "a transfer of this resource runs or is over")
        }
        let part: ResourcePart
        do throws(ResourceFault) {
            part = try ResourcePart.open(path, mayReplace: place.mayReplace, for: offer.blob)
        } catch {
            resource.release()
            throw LatticeError(error)
        }
        hold = TransferHold(stream)
        pace.begin()
        let kept = try await keptLeaves(part)
        if kept < shape.leafCount {
            let first = firstPiece(toGet: kept)
            phase = .receiving(part, next: first)
            try await ask(first..<shape.pieceCount)
            return ResourceStep(completedBytes: Int64(kept) * Int64(BlobShape.leafBytes), totalBytes: offer.blob.size)
        }
        return try await complete(part)
    }

    /// Verifies what an earlier transfer left.
    ///
    /// - Returns: how many leaves are right. The rest was cut off.
    private func keptLeaves(_ part: ResourcePart) async throws(LatticeError) -> Int {
        let size = try file { () throws(ResourceFault) in try part.size }
        let there = size == offer.blob.size ? shape.leafCount : Int(min(size, offer.blob.size)) / BlobShape.leafBytes
        var right = 0
        // An empty file has a leaf, too.
        while right < there {
            guard !Task.isCancelled else { throw .cancelled }
            try await fetchNodes(above: right)
            let number = shape.number(of: .leaf(right))
            let bytes = try file { () throws(ResourceFault) in
                try part.read(at: Int64(right) * Int64(BlobShape.leafBytes), count: shape.byteCount(of: number))
            }
            guard proves(bytes[...], number) else { break }
            right += 1
        }
        let end = right == shape.leafCount ? offer.blob.size : Int64(right) * Int64(BlobShape.leafBytes)
        if size > end { try file { () throws(ResourceFault) in try part.cut(to: end) } }
        return right
    }

    /// Asks for the nodes that prove a leaf of an earlier transfer, before its first sibling.
    private func fetchNodes(above leaf: Int) async throws(LatticeError) {
        guard shape.height > 0 else { return }
        if top.isEmpty { top = try await fetch(0) }
        guard shape.height == 2, leaf % BlobShape.childrenMax == 0 else { return }
        node = try await fetch(shape.number(of: .node(leaf / BlobShape.childrenMax)))
    }

    private func fetch(_ number: Int) async throws(LatticeError) -> [UInt8] {
        try await ask(number..<number + 1)
        return Array(try await piece(number))
    }

    /// The first leaf that is missing, or the node above it if that is not here yet.
    private func firstPiece(toGet leaf: Int) -> Int {
        if leaf == 0, top.isEmpty { return 0 }
        let isFirst = shape.height == 2 && leaf % BlobShape.childrenMax == 0
        return shape.number(of: isFirst ? .node(leaf / BlobShape.childrenMax) : .leaf(leaf))
    }

    private func ask(_ range: Range<Int>) async throws(LatticeError) {
        do throws(RequestError) {
            try await stream.send(ResourceAnswer.pieces(range).bytes)
        } catch {
            throw LatticeError(ofSender: error)
        }
    }

    // MARK: - Receiving

    private func receive(_ part: ResourcePart, from first: Int) async throws(LatticeError) -> ResourceStep? {
        for number in first..<shape.pieceCount {
            guard !Task.isCancelled else { throw .cancelled }
            let bytes = try await piece(number)
            switch shape.piece(number) {
            case .top: top = Array(bytes)
            case .node: node = Array(bytes)
            case .leaf(let index):
                let offset = Int64(index) * Int64(BlobShape.leafBytes)
                try write(bytes, to: part, at: offset)
                guard pace.isDue, number + 1 < shape.pieceCount else { continue }
                phase = .receiving(part, next: number + 1)
                return ResourceStep(completedBytes: offset + Int64(bytes.count), totalBytes: offer.blob.size)
            }
        }
        return try await complete(part)
    }

    /// Takes the next piece that was asked for.
    private func piece(_ number: Int) async throws(LatticeError) -> ArraySlice<UInt8> {
        let bytes: ArraySlice<UInt8>
        do throws(RequestError) {
            bytes = try await stream.take(shape.byteCount(of: number))
        } catch {
            throw LatticeError(ofSender: error)
        }
        guard proves(bytes, number) else {
            stream.reset(.ended)
            throw LatticeError(.damaged, "the sender gave something else than it offered")
        }
        return bytes
    }

    private func proves(_ bytes: ArraySlice<UInt8>, _ number: Int) -> Bool {
        let isUnderTop = shape.parent(of: number)?.number == 0
        return BlobTree.proves(bytes, isPiece: number, of: offer.blob, parent: (isUnderTop ? top : node)[...])
    }

    private func write(
        _ bytes: ArraySlice<UInt8>, to part: ResourcePart, at offset: Int64
    ) throws(LatticeError) {
        try file { () throws(ResourceFault) in try part.write(bytes, at: offset) }
    }

    private func complete(_ part: ResourcePart) async throws(LatticeError) -> ResourceStep {
        try file { () throws(ResourceFault) in try part.publish() }
        phase = .over
        do throws(RequestError) {
            try await stream.send(ResourceAnswer.done.bytes)
            await stream.end()
        } catch {
            // The file is here; only its sender does not learn it.
        }
        return ResourceStep(completedBytes: offer.blob.size, totalBytes: offer.blob.size)
    }

    /// The sender learns that the file cannot be saved.
    private func file<Value>(_ work: () throws(ResourceFault) -> Value) throws(LatticeError) -> Value {
        do throws(ResourceFault) {
            return try work()
        } catch {
            stream.reset(error.isFull ? .diskFull : .writeFailed)
            throw LatticeError(error)
        }
    }
}
