import LatticeCore

/// When each person last said something in a public room, since this node began.
struct SpokenTimes {
    private static let peopleMax = 4_096

    private var times: [PeerID: Instant] = [:]

    subscript(peer: PeerID) -> Instant? { times[peer] }

    mutating func spoke(_ peer: PeerID, at now: Instant) {
        times[peer] = now
        guard times.count > Self.peopleMax else { return }
        // Half of them, to make this rare.
        let newest = times.sorted { ($0.value, $0.key) > ($1.value, $1.key) }.prefix(Self.peopleMax / 2)
        times = Dictionary(uniqueKeysWithValues: newest.map { ($0.key, $0.value) })
    }
}
