import LatticeCore
import LatticeMesh
import LatticeWire

// Frames in transit: they are counted and delayed. Some plans also lose, duplicate or reorder them.
extension World {
    mutating func send(_ frame: Frame, over link: LinkID, from peer: Int) {
        guard canSend(over: link, from: peer) else { return }
        count(frame, over: link, from: peer)
        let other = Connection.link(link.connection, end: 1 - link.end)
        post(.received(other, frame), to: other, isExpendable: FrameType(frame).isExpendable)
    }

    mutating func hand(_ frame: PresenceFrame, of record: VerifiedRecord, over link: LinkID, from peer: Int) {
        count(.presence(frame), over: link, from: peer)
        let other = Connection.link(link.connection, end: 1 - link.end)
        post(
            .heardPresence(
                other, record, timeToLive: frame.timeToLive, hops: frame.hops,
                ageMilliseconds: frame.ageMilliseconds), to: other, isExpendable: true)
    }

    mutating func count(_ frame: Frame, over link: LinkID, from peer: Int) {
        let type = FrameType(frame)
        let bytes = frame.byteCount
        tally.add(type, frames: 1, bytes: bytes)
        guard hasStores, type.isOfStores else { return }
        let receiver = connections[link.connection].peer(at: 1 - link.end)
        if isTold { tell(frame, from: peer, to: receiver) }
        ledger.sent(
            type, bytes: bytes, toLiar: peers[receiver].isHonest ? nil : receiver, isFromHonest: peers[peer].isHonest)
    }

    mutating func forward(
        _ record: Int, timeToLive: UInt8, hops: UInt8, isStray: Bool, to links: [LinkID], from peer: Int
    ) {
        let track = records[record].track
        let isHonest = peers[peer].isHonest
        if isTold, let track { tellForward(track, links, from: peer) }
        var sent = 0
        for link in links where canSend(over: link, from: peer) {
            if isHonest {
                let path = Safety.Path(record: record, timeToLive: timeToLive, hops: hops, link: link)
                safety.sent(path, by: peer, limit: settings.timeToLive, at: queue.now)
            }
            var entry = Entry(.heard, subject: Int(link.rawValue ^ 1), payload: record)
            entry.timeToLive = timeToLive
            entry.hops = hops
            entry.isStray = isStray
            carry(entry, on: link.connection, to: 1 - link.end, isExpendable: true, track: track)
            sent += 1
        }
        tally.add(.record, frames: sent, bytes: sent * records[record].frameBytes)
        if isHonest, let track { count(sent, of: track, by: peer) }
    }

    private mutating func count(_ frames: Int, of track: Int, by peer: Int) {
        tracks[track].frames += frames
        let opened = openedConnections - tracks[track].openedAtFirst
        safety.stormBound.counted(
            tracks[track].frames, of: track, connections: tracks[track].openAtFirst + opened,
            mishaps: tracks[track].mishaps, peers: peers.count, by: peer, at: queue.now)
    }

    mutating func carry(_ entry: Entry, on index: Int, to end: Int, isExpendable: Bool, track: Int?) {
        if isStopped(index, towards: end) {
            held.append(Held(entry: entry, connection: index, end: end))
            return
        }
        var time = queue.now + connections[index].latency
        if network.jitter.upperBound > 0 { time += Int64.random(in: network.jitter, using: &generator) }
        time += peers[connections[index].peer(at: end)].slowness
        guard isExpendable, network.isRough else {
            return queue.push(entry, at: connections[index].arrive(at: end, noSoonerThan: time))
        }
        if occurs(network.lossPerMille, track) { return drop(entry) }
        if occurs(network.reorderingPerMille, track) {
            // Late by up to three latencies; later frames overtake it.
            return queue.push(
                entry, at: time + Int64.random(in: 1...3 * connections[index].latency + 3, using: &generator))
        }
        let arrival = connections[index].arrive(at: end, noSoonerThan: time)
        queue.push(entry, at: arrival)
        if occurs(network.duplicationPerMille, track) {
            queue.push(copy(of: entry), at: arrival + connections[index].latency)
        }
    }

    /// After a change of barriers: sends the frames that waited, in order.
    mutating func release() {
        let waiting = held
        held.removeAll()
        for item in waiting {
            if connections[item.connection].isGone(at: item.end) {
                drop(item.entry)
            } else {
                carry(item.entry, on: item.connection, to: item.end, isExpendable: false, track: nil)
            }
        }
    }

    private mutating func occurs(_ perMille: Int, _ track: Int?) -> Bool {
        guard perMille > 0, Int.random(in: 0..<1_000, using: &generator) < perMille else { return false }
        if let track { tracks[track].mishaps += 1 }
        return true
    }

    private mutating func drop(_ entry: Entry) {
        if entry.kind == .letter { _ = letters.take(entry.payload) }
    }

    private mutating func copy(of entry: Entry) -> Entry {
        guard entry.kind == .letter else { return entry }
        let event = letters.take(entry.payload)
        // The slot just freed is reused, so the original keeps its number.
        let number = letters.put(event)
        precondition(number == Int(entry.payload), "a pool gives the slot it got last")
        return Entry(.letter, subject: Int(entry.subject), payload: letters.put(event))
    }
}
