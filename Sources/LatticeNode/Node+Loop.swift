import LatticeLink
import NIOCore

// Calls from the event loop, which is this actor's own.
extension Node {
    /// Like `assumeIsolated`, which asks the runtime twice which executor is running. For every message, that costs a third of
    /// what sealing it takes.
    // Safety: a caller on another thread than that of this actor's executor is stopped first. Isolation changes what may be
    // called, not how, so one kind of function can stand for the other; the standard library's `assumeIsolated` does the same.
    nonisolated func onLoop<Value: Sendable>(_ work: (isolated Node) -> Value) -> Value {
        loop.eventLoop.preconditionInEventLoop()
        return withoutActuallyEscaping(work) { unsafeBitCast($0, to: ((Node) -> Value).self)(self) }
    }
}
