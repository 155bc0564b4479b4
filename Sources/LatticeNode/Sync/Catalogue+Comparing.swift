import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeStore
import LatticeWire

// One step of a comparison with a neighbour.
extension Catalogue {
    /// What is needed is told without what is here already, taken back included: the set knows only what may be given.
    func outcome(of work: ComparisonWork) async -> ComparisonOutcome {
        do {
            guard let set = try await set(of: work.scope, since: work.since) else {
                return ComparisonOutcome(work, .unready)
            }
            let step: Reconciler.Step
            do {
                step = try Self.step(work, over: set)
            } catch {
                return ComparisonOutcome(work, .faulty(error.description))
            }
            // Only who began a comparison learns anything by it.
            guard work.side == .question else {
                return ComparisonOutcome(work, .step(reply: step.reply, have: [], need: []))
            }
            let need = step.need.map(RecordID.init)
            let known = need.isEmpty ? [] : try await store.known(need)
            return ComparisonOutcome(
                work,
                .step(
                    reply: step.reply, have: step.have.map(RecordID.init), need: need.filter { !known.contains($0) }))
        } catch {
            // The store says why to whoever writes to it.
            return ComparisonOutcome(work, .unready)
        }
    }

    private static func step(
        _ work: ComparisonWork, over set: ReconciliationSet
    ) throws(ReconciliationError) -> Reconciler.Step {
        let (since, limit) = (work.since.rawValue, Comparison.messageBytesMax)
        switch work.side {
        case .question:
            let reconciler = Reconciler.initiator(.thrifty, from: since, frameBytesMax: limit, sha256: sha256)
            guard !work.message.isEmpty else { return Reconciler.Step(reply: reconciler.begin(with: set)) }
            return try reconciler.read(work.message, with: set)
        case .answer:
            let reconciler = Reconciler.responder(.thrifty, from: since, frameBytesMax: limit, sha256: sha256)
            return try reconciler.read(work.message, with: set)
        }
    }

    private static let sha256: Fingerprinter = { Digest.sha256($0) }
}
