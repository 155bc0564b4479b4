/// The interface of a node for fronts. It is the same for a node in this process and for one behind a socket.
package protocol MeshNode: Sendable {
    func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply

    /// Every event from now on, in order. Bounded: a reader that falls behind gets the number of events it missed.
    func events() async -> NodeEvents
}
