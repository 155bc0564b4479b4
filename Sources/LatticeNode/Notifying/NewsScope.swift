import LatticeCore
import LatticeGeo
import LatticeStore
import Synchronization

/// Which posts a persona is notified of: those by people it follows, and those near its place. Kept in memory, because
/// each new post needs the scopes of all personas.
final class NewsScope: Sendable {
    struct Value: Sendable {
        let followed: Set<PeerID>
        let place: Coordinate?
    }

    private struct State {
        var value: Value?
        var readAt = Instant.zero
        /// Grows with each change.
        var version = 0
    }

    /// Another process may change it, and a follow expires.
    static let validFor: Duration = .seconds(60)

    private let state = Mutex(State())

    /// - Parameter read: asks the store.
    func value(at now: Instant, _ read: () throws(StoreError) -> Value) throws(StoreError) -> Value {
        let (kept, version) = state.withLock { state in
            (state.readAt.duration(to: now) < Self.validFor ? state.value : nil, state.version)
        }
        if let kept { return kept }
        let value = try read()
        state.withLock { state in
            // It may have changed while it was read.
            guard state.version == version else { return }
            (state.value, state.readAt) = (value, now)
        }
        return value
    }

    /// The place or the follows changed.
    func forget() {
        state.withLock { state in
            state.value = nil
            state.version += 1
        }
    }
}
