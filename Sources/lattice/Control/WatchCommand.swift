import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCommands
import LatticeCore
import LatticeHost
import LatticeNode
import LatticeSettings

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print messages and events as they happen, until Ctrl-C.",
        discussion: """
            It watches the running node of the same folder, or its own if none runs. Messages go to standard output and \
            everything else to standard error; with --json each is an object on standard output. It sends nothing.
            """)

    @OptionGroup(title: CommonOptions.title) var person: PersonOptions
    @OptionGroup(title: CommonOptions.title) var network: NetworkOptions

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func run() async throws {
        if person.choice.isNamed {
            try PersonChoice.checkSomebodyIsThere(
                try person.choice.directory(isReadOnly: true), "there is nothing to watch")
        }
        let signals = await ProgramSignal.caught(.interrupt, .terminate, .hangup)
        let end = try await ShellNode.with(person.choice, network.choice, isBrief: false) {
            [json] node, me, isRunning in
            let end = await withTaskGroup(of: End.self) { group in
                group.addTask { await Self.show(await node.events(), of: me, json: json) }
                group.addTask {
                    for await _ in signals { break }
                    return .asked
                }
                defer { group.cancelAll() }
                return await group.next() ?? .asked
            }
            // A node that this command started ends with it.
            return end == .nodeEnded && !isRunning ? .asked : end
        }
        switch end {
        case .asked: return
        case .nodeEnded: throw Failure(.unavailable, "the node of this folder has ended")
        case .outputFailed(let reason): throw Failure(.failed, reason)
        }
    }

    private enum End: Equatable {
        /// Ended by a signal, or by a closed output.
        case asked
        case nodeEnded
        case outputFailed(String)
    }

    /// What a chat or program of this person did to what they share.
    private static func changed(_ event: NodeEvent, _ conversation: inout Conversation) -> ChatItem? {
        guard case .me(let me) = event else { return nil }
        let changes = conversation.take(me)
        return changes.isEmpty ? nil : .me(me, changes)
    }

    private static func show(_ events: NodeEvents, of me: Me, json: Bool) async -> End {
        var conversation = Conversation(me: me)
        let renderer: any Renderer = json ? JSONRenderer() : PlainRenderer(clock: TimeOfDay.string, hasTimes: true)
        for await event in events {
            guard let item = conversation.heard(event) ?? Self.changed(event, &conversation) else { continue }
            let rendered = renderer.render(item)
            rendered.error.forEach(Report.remark)
            do {
                try Report.output(rendered.output.map { "\($0)\n" }.joined())
            } catch let failure as Failure {
                return .outputFailed(failure.description)
            } catch {
                return .asked  // Nobody reads it any more.
            }
        }
        return Task.isCancelled ? .asked : .nodeEnded
    }
}
