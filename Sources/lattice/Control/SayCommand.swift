import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCommands
import LatticeCore
import LatticeHost
import LatticeNode
import LatticeSettings

/// A room as it was typed: without its `#` it may be meant for a person, and what was meant for one is not to be read by all.
struct TypedRoom: Codable {
    let name: RoomName
    private let isMarked: Bool

    init(_ text: String) throws {
        name = try Arguments.roomName(text)
        isMarked = text.hasPrefix("#")
    }

    /// - Returns: a hint for a user who left the room out: the first word of the line was taken for a room.
    func remark(_ me: Me, on node: any MeshNode) async throws(RequestError) -> String? {
        guard !isMarked, !me.rooms.contains(name),
            try await !node.perform(ListPeers()).peers.contains(where: { $0.rooms.contains(name) })
        else { return nil }
        return
            "nobody in sight is in \(DisplayText.isolated(name.text)); the room comes first, such as 'lattice say lobby hello'"
    }

    /// - Throws: `CommandFailure` where somebody is called so, and `me` is not in the room.
    func check(_ me: Me, on node: any MeshNode) async throws {
        guard !isMarked, !me.rooms.contains(name) else { return }
        let typed = String(name.text.dropFirst())
        guard !Naming.meant(by: typed, among: try await node.perform(ListKnownPeople()).people).isEmpty else { return }
        let shown = DisplayText.isolated(typed)
        throw CommandFailure.usage(
            "\(shown) is a person you know; use 'lattice send \(shown) …' for a private message, or 'lattice say '#\(shown)' …' "
                + "for the room", field: "room")
    }
}

struct SayCommand: AsyncParsableCommand, Manualled {
    static let manual = CommandManual(
        "say ROOM TEXT… [--wait 3]", "Send one message to a room, and wait until a peer has it.",
        discussion: """
            The running node of the same folder sends it; without one, this command looks for peers itself. It exits with code \
            69 if nobody was there; the message is stored then and sent the next time. You can omit the '#' of a room.
            """,
        examples: ["say lobby the soup is ready", "say '#park' - < note.txt", "say lobby hello --json"])
    static let configuration = manual.configuration()

    @Argument(help: "The room.", transform: TypedRoom.init) var room: TypedRoom
    @Argument(help: "The message, at most 4,096 bytes; '-' reads it from standard input.") var text: [String]
    @OptionGroup var options: WritingOptions

    func run() async throws {
        let output = await output()
        try CommandShell.show(output, json: options.json)
        if output.exitCode != 0 { throw ExitCode(output.exitCode) }
    }

    private func output() async -> CommandOutput {
        do {
            // A passphrase comes first where both are on standard input.
            let line = text == ["-"] ? nil : try line()
            let patience = Duration.seconds(options.wait)
            return try await ShellNode.with(options.person.choice, options.network.choice) { node, me, _ in
                do {
                    try await room.check(me, on: node)
                    var output = await Self.say(try line ?? self.line(), in: room.name, on: node, atMost: patience)
                    if let remark = try await room.remark(me, on: node) { output.remarks.append(remark) }
                    return output
                } catch {
                    return CommandOutput(failure: CommandShell.failure(error))
                }
            }
        } catch {
            return CommandOutput(failure: CommandShell.failure(error))
        }
    }

    private func line() throws -> String {
        var line = try TextInput.text(text, Surroundings.ofShell())[...]
        while line.last?.isNewline == true { line.removeLast() }
        guard line.contains(where: { !$0.isWhitespace }) else {
            throw CommandFailure.usage("the message is empty; write something", field: "text")
        }
        return String(line)
    }

    static func say(_ text: String, in room: RoomName, on node: any MeshNode, atMost limit: Duration) async
        -> CommandOutput
    {
        do {
            let said = try await node.perform(Say(text, style: .says, room: room))
            let unkept = said.unkept?.words
            let isTaken = try await node.perform(Flush(timeout: limit)).unconfirmed == 0
            let object = JSONLine([
                ("event", .text("said")), ("record", .text(said.record.hex)), ("room", .text(room.text)),
                ("state", .text(isTaken ? "taken" : unkept == nil ? "waiting" : "lost")),
            ])
            var output = CommandOutput([], objects: [object])
            let seconds = limit.components.seconds
            if isTaken {
                if let unkept { output.remarks = ["others have it, but it could not be stored here: \(unkept)"] }
            } else if let unkept {
                output.failure = CommandFailure(
                    code: "notKept",
                    "nobody received it within \(seconds) s, and it could not be stored; send it again: \(unkept)",
                    exitCode: 69)
            } else if seconds == 0 {
                output.remarks = ["stored; it is sent when somebody is there"]
            } else {
                output.failure = CommandFailure(
                    code: "nobodyThere",
                    "nobody received it within \(seconds) s; it is stored and sent when somebody is there",
                    exitCode: 69)
            }
            return output
        } catch {
            return CommandOutput(failure: CommandFailure(error))
        }
    }
}
