import LatticeCore
import LatticeMesh
import LatticeWire

extension FuzzTarget {
    static let mesh = FuzzTarget(
        "mesh",
        "a mesh and any events: effects only for links that are there, bounded state, time goes on, all that is said can be read",
        inputBytesMax: 1_024
    ) { bytes throws(BrokenProperty) in
        var trial = MeshTrial(ByteSource(bytes))
        try trial.run()
    }
}

/// Feeds one mesh with events made from bytes, and checks what its owner relies on.
struct MeshTrial {
    var source: ByteSource
    let cast = MeshCast.shared
    var mesh: Mesh
    var now = Instant(nanoseconds: 1_000_000_000)
    var watch = MeshWatch()
    private var lastLink: UInt64 = 0

    init(_ source: ByteSource) {
        self.source = source
        var options = MeshOptions(mesh: cast.mesh, meshTag: 7)
        options.policy = self.source.choice(of: [.auto, .ask, .contacts, .none])
        options.activeMax = self.source.choice(of: [8, 1, 2, 3])
        options.passiveMax = self.source.choice(of: [64, 2])
        options.contacts = [cast.others[0], cast.others[1]]
        if self.source.flag() { (options.originRate, options.linkRate) = (16, 32) }
        let presence = Presence(isHere: true, name: cast.name, rooms: cast.rooms)
        mesh = Mesh(me: cast.me, presence: presence, options: options, seed: UInt64(self.source.byte()))
    }

    mutating func run() throws(BrokenProperty) {
        var steps = 0
        while !source.isEmpty, steps < 600 {
            steps += 1
            pass()
            guard let event = event() else { continue }
            try handle(event)
            // A full inspection costs more than most events.
            if steps % 8 == 0 { try watch.inspect(mesh) }
        }
        try watch.inspect(mesh)
        // Once no more events arrive, a mesh woken at its deadlines must come to rest.
        for _ in 0..<20 {
            guard let deadline = mesh.nextDeadline else { break }
            now = max(now, deadline)
            try handle(.woke)
        }
    }

    private mutating func handle(_ event: MeshEvent) throws(BrokenProperty) {
        watch.happens(event)
        let effects = mesh.handle(event, at: now)
        try watch.saw(effects, of: event, by: cast.me)
        if let deadline = mesh.nextDeadline {
            try hold(deadline > now, "after \(event.words) its wake-up time is in the past")
        }
    }

    /// Time never goes back and usually advances a little.
    private mutating func pass() {
        let milliseconds: Int64 =
            source.choice(of: [
                0, 0, 0, 1, 20, 50, 300, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 61_000, 3_600_000, 86_400_000,
            ])
        now = now.advanced(byNanoseconds: milliseconds * 1_000_000)
    }

    // MARK: - Events

    private mutating func event() -> MeshEvent? {
        switch source.byte() % 32 {
        case 0: return .woke
        case 1, 2: return link(isOurs: false)
        case 3: return link(isOurs: true)
        case 4: return closing()
        case 5, 6, 7: return anyLink().map { .received($0, .invitation(invitation())) }
        case 8: return anyLink().map { .received($0, .accept(room: source.byte())) }
        case 9, 10, 11: return anyLink().map { heard(on: $0) }
        case 12: return anyLink().map { served(on: $0) }
        case 13: return .submitted(source.choice(of: cast.own))
        case 14: return .sighted(sighting())
        case 15: return .lost(sighting())
        case 16: return .wanted(peer().prefix)
        case 17: return watch.dials.isEmpty ? nil : .dialFailed(takeDial(), .noConnection(reason: "no answer"))
        case 18: return anyLink().map { source.flag() ? .linkBusy($0) : .linkFree($0) }
        case 19: return watch.asked.isEmpty ? nil : .answered(source.choice(of: watch.asked), accept: source.flag())
        case 20: return .presenceChanged(presence())
        case 21: return .probeWanted(peer(), nonce: source.number(bytes: 1))
        case 22: return .keepingChanged(keeping())
        case 23, 24: return compared()
        case 25: return kept()
        case 26: return rare()
        case 27: return anyLink().flatMap { pong(on: $0) }
        default: return anyLink().map { .received($0, frame()) }
        }
    }

    private mutating func rare() -> MeshEvent {
        switch source.byte() % 9 {
        case 0: .clockLeapt
        case 1: .syncWanted
        case 2: .flushWanted
        case 3: .blockedChanged(source.flag() ? [peer()] : [])
        case 4: .dropped([recordID()])
        case 5: .probeForged(probe())
        case 6: seldom()
        case 7: .data(dataEvent())
        case 8: .datagram(datagramEvent())
        default: .woke
        }
    }

    private mutating func seldom() -> MeshEvent {
        switch source.byte() {
        case 255: .leaving
        case 0..<8: .inviting(.peer(peer().prefix), context: [source.byte()], patience: .seconds(10))
        case 8..<16: .withdrawn(.peer(peer().prefix))
        case 16..<24: .declined(peer(), source.flag() ? .busy : .declined)
        case 32..<64: anyLink().map { overdue(on: $0) } ?? .woke
        case 64..<128: anyLink().map { heardPresence(on: $0) } ?? .woke
        case 128..<255: .networkChanged(without: source.flag() ? anyLink().map { [$0] } ?? [] : [])
        default: .woke
        }
    }

    private mutating func dataEvent() -> DataEvent {
        switch source.byte() % 3 {
        case 0: .wayless(peer())
        case 1: .readingChanged(source.flag())
        default: .read(DataOrigin(peer: peer(), isRouted: source.flag()), bytes: Int(source.byte()) << 8)
        }
    }

    private mutating func datagramEvent() -> DatagramEvent {
        source.flag()
            ? .submitted(peer(), sealed(), ageMilliseconds: 0)
            : .sealed(peer(), sequence: source.number(bytes: 1), sealed(), ageMilliseconds: 0)
    }

    private mutating func anyLink() -> LinkID? {
        watch.open.isEmpty ? nil : source.choice(of: watch.open)
    }

    private mutating func link(isOurs: Bool) -> MeshEvent? {
        guard !isOurs || !watch.dials.isEmpty else { return nil }
        lastLink += 1
        let rank = source.index(below: cast.peers.count)
        let opened = OpenedLink(
            peer: cast.peers[rank], name: cast.name, instance: source.number(bytes: 1),
            address: cast.address(rank), dial: isOurs ? takeDial() : nil)
        return .linkOpened(LinkID(rawValue: lastLink), opened)
    }

    private mutating func takeDial() -> DialID {
        watch.dials.remove(at: source.index(below: watch.dials.count))
    }

    private mutating func closing() -> MeshEvent? {
        guard let link = anyLink() else { return nil }
        let ends: [LinkEnd] = [
            .broken("it broke"), .silent, .goodbye(Goodbye(.leaving, "")), .goodbye(Goodbye(.full, "")),
            .goodbye(Goodbye(.duplicate, "")), .fault("nonsense"), .refused(.full), .refusedByUs(.closed), .left,
        ]
        return .linkClosed(link, source.choice(of: ends))
    }

    private mutating func heard(on link: LinkID) -> MeshEvent {
        .heard(
            link, source.choice(of: cast.records),
            RecordArrival(timeToLive: timeToLive(), hops: timeToLive(), isStray: source.flag()))
    }

    private mutating func heardPresence(on link: LinkID) -> MeshEvent {
        .heard(
            link, source.choice(of: cast.records),
            RecordArrival(
                timeToLive: timeToLive(), hops: timeToLive(), ageMilliseconds: UInt32(source.number(bytes: 1)) << 8))
    }

    private mutating func overdue(on link: LinkID) -> MeshEvent {
        .heard(
            link, source.choice(of: cast.records),
            RecordArrival(
                timeToLive: timeToLive(), hops: timeToLive(), isStray: source.flag(),
                ageMilliseconds: UInt32(source.number(bytes: 1)) << 8, isOver: true))
    }

    private mutating func timeToLive() -> UInt8 { 1 + source.byte() % RecordFrame.timeToLiveMax }

    private mutating func served(on link: LinkID) -> MeshEvent {
        .served(link, source.choice(of: cast.records), ageSeconds: UInt32(source.number(bytes: 1)) << 8)
    }

    /// The correct pong to the last ping on a link.
    private mutating func pong(on link: LinkID) -> MeshEvent? {
        watch.pings[link].map { .received(link, .pong(nonce: $0)) }
    }

    private mutating func compared() -> MeshEvent? {
        guard !watch.works.isEmpty else { return nil }
        let work = watch.works.remove(at: source.index(below: watch.works.count))
        let result: ComparisonOutcome.Result
        switch source.byte() % 4 {
        case 0: result = .unready
        case 1: result = .faulty("nonsense")
        case 2: result = .step(reply: nil, have: recordIDs(), need: recordIDs())
        default:
            let reply = source.bytes(Int(source.byte() % 8))
            result = .step(reply: reply, have: recordIDs(), need: recordIDs())
        }
        // The answering side always has a reply, if only an empty one.
        if work.side == .answer, case .step(nil, let have, let need) = result {
            return .compared(ComparisonOutcome(work, .step(reply: [0x61], have: have, need: need)))
        }
        return .compared(ComparisonOutcome(work, result))
    }

    private mutating func kept() -> MeshEvent {
        let outcome: KeptRecord.Outcome =
            source.choice(of: [.added, .known, .declined, .declinedForAge, .faulty, .failed])
        let id = watch.keeping.isEmpty ? recordID() : watch.keeping.removeFirst()
        return .kept([KeptRecord(id, outcome)])
    }
}
