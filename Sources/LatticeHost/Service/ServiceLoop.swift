import Glibc
package import LatticeAPI
import LatticeCore
import LatticeNode
package import Logging
import Synchronization

/// Handles signals and reports to the service manager, for a node without a terminal.
package final class ServiceLoop: Sendable {
    private let manager: ServiceSupervisor?
    private let logger: Logger
    private let isEnding = Atomic(false)

    package init(manager: ServiceSupervisor?, logger: Logger) {
        self.manager = manager
        self.logger = logger
    }

    /// Serves until SIGTERM or SIGINT; a second one ends the program at once. A reload in progress, or a request that
    /// the node does not answer, delays the end no longer than the node takes to stop.
    ///
    /// - Parameters:
    ///   - signals: SIGHUP reloads the settings; signals during a reload cause one more.
    ///   - status: the status that the manager shows.
    ///   - serve: does the work while its argument runs, then stops the node and returns.
    package func run<Signals: AsyncSequence & Sendable>(
        _ signals: Signals, node: any MeshNode, status: String, reload: @escaping @Sendable () async -> Void,
        serve: @escaping @Sendable (_ untilNotified: @escaping @Sendable () async -> Void) async -> Void
    ) async where Signals.Element == ProgramSignal, Signals.Failure == Never {
        // One buffered signal stands for all that came during the current reload.
        let (wishes, wish) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.reportAlive(of: node) }
            group.addTask {
                for await _ in wishes where !self.isEnding.load(ordering: .acquiring) {
                    self.tell(.reloading(microseconds: Self.now))
                    await reload()
                    self.tell(.ready(status: status))
                }
            }
            await serve {
                self.tell(.ready(status: status))
                await self.hear(signals, wish)
            }
            group.cancelAll()
        }
    }

    /// Returns at the signal to end.
    private func hear<Signals: AsyncSequence & Sendable>(
        _ signals: Signals, _ wish: AsyncStream<Void>.Continuation
    ) async where Signals.Element == ProgramSignal, Signals.Failure == Never {
        for await signal in signals {
            guard signal == .hangup else { break }
            wish.yield()
        }
        isEnding.store(true, ordering: .releasing)
        wish.finish()
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
        send(.stopping)
    }

    /// A node that does not answer counts as dead, whatever else still works.
    private func reportAlive(of node: any MeshNode) async {
        guard let interval = manager?.watchdogInterval else { return }
        while !Task.isCancelled {
            do {
                _ = try await node.perform(ShowMe())
                tell(.alive)
                try await Task.sleep(for: interval)
            } catch {
                return  // It ends.
            }
        }
    }

    /// After the end has begun, no other state is reported.
    private func tell(_ notice: ServiceNotice) {
        guard !isEnding.load(ordering: .acquiring) else { return }
        send(notice)
    }

    private func send(_ notice: ServiceNotice) {
        do {
            try manager?.tell(notice)
        } catch {
            logger.warning("cannot notify the service manager", metadata: ["error": "\(error)"])
        }
    }

    private static var now: UInt64 {
        var time = timespec()
        let result = clock_gettime(CLOCK_MONOTONIC, &time)
        precondition(result == 0, "every system has this clock")
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
    }
}
