import LatticeChat
import LatticeHost

extension CommandContext {
    /// Carries out the work until it ends or, in the shell, Ctrl-C is pressed. In a chat, Ctrl-C is a key, and cancels the task.
    ///
    /// - Parameter interruption: thrown when Ctrl-C is pressed; `nil` ends the work without an error.
    func interruptible(
        throwing interruption: CommandFailure?, _ work: @escaping @Sendable () async throws -> Void
    ) async throws {
        guard !isChat else { return try await work() }
        let signals = await ProgramSignal.caught(.interrupt)
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await work() }
            group.addTask {
                for await _ in signals {
                    if let interruption { throw interruption }
                    return
                }
            }
            try await group.next()
        }
    }
}
