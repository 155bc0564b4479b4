// Safety: bytes to send are lent for the length of the call, with their true size.

package import LatticeAPI
import LatticeWire
import Synchronization

extension StreamExchange: StreamNode {
    struct Attached {
        let onNews: @Sendable () -> Void
        var isSending = true
        var isReceiving = true
    }

    package func attach(
        to number: Int, onNews: @escaping @Sendable () -> Void
    ) throws(RequestError) -> any StreamAttachment {
        let fault: RequestError? = state.withLock { state in
            if let fault = state.table.attachFault(number) { return RequestError(fault) }
            guard state.attached[number] == nil else {
                return .stream(fault: .hasConnection(stream: number))
            }
            state.attached[number] = Attached(onNews: onNews)
            return nil
        }
        if let fault { throw fault }
        return AttachedStream(number: number, exchange: self)
    }

    func append(_ bytes: UnsafeRawBufferPointer, on number: Int) -> StreamSpace {
        change { $0.append(bytes, on: number, into: &$1) }
    }

    func finishAttached(_ number: Int) {
        state.withLock { $0.attached[number]?.isSending = false }
        change { table, effects in
            effects.append(.wake(number))
            do throws(StreamFault) {
                _ = try table.finish(number, into: &effects)
            } catch {
                // The stream is over, which the next request for it reports.
            }
        }
    }

    func take(_ number: Int, atMost bytesMax: Int) -> StreamArrival {
        let now = Clocks.now
        let arrival = change { $0.take(number, atMost: bytesMax, at: now, into: &$1) }
        if arrival == .end { state.withLock { $0.attached[number]?.isReceiving = false } }
        return arrival
    }

    func detach(_ number: Int) {
        let isUnfinished = state.withLock { state in
            state.attached[number].map { $0.isSending || $0.isReceiving } ?? false
        }
        // Before a request that waits can end it.
        if isUnfinished { reset(number, .ended) }
        giveBack(number)
    }

    func giveBack(_ number: Int) {
        state.withLock { $0.attached[number] = nil }
        change { $1.append(.wake(number)) }
    }

    func checkFree(
        _ number: Int, for direction: KeyPath<Attached, Bool>
    ) throws(RequestError) {
        guard state.withLock({ $0.attached[number]?[keyPath: direction] }) != true else {
            throw .stream(fault: .hasConnection(stream: number))
        }
    }
}

/// A stream whose bytes a connection carries.
private final class AttachedStream: StreamAttachment {
    private let number: Int
    private let exchange: StreamExchange

    init(number: Int, exchange: StreamExchange) {
        (self.number, self.exchange) = (number, exchange)
    }

    func send(_ bytes: UnsafeRawBufferPointer) -> StreamSpace { exchange.append(bytes, on: number) }

    func finish() { exchange.finishAttached(number) }

    func receive(atMost bytesMax: Int) -> StreamArrival { exchange.take(number, atMost: bytesMax) }

    func detach() { exchange.detach(number) }

    func giveBack() { exchange.giveBack(number) }
}
