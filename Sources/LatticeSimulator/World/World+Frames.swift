import LatticeCore
import LatticeMesh
import LatticeWire

// Frames that peers send: they are counted, judged and handed to the network.
extension World {
    mutating func canSend(over link: LinkID, from peer: Int) -> Bool {
        network.canSend(over: link, from: peer, in: &schedule)
    }

    mutating func post(
        _ event: MeshEvent, to link: LinkID, bytes: Int = 0, isExpendable: Bool = false, isUrgent: Bool = false
    ) {
        network.post(
            event, to: link, bytes: bytes, isExpendable: isExpendable, isUrgent: isUrgent, in: &schedule,
            using: &generator)
        noteCrowdedLinks()
    }

    /// A peer learns in its next turn that a send queue is full; turns are never nested.
    private mutating func noteCrowdedLinks() {
        for link in network.takeCrowded() { errand(.linkBusy(link), for: network.peer(at: link), after: 0) }
    }

    /// A socket takes more. A link that has drained gets the next portion.
    mutating func becameWritable(to link: LinkID) {
        network.write(to: link, in: &schedule, using: &generator)
        let near = link.across
        let peer = network.peer(at: near)
        guard network.isFree(near) else { return }
        guard peers[peer].isUp, !network.isGone(near) else { return network.becameFree(near) }
        turn(of: peer, .linkFree(near))
        if !peers[peer].isBusy(near) { network.becameFree(near) }
    }

    mutating func send(_ frame: Frame, over link: LinkID, from peer: Int) {
        guard canSend(over: link, from: peer) else { return }
        let bytes = count(frame, over: link, from: peer)
        // Nothing overtakes what makes a link; so little goes before it that it may overtake that.
        let beginsLink = frame.type == .invitation || frame.type == .accept
        post(
            .received(link.across, frame), to: link.across, bytes: bytes, isExpendable: frame.type.isExpendable,
            isUrgent: beginsLink)
    }

    mutating func hand(_ frame: PresenceFrame, of record: VerifiedRecord, over link: LinkID, from peer: Int) {
        let bytes = count(.presence(frame), over: link, from: peer)
        let arrival = RecordArrival(
            timeToLive: frame.timeToLive, hops: frame.hops, ageMilliseconds: frame.ageMilliseconds)
        post(.heard(link.across, record, arrival), to: link.across, bytes: bytes, isExpendable: true)
    }

    /// Counts the frame; what travels is the verified record that the receiver's node would make of it.
    mutating func serve(_ record: VerifiedRecord, age: UInt32, over link: LinkID, by peer: Int) {
        guard canSend(over: link, from: peer) else { return }
        let bytes = count(.serve(ServedRecord(ageSeconds: age, signed: record.signed)), over: link, from: peer)
        let receiver = network.peer(across: link)
        if peers[peer].isHonest, peers[receiver].isHonest {
            let number = records.number(of: record.id)
            let times = ledger.served(number, to: receiver)
            safety.fetchedOnce.served(times, record: number, to: receiver, at: milliseconds)
        }
        post(.served(link.across, record, ageSeconds: age), to: link.across, bytes: bytes, isExpendable: true)
    }

    /// - Returns: the bytes of the frame.
    private mutating func count(_ frame: Frame, over link: LinkID, from peer: Int) -> Int {
        let type = frame.type
        let bytes = frame.byteCount
        tally.add(type, frames: 1, bytes: bytes)
        guard hasStores, type.isOfStores else { return bytes }
        let receiver = network.peer(across: link)
        story.tell(frame, from: peer, to: receiver, in: records, at: milliseconds)
        ledger.sent(
            type, bytes: bytes, toLiar: peers[receiver].isHonest ? nil : receiver, isFromHonest: peers[peer].isHonest)
        return bytes
    }

    mutating func forward(
        _ record: Int, timeToLive: UInt8, hops: UInt8, isStray: Bool, isUrgent: Bool = false, to links: [LinkID],
        from peer: Int
    ) {
        let track = records[record].track
        let isHonest = peers[peer].isHonest
        if story.isOn, let track, !links.isEmpty {
            let receivers = links.map { "\(network.peer(across: $0))" }.joined(separator: ", ")
            story.tell("peer \(peer) passes r\(track) on to \(receivers)", at: milliseconds)
        }
        var sent = 0
        for link in links where canSend(over: link, from: peer) {
            if isHonest {
                let path = Safety.Path(record: record, timeToLive: timeToLive, hops: hops, link: link)
                safety.sent(path, by: peer, limit: settings.timeToLive, at: milliseconds)
            }
            var entry = Entry(.heard, subject: Int(link.across.rawValue), payload: record)
            entry.timeToLive = timeToLive
            entry.hops = hops
            entry.isStray = isStray
            let mishaps = network.carry(
                entry, to: link.across, bytes: records[record].frameBytes, isExpendable: true, isUrgent: isUrgent,
                in: &schedule, using: &generator)
            if mishaps > 0, let track { records.suffered(mishaps, track: track) }
            sent += 1
        }
        noteCrowdedLinks()
        tally.add(.record, frames: sent, bytes: sent * records[record].frameBytes)
        if isHonest, let track { count(sent, of: track, by: peer) }
    }

    private mutating func count(_ frames: Int, of track: Int, by peer: Int) {
        records.sent(frames, of: track)
        let opened = network.openedCount - records.tracks[track].openedAtFirst
        safety.stormBound.counted(
            records.tracks[track].frames, of: track, connections: records.tracks[track].openAtFirst + opened,
            mishaps: records.tracks[track].mishaps, peers: peers.count, by: peer, at: milliseconds)
    }
}
