import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeStore
import LatticeWire

// One step of reconciling with a neighbour.
extension Catalogue {
    /// Leaves known records out of `need`, deleted ones too: the set has only what may be served.
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
            // Only the side that began a comparison learns from it.
            guard work.side == .question else {
                return ComparisonOutcome(work, .step(reply: step.reply, have: [], need: []))
            }
            let need = step.need.map(RecordID.init)
            let known = need.isEmpty ? [] : try await store.catalogue.known(need)
            return ComparisonOutcome(
                work,
                .step(
                    reply: step.reply, have: step.have.map(RecordID.init), need: need.filter { !known.contains($0) }))
        } catch {
            // Writers to the store get the reason.
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
