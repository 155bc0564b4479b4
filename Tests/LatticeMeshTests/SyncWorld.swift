import DequeModule
import LatticeCore
import LatticeWire
import Testing

@testable import LatticeMesh

/// Some meshes with sets in memory, wired to one another: enough to see whether all come to hold the same.
///
/// A reconciliation covers the ids in portions by their last bits, one question each; the asker reads the other's set where
/// Negentropy would work it out.
struct SyncWorld {
    enum Conduct: Equatable {
        case honest
        /// Says that it has what does not exist, and serves nothing.
        case makesUp
        /// Answers no question and serves nothing.
        case isSilent
        /// Served what nobody asked for.
        case forces
        /// Says that both have the same.
        case deniesAll
        /// Says that it has everything the others have, and answers each fetch but after half a minute.
        case isLate
    }

    enum Kind: Hashable {
        case comparison
        case offer
        case fetch
        case serve
        case lack
        case stored
    }

    struct Peer {
        var mesh: Mesh
        let id: PeerID
        private(set) var records: [RecordID: VerifiedRecord] = [:]
        /// Ids of one scope and portion.
        private var portions: [Portion: Set<RecordID>] = [:]
        var conduct = Conduct.honest
        var links: [LinkID] = []
        /// What the store takes no more, as if for want of room.
        var declines: Set<RecordID> = []
        var storeFails = false
        var keptCounts: [RecordID: Int] = [:]
        var bytesIn = 0

        init(mesh: Mesh, id: PeerID) {
            self.mesh = mesh
            self.id = id
        }

        mutating func insert(_ record: VerifiedRecord) {
            guard let group = SyncScope.Group(of: record.kind) else { return }
            records[record.id] = record
            portions[Portion(group, record.id.hash.words.3 % SyncWorld.portions), default: []].insert(record.id)
        }

        func ids(_ group: SyncScope.Group, _ number: UInt64) -> Set<RecordID> {
            portions[Portion(group, number)] ?? []
        }
    }

    struct Portion: Hashable {
        let group: SyncScope.Group
        let number: UInt64

        init(_ group: SyncScope.Group, _ number: UInt64) {
            self.group = group
            self.number = number
        }
    }

    enum Happening {
        case event(MeshEvent, to: Int)
        case frame(Frame, to: Int, on: LinkID)
        case push(VerifiedRecord, timeToLive: UInt8, hops: UInt8, isStray: Bool, to: Int, on: LinkID)
    }

    static let portions: UInt64 = 3
    var peers: [Peer] = []
    var now = Instant.zero
    var generator: SeededGenerator
    /// The share that is lost, of those frames that may get lost.
    var lossPerMille = 0
    private(set) var frameCounts: [Kind: Int] = [:]
    private var ends: [LinkID: (Int, Int)] = [:]
    private var lastLink: UInt64 = 0
    /// In the order in which it happens; of two at one time, as they were put in.
    private var queue: Deque<(at: Instant, happening: Happening)> = []

    init(_ count: Int, seed: UInt64) throws {
        generator = SeededGenerator(seed: seed)
        for number in 0..<count {
            var options = MeshOptions(mesh: try MeshName("test"), meshTag: 7)
            options.activeMax = 20
            let presence = Presence(isHere: true, name: try PeerName("p\(number)"), rooms: [])
            let id = Fixture.peer(UInt8(number + 1))
            let mesh = Mesh(me: id, presence: presence, options: options, seed: generator.next())
            peers.append(Peer(mesh: mesh, id: id))
            handle(.keepingChanged(.everything), by: number)
        }
    }

    // MARK: - What a test does

    mutating func link(_ dialler: Int, _ other: Int) throws {
        lastLink += 1
        let link = LinkID(rawValue: lastLink)
        ends[link] = (dialler, other)
        for (peer, far) in [(dialler, other), (other, dialler)] {
            peers[peer].links.append(link)
            let opened = OpenedLink(
                peer: peers[far].id, name: try PeerName("p\(far)"), instance: 1,
                address: PeerAddress(host: "10.0.0.\(far)", port: 4_000),
                dial: peer == dialler ? DialID(rawValue: 1_000 + lastLink) : nil)
            handle(.linkOpened(link, opened), by: peer)
        }
    }

    mutating func cut(_ first: Int, _ second: Int) {
        for link in peers[first].links where peers[second].links.contains(link) { close(link) }
    }

    private mutating func close(_ link: LinkID) {
        guard let (first, second) = ends.removeValue(forKey: link) else { return }
        for peer in [first, second] {
            peers[peer].links.removeAll { $0 == link }
            handle(.linkClosed(link, .broken("cut")), by: peer)
        }
    }

    /// Puts new records into a peer's store, as if they had come before anybody was there.
    mutating func give(_ peer: Int, _ count: Int, kinds: [RecordKind] = [.chat, .post, .like, .deletion]) throws {
        for _ in 0..<count {
            let words = (generator.next(), generator.next(), generator.next(), generator.next())
            let id = RecordID(Bytes32(words: words))
            let kind = try #require(kinds.randomElement(using: &generator))
            peers[peer].insert(Fixture.record(id, kind: kind))
        }
    }

    mutating func pass(_ time: Duration) {
        let end = now.advanced(by: time)
        while let next = nextTime, next <= end {
            now = max(now, next)
            if let first = queue.first, first.at <= now {
                happen(queue.removeFirst().happening)
                continue
            }
            for peer in peers.indices where peers[peer].mesh.nextDeadline.map({ $0 <= now }) ?? false {
                handle(.woke, by: peer)
            }
        }
        now = end
    }

    private var nextTime: Instant? {
        var earliest = queue.first?.at
        for peer in peers.indices {
            if let deadline = peers[peer].mesh.nextDeadline { earliest = min(earliest ?? deadline, deadline) }
        }
        return earliest
    }

    var haveAllTheSame: Bool {
        let honest = peers.filter { $0.conduct == .honest }
        return honest.allSatisfy { Set($0.records.keys) == Set(honest[0].records.keys) }
    }

    // MARK: - What happens

    private mutating func later(_ delay: Duration, _ happening: Happening) {
        let at = now.advanced(by: delay)
        var index = queue.count
        while index > 0, queue[index - 1].at > at { index -= 1 }
        queue.insert((at, happening), at: index)
    }

    private mutating func happen(_ happening: Happening) {
        switch happening {
        case .event(let event, let peer): handle(event, by: peer)
        case .frame(let frame, let peer, let link):
            guard peers[peer].links.contains(link) else { return }
            if case .serve(let serve) = frame {
                let id = served[serve.signed] ?? RecordID(.zero)
                let record = peers.lazy.compactMap { $0.records[id] }.first ?? Fixture.record(id)
                handle(.served(link, record, ageSeconds: serve.ageSeconds), by: peer)
            } else {
                handle(.received(link, frame), by: peer)
            }
        case .push(let record, let timeToLive, let hops, let isStray, let peer, let link):
            guard peers[peer].links.contains(link) else { return }
            handle(.heard(link, record, RecordArrival(timeToLive: timeToLive, hops: hops, isStray: isStray)), by: peer)
        }
    }

    /// Records by their bytes, since ids here are no hashes.
    private var served: [SignedRecord: RecordID] = [:]

    mutating func handle(_ event: MeshEvent, by peer: Int) {
        for effect in peers[peer].mesh.handle(event, at: now) { carryOut(effect, of: peer) }
    }

    private mutating func carryOut(_ effect: MeshEffect, of peer: Int) {
        switch effect {
        case .send(let frame, let link): send(frame, of: peer, on: link)
        case .close(let link, _): close(link)
        case .compare(let work): compare(work, of: peer)
        case .serve(let ids, let link): serve(ids, of: peer, on: link)
        case .keep(let record, _, _, _): later(.milliseconds(5), .event(.kept([keep(record, in: peer)]), to: peer))
        case .forward(let record, let timeToLive, let hops, let isStray, _, let links):
            for link in links {
                guard let far = far(peer, on: link) else { continue }
                later(
                    .milliseconds(3),
                    .push(record, timeToLive: timeToLive, hops: hops, isStray: isStray, to: far, on: link))
            }
        case .deliver(let record, _, _): peers[peer].insert(record)
        case .dial, .endorse, .announce, .handPresence, .stateChanged, .ask, .unreachable, .dialledSelf,
            .presenceChanged, .probed,
            .syncChanged, .comparedWith, .confirmed, .supplied, .outboxFull, .data, .datagram, .blob, .invitationEnded:
            break
        }
    }

    private func far(_ peer: Int, on link: LinkID) -> Int? {
        ends[link].map { $0.0 == peer ? $0.1 : $0.0 }
    }

    private mutating func send(_ frame: Frame, of peer: Int, on link: LinkID) {
        guard let far = far(peer, on: link) else { return }
        if let kind = frame.syncKind { frameCounts[kind, default: 0] += 1 }
        if frame.syncKind != nil, lossPerMille > 0, Int.random(in: 0..<1_000, using: &generator) < lossPerMille {
            return
        }
        peers[far].bytesIn += frame.byteCount
        later(.milliseconds(3), .frame(frame, to: far, on: link))
    }

    /// A store, in a moment.
    private mutating func keep(_ record: VerifiedRecord, in peer: Int) -> KeptRecord {
        if peers[peer].storeFails { return KeptRecord(record.id, .failed) }
        if peers[peer].declines.contains(record.id) { return KeptRecord(record.id, .declined) }
        guard peers[peer].records[record.id] == nil else { return KeptRecord(record.id, .known) }
        peers[peer].insert(record)
        peers[peer].keptCounts[record.id, default: 0] += 1
        return KeptRecord(record.id, .added)
    }

    private mutating func serve(_ ids: [RecordID], of peer: Int, on link: LinkID) {
        switch peers[peer].conduct {
        case .makesUp, .isSilent: return
        case .honest, .forces, .deniesAll, .isLate: break
        }
        for id in ids {
            guard let record = peers[peer].records[id] else {
                send(.lack(RecordIDs([id])), of: peer, on: link)
                continue
            }
            // The signature stands for the id.
            let signed = SignedRecord(record.record, signature: id.hash.bytes + id.hash.bytes)
            served[signed] = id
            if peers[peer].conduct == .isLate {
                guard let far = far(peer, on: link) else { return }
                later(.seconds(29), .frame(.serve(ServedRecord(ageSeconds: 0, signed: signed)), to: far, on: link))
            } else {
                send(.serve(ServedRecord(ageSeconds: 0, signed: signed)), of: peer, on: link)
            }
        }
    }

    // MARK: - Comparing

    private mutating func compare(_ work: ComparisonWork, of peer: Int) {
        guard let far = far(peer, on: work.link) else { return }
        let result: ComparisonOutcome.Result
        switch work.side {
        case .answer:
            if peers[peer].conduct == .isSilent { return }
            if peers[peer].conduct == .forces { force(on: work.link, of: peer) }
            result = .step(reply: work.message, have: [], need: [])
        case .question where work.message.isEmpty: result = .step(reply: [0], have: [], need: [])
        case .question:
            let portion = UInt64(work.message[0])
            let (have, need) = differences(peer, far, work.scope, portion)
            let next = portion + 1 < Self.portions ? [UInt8(portion + 1)] : nil
            result = .step(reply: next, have: have, need: need)
        }
        later(.milliseconds(1), .event(.compared(ComparisonOutcome(work, result)), to: peer))
    }

    private mutating func differences(
        _ peer: Int, _ far: Int, _ scope: SyncScope, _ portion: UInt64
    ) -> (have: [RecordID], need: [RecordID]) {
        let (mine, theirs) = (peers[peer].ids(scope.group, portion), peers[far].ids(scope.group, portion))
        switch peers[far].conduct {
        case .makesUp:
            let made = (0..<1_000).map { _ in
                RecordID(Bytes32(words: (generator.next(), generator.next(), 0, portion)))
            }
            return ([], made)
        case .deniesAll: return ([], [])
        case .isLate, .honest, .isSilent, .forces:
            return (mine.subtracting(theirs).sorted(), theirs.subtracting(mine).sorted())
        }
    }

    private mutating func force(on link: LinkID, of peer: Int) {
        for _ in 0..<100 {
            let id = RecordID(Bytes32(words: (generator.next(), generator.next(), 0, 0)))
            guard let far = far(peer, on: link) else { return }
            later(.milliseconds(3), .event(.served(link, Fixture.record(id), ageSeconds: 0), to: far))
        }
    }
}

extension Frame {
    /// The kind of a frame that may get lost; `nil` for others.
    fileprivate var syncKind: SyncWorld.Kind? {
        switch self {
        case .comparison: .comparison
        case .offer: .offer
        case .fetch: .fetch
        case .serve: .serve
        case .lack: .lack
        case .stored: .stored
        case .goodbye, .ping, .pong, .rekey, .invitation, .accept, .refuse, .record, .probe, .have, .graft, .prune,
            .walk, .shuffle, .keeping, .data, .dataAnswer, .presence, .want, .holds, .piece, .absent, .datagram:
            nil
        }
    }
}
