import Glibc
import LatticeHost

extension BridgeRunner {
    /// Runs until SIGINT or SIGTERM comes, or it ends by itself.
    func runUntilSignalled() async -> End {
        let signals = await ProgramSignal.caught(.interrupt, .terminate)
        return await withTaskGroup(of: End.self) { group in
            group.addTask { await run() }
            group.addTask {
                for await _ in signals { break }
                // A second one ends the program at once.
                for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
                return .done
            }
            defer { group.cancelAll() }
            return await group.next() ?? .done
        }
    }
}
