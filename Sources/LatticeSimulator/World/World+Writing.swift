import LatticeCore
import LatticeMesh
import LatticeWire

// What people write.
extension World {
    mutating func sayLine(topic: [UInt8], lifetime: UInt32, by peer: Int) {
        say(body: Array("line \(records.tracks.count)".utf8), topic: topic, lifetime: lifetime, by: peer)
    }

    mutating func speak(bytes: Int, isUrgent: Bool, by peer: Int) {
        let body = ChatLine.body(bytes: bytes, isUrgent: isUrgent, by: peers[peer].name)
        say(body: body, topic: [], lifetime: 600, by: peer)
    }

    private mutating func say(body: [UInt8], topic: [UInt8], lifetime: UInt32, by peer: Int) {
        let number = records.tracks.count
        let record = sign(
            .chat, topic: topic, body: body, lifetime: lifetime, by: peer, track: number)
        records.follow(
            RecordTrack(
                id: record.id, author: peer, saidAt: milliseconds, peers: peers.count, openAtFirst: network.openCount,
                openedAtFirst: network.openedCount, tallyAtFirst: tally))
        turn(of: peer, .submitted(record))
    }

    mutating func write(_ writing: Writing, by peer: Int) {
        guard peers[peer].isUp, hasStores else { return }
        switch writing {
        case .line(let room, let lifetime): sayLine(topic: Writing.room(room), lifetime: lifetime, by: peer)
        case .post(let lifetime): submit(.post, lifetime: lifetime, by: peer)
        case .profile(let lifetime): submit(.profile, lifetime: lifetime, by: peer)
        case .unknown(let lifetime): submit(RecordKind(rawValue: 99), lifetime: lifetime, by: peer)
        case .like(let holds, let lifetime):
            guard let target = stores.all[peer].newestPost(isOwn: false) else { return }
            submit(
                .like, topic: target.record.id.hash.bytes, body: Statement(holds: holds).body, lifetime: lifetime,
                by: peer)
        case .deletion:
            guard let target = stores.all[peer].newestPost(isOwn: true) else { return }
            // The deletion lives as long as its target could exist anywhere.
            let lifetime = Record.lifetimeSeconds(until: target.expires, from: wallMilliseconds(of: peer))
            submit(.deletion, topic: target.record.id.hash.bytes, lifetime: lifetime, by: peer)
        }
    }

    private mutating func submit(
        _ kind: RecordKind, topic: [UInt8] = [], body: [UInt8] = [], lifetime: UInt32, by peer: Int
    ) {
        turn(of: peer, .submitted(sign(kind, topic: topic, body: body, lifetime: lifetime, by: peer)))
    }

    mutating func sign(
        _ kind: RecordKind, topic: [UInt8] = [], body: [UInt8], lifetime: UInt32, by peer: Int, track: Int? = nil
    ) -> VerifiedRecord {
        let record = Record(
            kind: kind, author: peers[peer].id, created: peers[peer].stamp(at: milliseconds),
            lifetimeSeconds: lifetime, topic: topic, body: body)
        return records.sign(record, by: peer, track: track, at: milliseconds)
    }
}

extension Record {
    /// The time between two dates in milliseconds, as far as a lifetime can say it.
    fileprivate static func lifetimeSeconds(until end: Int64, from start: Int64) -> UInt32 {
        let left = UInt32(clamping: max(0, end - start) / 1_000 + 1)
        return min(max(left, lifetimeSecondsRange.lowerBound), lifetimeSecondsRange.upperBound)
    }
}
