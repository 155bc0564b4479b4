import LatticeCore
import LatticeMesh
import LatticeWire

extension World {
    mutating func befall(_ weather: Weather) {
        switch weather {
        case .say(let peer, _), .speak(let peer, _, _, _):
            let line = records.tracks.count
            if peers[peer].isUp { story.tell("peer \(peer) says r\(line)", at: milliseconds) }
        default: story.tell(weather.description, at: milliseconds)
        }
        switch weather {
        case .start(let peer, _): start(peer, withDisk: false)
        case .restart(let peer, let withDisk, _): start(peer, withDisk: withDisk)
        case .sight(let left, let right, let isMutual, _): meet(left, right, isMutual: isMutual)
        case .discover(let peer, _):
            for other in network.adjacency.neighbours(of: peer) { meet(peer, other, isMutual: true) }
        case .give(let peer, let other, _): give(other, to: peer)
        case .say(let peer, _): if peers[peer].isUp { sayLine(topic: [], lifetime: 600, by: peer) }
        case .speak(let peer, let bytes, let isUrgent, _):
            if peers[peer].isUp { speak(bytes: bytes, isUrgent: isUrgent, by: peer) }
        case .crash(let peer, _): end(peer, as: .broken("killed"))
        case .leave(let peer, _):
            guard peers[peer].isUp else { return }
            turn(of: peer, .leaving)
            end(peer, as: .goodbye(Goodbye(.leaving, "")))
        case .cut(let left, let right, _):
            network.cut(from: left, to: right)
            network.cut(from: right, to: left)
        case .cutOneWay(let from, let to, _): network.cut(from: from, to: to)
        case .mend(let left, let right, _):
            network.mend(left, right, in: &schedule, using: &generator)
            meet(left, right, isMutual: true)
        case .partition(let groups, _): network.part(groups, in: &schedule, using: &generator)
        case .heal:
            network.heal(in: &schedule, using: &generator)
            discoverAll()
        case .write(let peer, let writing, _): write(writing, by: peer)
        case .failStore(let peer, let isFailing, _): peers[peer].isStoreFailing = isFailing
        case .skewClock(let peer, let skew, _): skewClock(of: peer, by: skew)
        case .slow(let peer, let delay, _): network.slow(peer, by: delay)
        case .hostile(let peer, let hostility, _): turnHostile(peer, hostility)
        case .calm:
            for peer in peers.indices { peers[peer].isStoreFailing = false }
            network.calm(in: &schedule, using: &generator)
            discoverAll()
        }
    }

    private mutating func skewClock(of peer: Int, by skew: Int64) {
        let before = peers[peer].clockSkew
        peers[peer].clockSkew = skew
        guard hasStores, milliseconds > 0, abs(skew - before) >= StoreDesk.leapMin else { return }
        peers[peer].leaptAt = milliseconds
        safety.nothingComesBack.isAgeTrusted = false
        // A leap while the machine is off goes unnoticed.
        if peers[peer].isUp { stores.clockLeapt(of: peer, from: before, to: skew, at: milliseconds) }
    }

    private mutating func turnHostile(_ peer: Int, _ hostility: Hostility) {
        peers[peer].hostility = hostility
        safety.distrust(hostility)
        beginMischief(of: peer)
    }

    mutating func beginMischief(of peer: Int) {
        guard peers[peer].isUp, peers[peer].hostility?.actsUnasked == true else { return }
        schedule.addMischief(of: life(of: peer), after: Hostility.mischiefInterval)
    }

    mutating func mischief(of peer: Int) {
        guard let hostility = peers[peer].hostility else { return }
        let links = network.links(of: peer)
        if hasStores { storeMischief(by: peer, hostility, over: links) }
        for _ in 0..<min(Hostility.oldRecordsMax, records.all.count) where hostility == .repeatsOldRecords {
            let record = Int.random(in: records.all.indices, using: &generator)
            forward(record, timeToLive: RecordFrame.timeToLiveMax, hops: 1, isStray: false, to: links, from: peer)
        }
        if hostility.liesAboutPresences { lieAboutPresences(by: peer, hostility, over: links) }
        beginMischief(of: peer)
    }

    private mutating func storeMischief(by peer: Int, _ hostility: Hostility, over links: [LinkID]) {
        for link in links where peers[network.peer(across: link)].isHonest {
            for act in stores.mischief(hostility, records: records) {
                switch act {
                case .send(let frame): send(frame, over: link, from: peer)
                case .serve(let record): serve(record, age: 0, over: link, by: peer)
                }
            }
        }
    }

    private mutating func lieAboutPresences(by peer: Int, _ hostility: Hostility, over links: [LinkID]) {
        let presences = records.all.suffix(Hostility.recordsOfLateMax).filter { $0.verified.kind == .presence }
        for link in links {
            for _ in 0..<Hostility.oldRecordsMax {
                guard let chosen = presences.randomElement(using: &generator) else { return }
                guard canSend(over: link, from: peer) else { break }
                let frame = hostility.falsePresence(chosen, at: milliseconds)
                hand(frame, of: chosen.verified, over: link, from: peer)
            }
        }
    }
}
