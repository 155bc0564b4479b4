package import LatticeAPI
import LatticeCore

// Requests from fronts.
extension Node {
    package func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
        try await HandlerTable.all[R.self].perform(request, for: personas.owner, on: self)
    }

    /// One front's changes to the owner are shown to the others.
    func tellMe() {
        tell(.me(me))
    }
}
