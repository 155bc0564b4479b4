import LatticeAPI
import LatticeCore
import Synchronization

/// The streams of one client: they end with its connection, so that nobody at their other ends waits for a program that is gone.
final class ControlStreams: Sendable {
    /// Of a stream one thing each way is waited for at a time: what is carried out side by side would lose its order.
    private struct Act: Hashable {
        let stream: Int
        let isWriting: Bool
    }

    private struct State {
        var isOpen: [Int: (hasSaidAll: Bool, hasHeardAll: Bool)] = [:]
        var acts: Set<Act> = []
    }

    private let state = Mutex(State())

    /// - Returns: why it cannot be done now.
    func objection(to request: Request) -> RequestError? {
        guard let act = Self.act(of: request) else { return nil }
        return state.withLock { $0.acts.insert(act).inserted }
            ? nil
            : RequestError(
                .busy,
                "stream \(act.stream) is still busy with your last request; wait for its answer")
    }

    /// - Parameter answer: `nil` where it was refused.
    func done(_ request: Request, _ answer: Answer?) {
        guard case .stream(let wish) = request else { return }
        state.withLock { state in
            if let act = Self.act(of: request) { state.acts.remove(act) }
            switch (wish, answer) {
            case (_, .stream(.opened(let stream))): state.isOpen[stream.stream] = (false, false)
            case (.finish(let stream), .some): state.isOpen[stream]?.hasSaidAll = true
            case (.receive(let stream), .stream(.bytes(_, isEnd: true))): state.isOpen[stream]?.hasHeardAll = true
            case (.reset(let stream, _), _): state.isOpen[stream] = nil
            default: break
            }
            if let stream = Self.act(of: request)?.stream, let open = state.isOpen[stream], open.hasSaidAll,
                open.hasHeardAll
            {
                state.isOpen[stream] = nil
            }
        }
    }

    /// Gives up what is still open.
    func end(on node: any MeshNode) async {
        for stream in state.withLock({ $0.isOpen.keys.sorted() }) {
            do {
                _ = try await node.perform(.stream(.reset(stream, .ended)))
            } catch {
                return  // The node has ended, and all its streams.
            }
        }
    }

    private static func act(of request: Request) -> Act? {
        guard case .stream(let wish) = request else { return nil }
        return switch wish {
        case .send(let stream, _), .finish(let stream): Act(stream: stream, isWriting: true)
        case .receive(let stream): Act(stream: stream, isWriting: false)
        case .open, .listen, .reset: nil
        }
    }
}
