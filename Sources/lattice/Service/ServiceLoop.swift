import Glibc
import LatticeAPI
import LatticeCore
import LatticeNode
import Logging
import UnixSignals

/// What a node without a terminal does beside its work: it hears signals, and tells the manager of services how it goes.
struct ServiceLoop: Sendable {
    let manager: ServiceSupervisor?
    let logger: Logger

    /// Returns at SIGTERM or SIGINT; another one of them ends the program at once.
    ///
    /// - Parameters:
    ///   - status: what the manager shows of it.
    ///   - reload: reads the settings anew, at SIGHUP.
    func run(
        _ signals: UnixSignalsSequence, node: any MeshNode, status: String, reload: @escaping @Sendable () async -> Void
    ) async {
        tell(.ready(status: status))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await tellAlive(of: node) }
            for await signal in signals {
                guard signal == .sighup else { break }
                tell(.reloading(microseconds: Self.now))
                await reload()
                tell(.ready(status: status))
            }
            group.cancelAll()
        }
        tell(.stopping)
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }

    /// A node that does not answer is not alive, whatever else goes on here.
    private func tellAlive(of node: any MeshNode) async {
        guard let interval = manager?.watchdogInterval else { return }
        while !Task.isCancelled {
            do {
                _ = try await node.perform(.me)
                tell(.alive)
                try await Task.sleep(for: interval)
            } catch {
                return  // It ends.
            }
        }
    }

    private func tell(_ notice: ServiceNotice) {
        do {
            try manager?.tell(notice)
        } catch {
            logger.warning("the manager of services was not told", metadata: ["error": "\(error)"])
        }
    }

    private static var now: UInt64 {
        var time = timespec()
        let result = clock_gettime(CLOCK_MONOTONIC, &time)
        precondition(result == 0, "every system has this clock")
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
    }
}
