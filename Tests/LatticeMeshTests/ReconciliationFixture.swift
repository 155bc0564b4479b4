import LatticeCore
import LatticeCrypto

@testable import LatticeMesh

/// Two peers that reconcile until the one that asked knows all.
struct ReconciliationRun {
    var have: [Bytes32] = []
    var need: [Bytes32] = []
    var messages: [[UInt8]] = []
    /// Whether the one that asked came to an end.
    private(set) var isOver = false

    /// - Parameters:
    ///   - frameBytesMax: of both sides, or of the one that asks alone.
    ///   - messagesMax: after which it stops, so that a run that never ends is a test that fails.
    ///   - first: what to ask first, in the place of a message over all.
    init(
        _ asking: ReconciliationSet, _ answering: ReconciliationSet, _ manners: [Reconciler.Manner] = [.reference],
        from since: UInt64 = 0, frameBytesMax: Int? = nil, messagesMax: Int = 4_000, first: [UInt8]? = nil,
        answersAreLimited: Bool = true
    ) throws(ReconciliationError) {
        let initiator = Reconciler.initiator(
            manners[0], from: since, frameBytesMax: frameBytesMax, sha256: sha256)
        let responder = Reconciler.responder(
            manners[manners.count - 1], from: since, frameBytesMax: answersAreLimited ? frameBytesMax : nil,
            sha256: sha256)
        var next: [UInt8]? = first ?? initiator.begin(with: asking)
        while let question = next, messages.count < messagesMax {
            let answer = try responder.read(question, with: answering).reply ?? []
            let step = try initiator.read(answer, with: asking)
            messages += [question, answer]
            have += step.have
            need += step.need
            next = step.reply
        }
        isOver = next == nil
    }

    var bytes: Int { messages.reduce(0) { $0 + $1.count } }

    /// Whether exactly these were found; as sets, because with a limit some ids come twice.
    func found(have: [ReconciliationItem], need: [ReconciliationItem]) -> Bool {
        isOver && Set(self.have) == Set(have.map(\.id)) && Set(self.need) == Set(need.map(\.id))
    }

    static func items(_ count: Int, timestamps: UInt64, using generator: inout SeededGenerator) -> [ReconciliationItem]
    {
        (0..<count).compactMap { _ in item(UInt64.random(in: 0..<timestamps, using: &generator), using: &generator) }
    }

    static func item(_ timestamp: UInt64, using generator: inout SeededGenerator) -> ReconciliationItem? {
        let id = Bytes32(words: (generator.next(), generator.next(), generator.next(), generator.next()))
        return ReconciliationItem(timestamp: timestamp, id: id)
    }

    /// An item whose id is one byte, then zeros, then another.
    static func item(_ timestamp: UInt64, _ first: UInt8, _ last: UInt8 = 0) throws -> ReconciliationItem {
        let id = Bytes32([first] + [UInt8](repeating: 0, count: 30) + [last]) ?? .zero
        guard let item = ReconciliationItem(timestamp: timestamp, id: id) else { throw NoItem() }
        return item
    }

    private struct NoItem: Error {}
}

let sha256: Fingerprinter = { Digest.sha256($0) }

extension ReconciliationSum {
    /// The bytes of its fingerprint on the wire.
    func fingerprintBytes() -> [UInt8] {
        let words = fingerprint(sha256).words
        return Array(Bytes32(words: (words.0, words.1, 0, 0)).bytes.prefix(16))
    }
}
