package import LatticeAPI
import LatticeWire
import Synchronization

// How a stream ends before its time.
extension StreamExchange {
    func reset(_ number: Int, _ reason: StreamReset) {
        change { $0.reset(number, reason, into: &$1) }
    }

    /// Gives up a stream; the other side learns that it was ended.
    package func reset(_ number: Int) { reset(number, StreamReset.ended) }

    /// Gives up a stream; the other side learns that there is no space for it.
    package func refuse(_ number: Int) { reset(number, StreamReset.full) }

    /// Gives up a stream; the other side learns why.
    package func reset(_ number: Int, because reason: StreamReason) { reset(number, StreamReset(reason)) }

    /// Whether both sides have it and neither gave it up.
    package func isOpen(_ number: Int) -> Bool {
        if case .success(true)? = state.withLock({ $0.table.isOpen(number) }) { true } else { false }
    }
}
