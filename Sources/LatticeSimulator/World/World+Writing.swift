import LatticeCore
import LatticeMesh
import LatticeWire

// What people write besides lines of the one room, and leaping clocks.
extension World {
    mutating func write(_ writing: Writing, by peer: Int) {
        guard peers[peer].isUp, hasStores else { return }
        switch writing {
        case .line(let room, let lifetime): sayLine(topic: Writing.room(room), lifetime: lifetime, by: peer)
        case .post(let lifetime): submit(.post, lifetime: lifetime, by: peer)
        case .profile(let lifetime): submit(.profile, lifetime: lifetime, by: peer)
        case .unknown(let lifetime): submit(RecordKind(rawValue: 99), lifetime: lifetime, by: peer)
        case .like(let holds, let lifetime):
            guard let target = newestPost(of: peer, own: false) else { return }
            submit(
                .like, topic: target.record.id.hash.bytes, body: Statement(holds: holds).body, lifetime: lifetime,
                by: peer)
        case .deletion:
            guard let target = newestPost(of: peer, own: true) else { return }
            // The deletion lives as long as its target could exist anywhere.
            let left = max(0, target.expires - wallMilliseconds(of: peer)) / 1_000 + 1
            let range = Record.lifetimeSecondsRange
            let lifetime = min(max(UInt32(clamping: left), range.lowerBound), range.upperBound)
            submit(.deletion, topic: target.record.id.hash.bytes, lifetime: lifetime, by: peer)
        }
    }

    private mutating func submit(
        _ kind: RecordKind, topic: [UInt8] = [], body: [UInt8] = [], lifetime: UInt32, by peer: Int
    ) {
        turn(of: peer, .submitted(sign(kind, topic: topic, body: body, lifetime: lifetime, by: peer, track: nil)))
    }

    private func newestPost(of peer: Int, own: Bool) -> SimulatedStore.Row? {
        let store = stores[peer]
        let posts = store.ids(of: .wall).compactMap { store.rows[$0] }
        return posts.last { !own || $0.record.author == peers[peer].id }
    }

    /// A leap of the clock is not trusted at once: nothing expires for a while, or until the clock is back.
    mutating func skewClock(of peer: Int, by skew: Int64) {
        let leap = skew - peers[peer].clockSkew
        peers[peer].clockSkew = skew
        guard hasStores, queue.now > 0, abs(leap) >= Self.leapMin else { return }
        peers[peer].leaptAt = queue.now
        safety.nothingComesBack.isAgeTrusted = false
        // A leap while the machine is off goes unnoticed.
        guard peers[peer].isUp else { return }
        let isBack =
            desks[peer].expiresNothingUntil > queue.now && abs(skew - desks[peer].skewBeforeLeap) < Self.leapMin
        if !isBack { desks[peer].skewBeforeLeap = skew - leap }
        desks[peer].expiresNothingUntil = isBack ? queue.now : queue.now + StoreDesk.leapTime
    }

    /// In milliseconds; a smaller change counts as setting the clock.
    private static let leapMin: Int64 = 600_000
}
