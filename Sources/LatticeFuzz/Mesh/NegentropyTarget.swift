import LatticeCore
import LatticeCrypto
import LatticeMesh

extension FuzzTarget {
    static let negentropy = FuzzTarget(
        "negentropy",
        "messages of a comparison, to both sides: bounded answers that the other side can read, and true findings",
        inputBytesMax: 2_048
    ) { bytes throws(BrokenProperty) in
        var source = ByteSource(bytes)
        let set = source.choice(of: NegentropySets.all)
        let isInitiator = source.flag()
        let manner: Reconciler.Manner = source.flag() ? .thrifty : .reference
        let since: UInt64 = source.choice(of: [0, 0, 0, 500])
        let limit: Int? = source.choice(of: [nil, Reconciler.frameBytesMin, 60_000])
        // Usually the correct version.
        let isOurVersion = source.byte() % 8 != 7
        let message = (isOurVersion ? [0x61] : []) + source.all()
        let reader = side(isInitiator, manner, since, limit)
        guard let step = accepted({ try reader.read(message, with: set.set) }) else { return }
        try hold(step.need.count <= message.count / 32, "more is needed than the message tells of")
        try hold(step.need.allSatisfy { !set.ids.contains($0) }, "what is here is needed")
        let mine = set.items.filter { $0.timestamp >= since }
        try hold(step.have.allSatisfy(Set(mine.map(\.id)).contains), "an item that is not here is reported in have")
        try hold(isInitiator || step.have.isEmpty && step.need.isEmpty, "a responder learns something")
        if manner == .thrifty { try hold(step.have.count <= Reconciler.haveMax, "have is longer than its limit") }
        guard let reply = step.reply else { return try hold(isInitiator, "a responder says nothing") }
        if let limit { try hold(reply.count <= limit, "an answer of \(reply.count) bytes, \(limit) are allowed") }
        try hold(reply.first == 0x61, "an answer of another version")
        guard isOurVersion else { return }
        let other = side(!isInitiator, manner, since, limit)
        try hold(accepted { try other.read(reply, with: set.set) } != nil, "the other side cannot read the answer")
    }

    private static func side(
        _ isInitiator: Bool, _ manner: Reconciler.Manner, _ since: UInt64, _ limit: Int?
    ) -> Reconciler {
        isInitiator
            ? .initiator(manner, from: since, frameBytesMax: limit, sha256: { Digest.sha256($0) })
            : .responder(manner, from: since, frameBytesMax: limit, sha256: { Digest.sha256($0) })
    }
}

/// The stored sets in several sizes; created once.
private struct NegentropySets: Sendable {
    let items: [ReconciliationItem]
    let ids: Set<Bytes32>
    let set: ReconciliationSet

    static let all = [0, 1, 12, 400].map { NegentropySets(count: $0) }

    private init(count: Int) {
        var generator = SeededGenerator(seed: UInt64(count))
        items = (0..<count).compactMap { number in
            let words = (generator.next(), generator.next(), generator.next(), generator.next())
            // Some share a timestamp, so that their ids decide the order.
            return ReconciliationItem(timestamp: UInt64(number / 3 * 7), id: Bytes32(words: words))
        }
        ids = Set(items.map(\.id))
        set = ReconciliationSet(items)
    }
}
