import LatticeLink
import NIOCore

// What the event loop calls this node for, where it is at home already.
extension Node {
    /// As `assumeIsolated`, which asks the runtime twice who is at work: with every message that comes and goes, that is a third of what
    /// sealing it takes.
    // Safety: whoever is not on the thread of this actor's executor is stopped first. Isolation changes what may be called and not how, so
    // that one kind of function may be taken for the other; `assumeIsolated` of the standard library does the same.
    nonisolated func onLoop<Value: Sendable>(_ work: (isolated Node) -> Value) -> Value {
        executor.eventLoop.preconditionInEventLoop()
        return withoutActuallyEscaping(work) { unsafeBitCast($0, to: ((Node) -> Value).self)(self) }
    }
}
