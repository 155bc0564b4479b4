import DequeModule
import LatticeConcurrency

/// Pictures that a person at a terminal asked for. They come one after the other while the chat goes on, since one may have to be
/// fetched; Ctrl-C gives up the one that comes, and those that wait.
final class ChatViews {
    static let word = "view"
    /// A guess: more than anybody asks for ahead.
    private static let waitingMax = 8

    private let desk: ChatDesk
    private let slash: (any ChatExtension)?
    private var waiting: Deque<String> = []
    /// Stops the one that comes.
    private var underWay: Signal?
    private let asked = Signal()

    init(_ desk: ChatDesk, _ slash: (any ChatExtension)?) { (self.desk, self.slash) = (desk, slash) }

    /// - Parameter rest: what follows `/view`.
    /// - Throws: if too many wait.
    func ask(_ rest: String) throws(CommandError) {
        guard waiting.count < Self.waitingMax else {
            throw CommandError(
                code: "busy", description: "\(Self.waitingMax) pictures wait already; Ctrl-C stops them.")
        }
        waiting.append(rest)
        asked.raise()
    }

    /// - Returns: whether Ctrl-C was meant for a picture.
    func stop() -> Bool {
        guard underWay != nil || !waiting.isEmpty else { return false }
        waiting = []
        underWay?.raise()
        return true
    }

    /// Shows one after the other, until the task is cancelled.
    nonisolated(nonsending) func follow() async -> ChatEnd? {
        guard let slash else { return nil }
        do {
            while !Task.isCancelled {
                await asked.wait()
                while let rest = waiting.popFirst(), !Task.isCancelled {
                    // One for each: a stop that comes too late is not meant for the next.
                    let stopped = Signal()
                    underWay = stopped
                    let output = await output(of: slash, rest, until: stopped)
                    underWay = nil
                    guard !Task.isCancelled else { return nil }
                    if output.exitCode != 0 { desk.hasRefused = true }
                    try await desk.show(.reply(.output(output)))
                }
            }
            return nil
        } catch {
            return .outputClosed
        }
    }

    nonisolated(nonsending) private func output(
        of slash: any ChatExtension, _ rest: String, until stopped: Signal
    ) async -> CommandOutput {
        let (node, screen) = (desk.node, desk.screen)
        return await withTaskGroup(of: CommandOutput?.self) { group in
            group.addTask {
                await withTaskExecutorPreference(globalConcurrentExecutor) {
                    await slash.run(Self.word, rest, on: node, progress: { await screen.setProgress($0) })
                }
            }
            group.addTask {
                await stopped.wait()
                return nil
            }
            var output: CommandOutput?
            while output == nil, let next = await group.next() {
                output = next
                group.cancelAll()
            }
            return output ?? CommandOutput([])
        }
    }
}
