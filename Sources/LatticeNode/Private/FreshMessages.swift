import LatticeCore
import LatticeCrypto
import LatticeWire
import Synchronization

/// Sealed records that were just written; any other was kept by somebody meanwhile.
///
/// A record is noted before it is stored, so that a reader finds it here. It stays until every pass that begins afterwards
/// could read it: until the second end of a pass.
final class FreshMessages: Sendable {
    /// For each of the two sets; records beyond count as kept by others.
    static let countMax = 2_048

    private struct State {
        var noted: Set<RecordID> = []
        /// Noted before the start of the pass that ended last.
        var older: Set<RecordID> = []
    }

    private let state = Mutex(State())

    func note(_ id: RecordID) {
        state.withLock { state in
            guard state.noted.count < Self.countMax else { return }
            state.noted.insert(id)
        }
    }

    /// Signs outgoing records, dated by the store.
    func signing(
        _ kind: RecordKind, _ body: [UInt8], by identity: Identity
    ) -> @Sendable (HybridTime) -> VerifiedRecord {
        { created in
            let record = identity.sign(
                Record(
                    kind: kind, author: identity.peer, created: created,
                    lifetimeSeconds: PrivateMail.lifetimeSeconds, topic: [], body: body))
            // Before it is stored, as others can read it from then on.
            if kind == .sealed { self.note(record.id) }
            return record
        }
    }

    func contains(_ id: RecordID) -> Bool {
        state.withLock { $0.noted.contains(id) || $0.older.contains(id) }
    }

    /// Every persona has looked at what was there.
    func passEnded() {
        state.withLock { state in
            state.older = state.noted
            state.noted = []
        }
    }
}
