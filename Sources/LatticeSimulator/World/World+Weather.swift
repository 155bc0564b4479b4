import LatticeCore
import LatticeMesh
import LatticeWire

extension World {
    mutating func befall(_ weather: Weather) {
        tell(weather)
        switch weather {
        case .start(let peer, _): start(peer, withDisk: false)
        case .restart(let peer, let withDisk, _): start(peer, withDisk: withDisk)
        case .sight(let left, let right, let isMutual, _): meet(left, right, isMutual: isMutual)
        case .discover(let peer, _):
            for other in adjacency.neighbours(of: peer) { meet(peer, other, isMutual: true) }
        case .give(let peer, let other, _): give(other, to: peer)
        case .say(let peer, _): say(peer)
        case .crash(let peer, _): end(peer, as: .broken("killed"))
        case .leave(let peer, _):
            guard peers[peer].isUp else { return }
            turn(of: peer, .leaving)
            end(peer, as: .goodbye(Goodbye(.leaving, "")))
        case .cut(let left, let right, _):
            barriers.cut(from: left, to: right)
            barriers.cut(from: right, to: left)
        case .cutOneWay(let from, let to, _): barriers.cut(from: from, to: to)
        case .mend(let left, let right, _):
            barriers.mend(left, right)
            release()
            meet(left, right, isMutual: true)
        case .partition(let groups, _):
            barriers.part(groups, of: peers.count)
            release()
        case .heal:
            barriers.heal()
            release()
            discoverAll()
        case .write(let peer, let writing, _): write(writing, by: peer)
        case .failStore(let peer, let isFailing, _): peers[peer].isStoreFailing = isFailing
        case .skewClock(let peer, let skew, _): skewClock(of: peer, by: skew)
        case .slow(let peer, let delay, _): peers[peer].slowness = delay
        case .hostile(let peer, let hostility, _): turnHostile(peer, hostility)
        case .calm: calm()
        }
    }

    private mutating func start(_ peer: Int, withDisk: Bool) {
        guard !peers[peer].isUp else { return }
        if !withDisk { peers[peer].clock = HybridClock() }
        for track in tracks.indices { tracks[track].died(peer, withDisk: withDisk) }
        let presence = Presence(isHere: true, name: peers[peer].name, rooms: [])
        peers[peer].instance = nextInstance()
        peers[peer].startedAt = queue.now
        sights[peer] = Sights()
        peers[peer].wakeAt = .max
        peers[peer].start(
            Mesh(me: peers[peer].id, presence: presence, options: settings.options(), seed: generator.next()))
        beginMischief(of: peer)
        openStore(of: peer, withDisk: withDisk)
        if isPresenceOn { turn(of: peer, .presenceChanged(presence)) }
    }

    private mutating func end(_ peer: Int, as end: LinkEnd) {
        guard peers[peer].isUp else { return }
        breakConnections(of: peer, as: end)
        peers[peer].stop()
        peers[peer].endedAt = queue.now
    }

    private mutating func say(_ peer: Int) {
        guard peers[peer].isUp else { return }
        sayLine(topic: [], lifetime: 600, by: peer)
    }

    mutating func sayLine(topic: [UInt8], lifetime: UInt32, by peer: Int) {
        let record = sign(
            .chat, topic: topic, body: Array("line \(tracks.count)".utf8), lifetime: lifetime, by: peer,
            track: tracks.count)
        tracks.append(
            RecordTrack(
                id: record.id, author: peer, saidAt: queue.now, peers: peers.count, openAtFirst: openConnections,
                openedAtFirst: openedConnections, tallyAtFirst: tally))
        turn(of: peer, .submitted(record))
    }

    // MARK: - Discovery

    private mutating func meet(_ left: Int, _ right: Int, isMutual: Bool) {
        sight(right, by: left)
        if isMutual { sight(left, by: right) }
    }

    /// Multicast does not pass barriers either: only running peers that can be heard are sighted.
    private mutating func sight(_ seen: Int, by peer: Int) {
        guard peers[peer].isUp, peers[seen].isUp, adjacency.areAdjacent(seen, peer) else { return }
        guard barriers.isNone || !barriers.stops(from: seen, to: peer) else { return }
        let sighting = Sighting(
            source: .embedded, peer: peers[seen].id.prefix, name: nil, meshTag: MeshSettings.meshTag,
            address: Registry.address(of: seen))
        errand(.sighted(sighting), for: peer, after: network.latency(peer, seen, seed: seed) + peers[peer].slowness)
    }

    private mutating func give(_ other: Int, to peer: Int) {
        guard peers[peer].isUp else { return }
        let sighting = Sighting(
            source: .given, peer: nil, name: nil, meshTag: nil, address: Registry.address(of: other))
        turn(of: peer, .sighted(sighting))
    }

    private mutating func discoverAll() {
        for peer in peers.indices where peers[peer].isUp {
            for other in adjacency.neighbours(of: peer) where other < peer { meet(peer, other, isMutual: true) }
        }
    }

    private mutating func calm() {
        barriers.mendAll()
        network.calm()
        for peer in peers.indices {
            peers[peer].slowness = 0
            peers[peer].isStoreFailing = false
        }
        release()
        discoverAll()
    }

    // MARK: - Hostile peers

    private mutating func turnHostile(_ peer: Int, _ hostility: Hostility) {
        peers[peer].hostility = hostility
        if hostility == .repeatsOldRecords || hostility == .revivesTheDead { safety.deadGone.isRevived = true }
        // Hops that a liar made up are relayed with honest copies, and so are ages.
        safety.isHopsTrusted = false
        if hostility == .liesAboutAge || hostility == .suppliesUnasked { safety.nothingComesBack.isAgeTrusted = false }
        beginMischief(of: peer)
    }

    private mutating func beginMischief(of peer: Int) {
        guard peers[peer].isUp, peers[peer].hostility?.actsUnasked == true else { return }
        let entry = Entry(.mischief, subject: peer, payload: Int(peers[peer].instance))
        queue.push(entry, at: queue.now + Hostility.mischiefInterval)
    }

    /// Passes on presences with false ages: old ones as new, so that the dead stay, or all as older than they are, so
    /// that the living disappear.
    private mutating func lieAboutPresences(by peer: Int, over links: [LinkID]) {
        let isAging = peers[peer].hostility == .agesTheLiving
        guard isAging || peers[peer].hostility == .revivesTheDead else { return }
        let presences = records.suffix(Self.recordsOfLateMax).filter { $0.verified.kind == .presence }
        for link in links {
            for _ in 0..<Hostility.oldRecordsMax {
                guard let chosen = presences.randomElement(using: &generator) else { return }
                let record = chosen.verified
                guard canSend(over: link, from: peer) else { break }
                let age = isAging ? UInt32(queue.now - chosen.saidAt + Self.addedAge) : 0
                let frame = PresenceFrame(timeToLive: 32, hops: 2, ageMilliseconds: age, signed: record.signed)
                hand(frame, of: record, over: link, from: peer)
            }
        }
    }

    /// In milliseconds. A new presence with this age has nearly expired.
    private static let addedAge: Int64 = 30_000
    /// The number of latest records whose presences a liar remembers.
    private static let recordsOfLateMax = 400

    mutating func mischief(of peer: Int, instance: UInt32) {
        guard peers[peer].isUp, peers[peer].instance == instance else { return }
        let links = peers[peer].links
        if hasStores, let hostility = peers[peer].hostility { liarsMischief(by: peer, hostility) }
        for _ in 0..<min(Hostility.oldRecordsMax, records.count) where peers[peer].hostility == .repeatsOldRecords {
            let record = Int.random(in: records.indices, using: &generator)
            forward(record, timeToLive: RecordFrame.timeToLiveMax, hops: 1, isStray: false, to: links, from: peer)
        }
        lieAboutPresences(by: peer, over: links)
        beginMischief(of: peer)
    }
}
