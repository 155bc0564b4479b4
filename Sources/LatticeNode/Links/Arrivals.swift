import DequeModule
import LatticeConcurrency
import LatticeCore
import LatticeCrypto
import LatticeLink
import LatticeMesh
import LatticeWire
import Logging
import Synchronization

/// Frames from links, whose signatures are checked before the mesh sees a record: a few in place, more of them off the loop,
/// so that links do not wait for each other.
final class Arrivals: Sendable {
    /// Frames of one link, which reads no more until they are judged.
    private struct Arrival: Sendable {
        let link: Link
        let frames: [Frame]
    }

    /// The outcome, for the mesh.
    struct Judged: Sendable {
        var events: [MeshEvent] = []
        var presences: [VerifiedRecord] = []
        var fault: LinkFault?
    }

    let verifier = CachingVerifier()
    private let me: PeerID
    private let clock: NodeClock
    private let logger: Logger
    private let queue = Mutex(Deque<Arrival>())
    private let signal = Signal()

    init(for me: PeerID, clock: NodeClock, logger: Logger) {
        (self.me, self.clock, self.logger) = (me, clock, logger)
    }

    /// - Returns: `nil` if the node gets the outcome later.
    func take(_ frames: [Frame], on link: Link) -> Judged? {
        // Verifying this few takes no longer than handing them to another thread and back.
        guard frames.count(where: \.isSigned) > CachingVerifier.inTurnMax, add(Arrival(link: link, frames: frames))
        else {
            return judge(frames, from: link, records(in: frames).map(verifier.judge))
        }
        signal.raise()
        return nil
    }

    /// - Returns: `false` if it is full. A link waits for its own frames, so there are never more of them than links.
    private func add(_ arrival: Arrival) -> Bool {
        queue.withLock { queue in
            guard queue.count < LinkTable.linksMax else { return false }
            queue.append(arrival)
            return true
        }
    }

    /// One task for each link with frames to judge.
    func run(for node: Node) async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                await signal.wait()
                while !Task.isCancelled, let arrival = queue.withLock({ $0.popFirst() }) {
                    group.addTask(executorPreference: globalConcurrentExecutor) {
                        let records = await self.verifier.verifyAll(self.records(in: arrival.frames))
                        let judged = self.judge(arrival.frames, from: arrival.link, records)
                        await node.judged(judged)
                        arrival.link.goOn(after: judged.fault)
                    }
                }
            }
        }
    }

    private func judge(
        _ frames: [Frame], from neighbour: Link, _ records: [Result<VerifiedRecord, CryptoError>]
    ) -> Judged {
        var judged = Judged()
        judged.events.reserveCapacity(frames.count)
        let (link, now) = (neighbour.id, clock.now)
        var records = records[...]
        do {
            for frame in frames {
                switch frame {
                case .probe(let probe) where !isTrue(probe): judged.events.append(.probeForged(probe))
                case .record(let carried):
                    let record = try next(&records)
                    if record.kind == .presence { judged.presences.append(record) }
                    let arrival = RecordArrival(
                        timeToLive: carried.timeToLive, hops: carried.hops, isStray: carried.isStray,
                        isOver: isOver(record, from: neighbour, at: now), isOld: Self.isOld(record, at: now))
                    judged.events.append(.heard(link, record, arrival))
                case .presence(let carried):
                    let record = try next(&records)
                    judged.presences.append(record)
                    let arrival = RecordArrival(
                        timeToLive: carried.timeToLive, hops: carried.hops, ageMilliseconds: carried.ageMilliseconds,
                        isOver: isOver(record, from: neighbour, at: now))
                    judged.events.append(.heard(link, record, arrival))
                case .serve(let serve):
                    judged.events.append(.served(link, try next(&records), ageSeconds: serve.ageSeconds))
                default: judged.events.append(.received(link, frame))
                }
            }
        } catch {
            // Every honest peer checks before it relays, so the sender is at fault itself.
            judged.fault = LinkFault("a record with an invalid signature")
        }
        return judged
    }

    /// Whether it has expired. A neighbour's own presence never has, however wrong its clock: its link proves that it is there.
    private func isOver(_ record: VerifiedRecord, from link: Link, at now: WallTime) -> Bool {
        guard RecordAge(of: record, at: now) == .over else { return false }
        return record.kind != .presence || record.author != link.peer.peer
    }

    /// Whether it was written more than a day ago, even if the clocks differ by three days. Somebody repeats it.
    private static func isOld(_ record: VerifiedRecord, at now: WallTime) -> Bool {
        record.record.created.wallTime.milliseconds < now.milliseconds - 4 * 86_400_000
    }

    private func next(
        _ records: inout ArraySlice<Result<VerifiedRecord, CryptoError>>
    ) throws(CryptoError) -> VerifiedRecord {
        guard let result = records.popFirst() else { preconditionFailure("every record that came was judged") }
        return try result.get()
    }

    private func records(in frames: [Frame]) -> [SignedRecord] {
        frames.compactMap { frame in
            switch frame {
            case .record(let carried): carried.signed
            case .serve(let serve): serve.signed
            case .presence(let carried): carried.signed
            default: nil
            }
        }
    }

    /// Only a probe's target judges its path, not the peers on the way: an honest neighbour may relay a false one.
    private func isTrue(_ probe: Probe) -> Bool {
        let end = probe.direction == .there ? probe.to : probe.from
        guard end == me else { return true }
        do {
            try PathVerifier.verify(probe)
            return true
        } catch {
            logger.debug("probe with an invalid path", metadata: ["error": "\(error)"])
            return false
        }
    }
}

extension [Frame] {
    /// The frames before the first signed one, and the rest.
    var dividedAtSignature: (plain: [Frame], rest: [Frame]) {
        guard let first = firstIndex(where: \.isSigned) else { return (self, []) }
        return first == startIndex ? ([], self) : (Array(self[..<first]), Array(self[first...]))
    }
}

extension Frame {
    /// Whether it carries a signature that has to be verified.
    fileprivate var isSigned: Bool {
        switch self {
        case .record, .serve, .probe, .presence: true
        case .goodbye, .ping, .pong, .rekey, .invitation, .accept, .refuse, .have, .graft, .prune, .walk, .shuffle,
            .keeping, .comparison, .offer, .fetch, .lack, .stored, .data, .dataAnswer, .want, .holds, .piece, .absent,
            .datagram:
            false
        }
    }
}
