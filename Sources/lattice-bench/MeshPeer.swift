import ArgumentParser
import Foundation
import LatticeAPI
import LatticeCore
import LatticeNode

/// One peer of the benchmark in a process of its own. It reads commands, one a line, and answers each with a line.
///
/// | line | answer |
/// |---|---|
/// | `listen` | `listening`: from now on messages are queued for it |
/// | `connect ADDRESS` | `linked MICROSECONDS` |
/// | `dial ADDRESS COUNT` | `dialled MICROSECONDS…`: each time by a fresh node |
/// | `discover COUNT` | `discovered MICROSECONDS…`: each time a fresh node that discovers a peer |
/// | `echo COUNT` | `echoed`, after this many replies |
/// | `ping COUNT PEER` | `pinged MICROSECONDS…` |
/// | `send COUNT PEER…` | `sent NANOSECONDS`: when the first was said |
/// | `pace COUNT RATE PEER` | `paced`: at this rate a second, without waiting for anything |
/// | `hear COUNT` | `heard NANOSECONDS P50 P99`: when the last came, and how long they took, in microseconds |
struct MeshPeer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "peer", abstract: "One peer of `mesh`, until its input ends.", shouldDisplay: false)

    // Positional, because `mesh` has options of these names and takes them before its subcommand does.
    @Argument(help: "Kind of message.")
    var mode: MeshMode

    @Argument(help: "Bytes of a message.")
    var bytes: Int

    @Argument(help: "Store the lines in this file.")
    var store: String?

    @Flag(help: "Accept every connection.")
    var isOpen = false

    @Flag(help: "Advertise and browse by mDNS.")
    var isFound = false

    /// Commands that wait for nobody.
    private static let onlySays: Set<String> = ["send", "pace"]

    func run() async throws {
        // As the program does.
        ProcessMemory.prepare()
        let work = MeshWork(mode: mode, bytes: bytes, isOpen: isOpen, isFound: isFound)
        let node = try await Node(try work.configuration(store: store), logger: MeshWork.logger)
        let me = await node.me
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { await node.run() }
            MeshWork.tell("ready \(me.port) \(me.id.key.hex)")
            let desk = MeshDesk(work, node)
            var talk: Talk?
            for await line in Self.lines() {
                let words = line.split(separator: " ").map(String.init)
                do {
                    // Either way it runs on the node's own thread, where replying is fastest. A waiting task is resumed
                    // by its preferred executor, or without one by a thread of its own. A task that says many lines and
                    // prefers an executor is scheduled with each line.
                    if mode == .signed, let word = words.first, Self.onlySays.contains(word) {
                        try await desk.perform(words)
                    } else {
                        try await withTaskExecutorPreference(node.taskExecutor) {
                            switch mode {
                            case .signed: try await desk.perform(words)
                            case .raw: try await work.perform(words, node, &talk)
                            }
                        }
                    }
                } catch {
                    MeshWork.tell("failed \(error)")
                }
            }
            await node.stop()
        }
    }

    private static func lines() -> AsyncStream<String> {
        let (stream, input) = AsyncStream<String>.makeStream()
        Thread {
            while let line = readLine() { input.yield(line) }
            input.finish()
        }.start()
        return stream
    }
}

extension MeshMode: ExpressibleByArgument {}
