import LatticeCore
import LatticeCrypto
import LatticeWire
import Synchronization

/// Sealed records that were said just now; whatever else is opened was kept by others meanwhile.
///
/// One is noted before it is kept, so that whoever reads it finds it here, and stays until every pass that begins afterwards
/// could read it: until the second end of a pass.
final class FreshLetters: Sendable {
    /// Of each of the two; what is beyond counts as kept by others.
    static let countMax = 2_048

    private struct State {
        var noted: Set<RecordID> = []
        /// Noted before the pass began that ended last.
        var older: Set<RecordID> = []
    }

    private let state = Mutex(State())

    func note(_ id: RecordID) {
        state.withLock { state in
            guard state.noted.count < Self.countMax else { return }
            state.noted.insert(id)
        }
    }

    /// Signs what goes out, dated by the store.
    func signing(
        _ kind: RecordKind, _ body: [UInt8], by identity: Identity
    ) -> @Sendable (HybridTime) -> VerifiedRecord {
        { created in
            let record = identity.sign(
                Record(
                    kind: kind, author: identity.peer, created: created,
                    lifetimeSeconds: PrivateMail.lifetimeSeconds, topic: [], body: body))
            // Before it is kept: others read it here then.
            if kind == .sealed { self.note(record.id) }
            return record
        }
    }

    func contains(_ id: RecordID) -> Bool {
        state.withLock { $0.noted.contains(id) || $0.older.contains(id) }
    }

    /// Everybody here has looked at what was there.
    func passEnded() {
        state.withLock { state in
            state.older = state.noted
            state.noted = []
        }
    }
}
