import LatticeCore
import LatticeCrypto
import LatticeLink
import LatticeMesh
import LatticeWire
import Logging

// Frames from links, checked before they reach the mesh. Batches of signatures are verified off the loop, so that links do not
// wait for each other.
extension Node {
    /// Frames of one link, which reads no more until they are judged.
    struct Arrival: Sendable {
        let link: Link
        let frames: [Frame]
    }

    /// The outcome, for the mesh.
    struct Judged: Sendable {
        var events: [MeshEvent] = []
        var presences: [VerifiedRecord] = []
        var fault: LinkFault?
    }

    func received(_ all: [Frame], on link: Link) -> Reception {
        metrics.received(all)
        let (plain, frames) = all.dividedAtSignature
        // A peer that lets us in announces its people at once. Our admission does not wait for all those signatures.
        if !plain.isEmpty { handle(plain.lazy.map { .received(link.id, $0) }) }
        guard !frames.isEmpty else { return .taken }
        // Verifying this few takes no longer than handing them to another thread and back.
        guard frames.count(where: \.isSigned) > CachingVerifier.inTurnMax,
            case .enqueued = arrivalInput.yield(Arrival(link: link, frames: frames))
        else {
            let judged = judge(frames, from: link, records(in: frames).map(verifier.judge))
            tellMesh(judged)
            return judged.fault.map(Reception.faulty) ?? .taken
        }
        return .later
    }

    /// One task for each link with frames to judge.
    nonisolated func judgeArrivals(_ arrivals: AsyncStream<Arrival>) async {
        await withDiscardingTaskGroup { group in
            for await arrival in arrivals {
                group.addTask {
                    let records = await self.verifier.verifyAll(self.records(in: arrival.frames))
                    let judged = self.judge(arrival.frames, from: arrival.link, records)
                    await self.tellMesh(judged)
                    arrival.link.goOn(after: judged.fault)
                }
            }
        }
    }

    private func tellMesh(_ judged: Judged) {
        handle(judged.events)
        if !judged.presences.isEmpty { clocksTold(by: judged.presences) }
    }

    private nonisolated func judge(
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
                        isOver: isOver(record, from: neighbour, at: now))
                    judged.events.append(.heard(link, record, arrival))
                case .presence(let carried):
                    let record = try next(&records)
                    judged.presences.append(record)
                    let arrival = RecordArrival(
                        timeToLive: carried.timeToLive, hops: carried.hops, ageMilliseconds: carried.ageMilliseconds,
                        isOver: isOver(record, from: neighbour, at: now))
                    judged.events.append(.heard(link, record, arrival))
                case .supply(let supply):
                    judged.events.append(.supplied(link, try next(&records), ageSeconds: supply.ageSeconds))
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
    private nonisolated func isOver(_ record: VerifiedRecord, from link: Link, at now: WallTime) -> Bool {
        guard RecordAge(of: record, at: now) == .over else { return false }
        return record.kind != .presence || record.author != link.peer.peer
    }

    private nonisolated func next(
        _ records: inout ArraySlice<Result<VerifiedRecord, CryptoError>>
    ) throws(CryptoError) -> VerifiedRecord {
        guard let result = records.popFirst() else { preconditionFailure("every record that came was judged") }
        return try result.get()
    }

    private nonisolated func records(in frames: [Frame]) -> [SignedRecord] {
        frames.compactMap { frame in
            switch frame {
            case .record(let carried): carried.signed
            case .supply(let supply): supply.signed
            case .presence(let carried): carried.signed
            default: nil
            }
        }
    }

    /// Only a probe's target judges its path, not the peers on the way: an honest neighbour may relay a false one.
    private nonisolated func isTrue(_ probe: Probe) -> Bool {
        let end = probe.direction == .there ? probe.to : probe.from
        guard end == configuration.identity.peer else { return true }
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
        case .record, .supply, .probe, .presence: true
        case .goodbye, .ping, .pong, .rekey, .invitation, .accept, .refuse, .have, .graft, .prune, .walk, .shuffle,
            .keeping, .comparison, .offer, .fetch, .lack, .stored, .data, .dataAnswer:
            false
        }
    }
}
