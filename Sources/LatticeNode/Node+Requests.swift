package import LatticeAPI

// Requests from fronts.
extension Node {
    package func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
        try await HandlerTable.all[R.self].perform(request, for: personas.owner, on: self)
    }
}
