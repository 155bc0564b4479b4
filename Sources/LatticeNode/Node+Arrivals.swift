import LatticeCore
import LatticeCrypto
import LatticeLink
import LatticeMesh
import LatticeWire
import Logging

// What came over links, judged before the mesh has it: signatures are checked off the loop where there are several, so that links do
// not wait for one another's.
extension Node {
    /// Frames of one link, which reads nothing more until they are judged.
    struct Arrival: Sendable {
        let link: Link
        let frames: [Frame]
    }

    /// What the mesh is told of frames.
    struct Judged: Sendable {
        var events: [MeshEvent] = []
        var presences: [VerifiedRecord] = []
        var fault: LinkFault?
    }

    func received(_ all: [Frame], on link: Link) -> Reception {
        metrics.received(all)
        let (plain, frames) = all.dividedAtSignature
        // Whoever lets us in tells at once whom it knows of: that we are in does not wait until all of that is checked.
        if !plain.isEmpty { handle(plain.lazy.map { .received(link.id, $0) }) }
        guard !frames.isEmpty else { return .taken }
        // So few take no longer than to have another thread check them, and back.
        guard frames.count(where: \.isSigned) > CachingVerifier.inTurnMax,
            case .enqueued = arrivalInput.yield(Arrival(link: link, frames: frames))
        else {
            let judged = judge(frames, from: link, records(in: frames).map(verifier.judge))
            tellMesh(judged)
            return judged.fault.map(Reception.faulty) ?? .taken
        }
        return .later
    }

    /// One task for each link that waits for its frames to be judged.
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
            // Every honest peer checks before it passes on, so whoever sends this is at fault itself.
            judged.fault = LinkFault("a record with an invalid signature")
        }
        return judged
    }

    /// Whether its time is over. The presence of a neighbour itself never is, however far off its clock: its link proves that it is there.
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

    /// Whoever a probe is for judges its path, and nobody on the way: an honest neighbour may bring a false one.
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
    /// Those before the first that is signed, and the others.
    var dividedAtSignature: (plain: [Frame], rest: [Frame]) {
        guard let first = firstIndex(where: \.isSigned) else { return (self, []) }
        return first == startIndex ? ([], self) : (Array(self[..<first]), Array(self[first...]))
    }
}

extension Frame {
    /// Whether somebody's signature has to be checked before it counts.
    fileprivate var isSigned: Bool {
        switch self {
        case .record, .supply, .probe, .presence: true
        case .goodbye, .ping, .pong, .rekey, .invitation, .accept, .refuse, .have, .graft, .prune, .walk, .shuffle,
            .keeping, .comparison, .offer, .fetch, .lack, .stored, .data, .dataAnswer:
            false
        }
    }
}
