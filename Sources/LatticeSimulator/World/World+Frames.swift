import LatticeCore
import LatticeMesh
import LatticeWire

// Frames that peers send: they are counted, judged and handed to the network.
extension World {
    mutating func canSend(over link: LinkID, from peer: Int) -> Bool {
        network.canSend(over: link, from: peer, in: &schedule)
    }

    mutating func post(_ event: MeshEvent, to link: LinkID, isExpendable: Bool = false) {
        network.post(event, to: link, isExpendable: isExpendable, in: &schedule, using: &generator)
    }

    mutating func send(_ frame: Frame, over link: LinkID, from peer: Int) {
        guard canSend(over: link, from: peer) else { return }
        count(frame, over: link, from: peer)
        post(.received(link.across, frame), to: link.across, isExpendable: frame.type.isExpendable)
    }

    mutating func hand(_ frame: PresenceFrame, of record: VerifiedRecord, over link: LinkID, from peer: Int) {
        count(.presence(frame), over: link, from: peer)
        let arrival = RecordArrival(
            timeToLive: frame.timeToLive, hops: frame.hops, ageMilliseconds: frame.ageMilliseconds)
        post(.heard(link.across, record, arrival), to: link.across, isExpendable: true)
    }

    /// Counts the frame; what travels is the verified record that the receiver's node would make of it.
    mutating func serve(_ record: VerifiedRecord, age: UInt32, over link: LinkID, by peer: Int) {
        guard canSend(over: link, from: peer) else { return }
        count(.serve(ServedRecord(ageSeconds: age, signed: record.signed)), over: link, from: peer)
        let receiver = network.peer(across: link)
        if peers[peer].isHonest, peers[receiver].isHonest {
            let number = records.number(of: record.id)
            let times = ledger.served(number, to: receiver)
            safety.fetchedOnce.served(times, record: number, to: receiver, at: milliseconds)
        }
        post(.served(link.across, record, ageSeconds: age), to: link.across, isExpendable: true)
    }

    private mutating func count(_ frame: Frame, over link: LinkID, from peer: Int) {
        let type = frame.type
        let bytes = frame.byteCount
        tally.add(type, frames: 1, bytes: bytes)
        guard hasStores, type.isOfStores else { return }
        let receiver = network.peer(across: link)
        story.tell(frame, from: peer, to: receiver, in: records, at: milliseconds)
        ledger.sent(
            type, bytes: bytes, toLiar: peers[receiver].isHonest ? nil : receiver, isFromHonest: peers[peer].isHonest)
    }

    mutating func forward(
        _ record: Int, timeToLive: UInt8, hops: UInt8, isStray: Bool, to links: [LinkID], from peer: Int
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
                entry, to: link.across, isExpendable: true, in: &schedule, using: &generator)
            if mishaps > 0, let track { records.suffered(mishaps, track: track) }
            sent += 1
        }
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
