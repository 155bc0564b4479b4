import LatticeCore
import LatticeMesh
import LatticeWire

// One turn of a peer: its mesh handles an event, and all effects are carried out.
extension World {
    mutating func turn(of peer: Int, _ event: MeshEvent) {
        // The effects buffer is borrowed for this turn; turns are never nested.
        var batch: [MeshEffect] = []
        swap(&batch, &effects)
        let now = Instant(nanoseconds: milliseconds * 1_000_000)
        peers[peer].handle(event, at: now, into: &batch)
        if sabotage != .none { sabotage.spoil(&batch, of: event) }
        if sabotage == .asksOneSourceOnly { ledger.askOnce(&batch, by: peer, in: records.registry) }
        if let hostility = peers[peer].hostility { hostility.spoil(&batch, of: event) }
        var index = 0
        while index < batch.count {
            if case .announce(let presence) = batch[index] {
                announce(presence, by: peer, into: &batch)
            } else {
                carryOut(batch[index], of: peer)
            }
            index += 1
        }
        effectTrace?.add(batch, of: peer, at: now)
        batch.removeAll(keepingCapacity: true)
        swap(&batch, &effects)
        arm(peer)
    }

    mutating func heard(_ entry: Entry) {
        let link = entry.link
        guard !network.isGone(link) else { return }
        let number = Int(entry.payload)
        records.received(number)
        safety.giver = link
        safety.given = number
        let record = records[number].verified
        let arrival = RecordArrival(timeToLive: entry.timeToLive, hops: entry.hops, isStray: entry.isStray)
        turn(of: network.peer(at: link), .heard(link, record, judged(arrival, record, on: link)))
        safety.giver = nil
    }

    /// Judges dates as a node does, but only those of presences: lines in these worlds live for minutes, and some
    /// clocks are off by hours.
    func judged(_ arrival: RecordArrival, _ record: VerifiedRecord, on link: LinkID) -> RecordArrival {
        guard record.kind == .presence, record.author != peers[network.peer(across: link)].id else { return arrival }
        let age = RecordAge(of: record, at: WallTime(milliseconds: wallMilliseconds(of: network.peer(at: link))))
        return RecordArrival(
            timeToLive: arrival.timeToLive, hops: arrival.hops, isStray: arrival.isStray,
            ageMilliseconds: arrival.ageMilliseconds, isOver: age == .over)
    }

    mutating func woke(_ peer: Int) {
        guard peers[peer].wakeAt == milliseconds else { return }
        let now = Instant(nanoseconds: milliseconds * 1_000_000)
        if peers[peer].isWoken(at: now) { turn(of: peer, .woke) } else { arm(peer) }
    }

    /// Adds a wake-up unless an earlier one is pending. One that comes too early adds the next.
    private mutating func arm(_ peer: Int) {
        guard let time = peers[peer].wakeToAdd(at: milliseconds) else { return }
        schedule.addWake(of: life(of: peer), at: time)
    }

    private mutating func announce(_ presence: Presence, by peer: Int, into batch: inout [MeshEffect]) {
        let record = sign(.presence, body: presence.body, lifetime: presence.lifetimeSeconds, by: peer)
        let now = Instant(nanoseconds: milliseconds * 1_000_000)
        peers[peer].handle(.submitted(record), at: now, into: &batch)
    }

    private mutating func carryOut(_ effect: MeshEffect, of peer: Int) {
        switch effect {
        case .dial(let dial, let address): self.dial(dial, address, by: peer)
        case .send(let frame, let link): send(frame, over: link, from: peer)
        case .forward(let record, let timeToLive, let hops, let isStray, let isUrgent, let links):
            forward(
                records.number(of: record.id), timeToLive: timeToLive, hops: hops, isStray: isStray,
                isUrgent: isUrgent, to: links, from: peer)
        case .handPresence(let record, let timeToLive, let hops, let age, let links):
            for link in links where canSend(over: link, from: peer) {
                hand(
                    PresenceFrame(
                        timeToLive: timeToLive, hops: hops, ageMilliseconds: age, signed: record.signed),
                    of: record, over: link, from: peer)
            }
        case .presenceChanged(let other, let presence, _):
            peers[peer].sights.saw(records.registry.number(of: other), isHere: presence.isHere, at: milliseconds)
        case .endorse(let probe, let links): endorse(probe, to: links, by: peer)
        case .close(let link, let goodbye): close(link, goodbye, by: peer)
        case .deliver(let record, let hops, _):
            show(records.number(of: record.id), hops: hops, to: peer)
            keep(record, age: 0, from: nil, by: peer)
        case .compare(let work): compare(work, by: peer)
        case .keep(let record, let age, _, let giver): keep(record, age: age, from: giver, by: peer)
        case .serve(let ids, let link): serve(ids, to: link, by: peer)
        case .stateChanged(let other, _, let state, let end):
            changed(records.registry.number(of: other), to: state, because: end, at: peer)
        case .announce, .ask, .unreachable, .dialledSelf, .probed, .outboxFull, .confirmed,
            .syncChanged, .comparedWith, .supplied, .data, .datagram, .blob, .invitationEnded:
            break
        }
    }

    /// Nobody in a simulation lies about the path of a probe, so the signature stays blank.
    private mutating func endorse(_ probe: Probe, to links: [LinkID], by peer: Int) {
        let signature = [UInt8](repeating: 0, count: Record.signatureBytes)
        var endorsed = probe
        endorsed.path.append(Probe.Stop(peer: peers[peer].id, name: peers[peer].name, signature: signature))
        for link in links { send(.probe(endorsed), over: link, from: peer) }
    }

    mutating func show(_ record: Int, hops: UInt8, to peer: Int) {
        guard let track = records[record].track else { return }
        switch records.show(track, to: peer, hops: hops, at: milliseconds) {
        case .known: break
        case .first: story.tell("peer \(peer) is shown r\(track), \(hops) hops", at: milliseconds)
        case .again: safety.deliveredOnce.shownAgain(track, to: peer, at: milliseconds)
        }
    }

    private mutating func changed(_ other: Int, to state: LinkState, because end: LinkEnd?, at peer: Int) {
        peers[peer].see(other, as: state)
        switch state {
        case .connecting: break
        case .connected: story.tell("peer \(peer) is connected with peer \(other)", at: milliseconds)
        case .notConnected:
            let reason = end?.story ?? ""
            story.tell("peer \(peer) is no longer linked with peer \(other): \(reason)", at: milliseconds)
        }
    }
}
