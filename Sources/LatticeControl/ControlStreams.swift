import LatticeAPI
import LatticeCore
import Synchronization

/// The streams of one client. They end with its connection, so that no peer waits for a program that is gone.
final class ControlStreams: Sendable {
    /// One direction of a stream. Only one request for it is pending at a time, as concurrent ones would lose their order.
    private struct Act: Hashable {
        let stream: Int
        let isWriting: Bool
    }

    private struct State {
        var isOpen: [Int: (hasSaidAll: Bool, hasHeardAll: Bool)] = [:]
        var acts: Set<Act> = []
    }

    private let state = Mutex(State())

    /// - Returns: why the request cannot be carried out now, if it cannot.
    func objection(to request: any Request) -> RequestError? {
        guard let act = Self.act(of: request) else { return nil }
        return state.withLock { $0.acts.insert(act).inserted }
            ? nil
            : .stream(fault: .stillBusy(stream: act.stream))
    }

    /// - Parameter reply: `nil` if the request failed.
    func done<R: Request>(_ request: R, _ reply: R.Reply?) {
        state.withLock { state in
            if let opened = reply as? StreamInfo { state.isOpen[opened.stream] = (false, false) }
            if let reset = request as? ResetStream { state.isOpen[reset.stream] = nil }
            guard let act = Self.act(of: request) else { return }
            state.acts.remove(act)
            if request is FinishStream, reply != nil { state.isOpen[act.stream]?.hasSaidAll = true }
            if let received = reply as? ReceiveBytes.Reply, received.isEnd {
                state.isOpen[act.stream]?.hasHeardAll = true
            }
            if let open = state.isOpen[act.stream], open.hasSaidAll, open.hasHeardAll {
                state.isOpen[act.stream] = nil
            }
        }
    }

    /// Resets every open stream.
    func end(on node: any MeshNode) async {
        for stream in state.withLock({ $0.isOpen.keys.sorted() }) {
            do {
                _ = try await node.perform(ResetStream(stream, .ended))
            } catch {
                return  // The node has ended, and all its streams with it.
            }
        }
    }

    private static func act(of request: any Request) -> Act? {
        (request as? any StreamTransfer).map { Act(stream: $0.stream, isWriting: type(of: $0).isSending) }
    }
}
