@preconcurrency import Dispatch
import Glibc

/// A signal that the program handles instead of ending at once.
package struct ProgramSignal: Hashable, Sendable {
    package static let hangup = ProgramSignal(number: SIGHUP)
    package static let interrupt = ProgramSignal(number: SIGINT)
    package static let terminate = ProgramSignal(number: SIGTERM)

    /// A later signal matters more than an earlier one: the end more than a reload.
    private static let bufferedMax = 16
    private static let queue = DispatchQueue(label: "lattice.signals")

    let number: Int32

    /// Catches signals until the returned stream is released. Several signals of one kind may arrive as one.
    package static func caught(_ signals: ProgramSignal...) async -> AsyncStream<ProgramSignal> {
        let (stream, continuation) = AsyncStream<ProgramSignal>.makeStream(
            bufferingPolicy: .bufferingNewest(bufferedMax))
        let sources = signals.map { DispatchSource.makeSignalSource(signal: $0.number, queue: queue) }
        for (signal, source) in zip(signals, sources) {
            source.setEventHandler { continuation.yield(signal) }
            await withCheckedContinuation { registered in
                source.setRegistrationHandler { registered.resume() }
                source.activate()
            }
        }
        continuation.onTermination = { _ in sources.forEach { $0.cancel() } }
        return stream
    }
}
