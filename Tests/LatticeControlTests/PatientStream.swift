import LatticeAPI
import Synchronization

@testable import LatticeControl

/// A node with stream 7 alone, which takes and gives what a test says.
final class PatientStream: StreamNode, StreamAttachment {
    struct State {
        var calls: [String] = []
        var sent: [UInt8] = []
        var isFull = false
        var arrivals: [StreamArrival] = []
        var onNews: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    var calls: [String] { state.withLock(\.calls) }
    var sent: [UInt8] { state.withLock(\.sent) }

    func change(_ change: (inout State) -> Void) {
        let onNews = state.withLock { state in
            change(&state)
            return state.onNews
        }
        onNews?()
    }

    func attach(
        to stream: Int, onNews: @escaping @Sendable () -> Void
    ) throws(RequestError) -> any StreamAttachment {
        guard stream == 7 else { throw .stream(fault: .unknown) }
        state.withLock { state in
            state.calls.append("attach")
            state.onNews = onNews
        }
        return self
    }

    func send(_ bytes: UnsafeRawBufferPointer) -> StreamSpace {
        state.withLock { state in
            state.sent += bytes
            return state.isFull ? .full : .free
        }
    }

    func finish() { state.withLock { $0.calls.append("finish") } }

    func receive(atMost bytesMax: Int) -> StreamArrival {
        state.withLock { $0.arrivals.isEmpty ? .nothing : $0.arrivals.removeFirst() }
    }

    func detach() { leave("detach") }

    func giveBack() { leave("give back") }

    private func leave(_ call: String) {
        state.withLock { state in
            state.calls.append(call)
            state.onNews = nil
        }
    }
}
