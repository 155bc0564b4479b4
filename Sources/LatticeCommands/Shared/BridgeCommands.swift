import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeSettings

struct BridgeCommand: AsyncParsableCommand, Manualled {
    static let manual = CommandManual(
        "bridge [show | allow [#ROOM]… | deny | status]", "Say what of yours may cross bridges to other networks.",
        discussion: """
            A bridge copies records to a message broker, from which other networks read them. Nothing of yours crosses unless you \
            allow it.
            """,
        examples: ["bridge", "bridge allow '#park'"])
    static let configuration = manual.configuration(
        subcommands: [
            BridgeShowCommand.self, BridgeAllowCommand.self, BridgeDenyCommand.self, BridgeStatusCommand.self,
        ],
        default: BridgeShowCommand.self)
}

struct BridgeShowCommand: SharedCommand {
    static let manual = CommandManual(
        "bridge show", "Show what of yours may cross bridges.", examples: ["bridge show"])

    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        CrossingLines.output(try await node.perform(ShowCrossing()), context)
    }
}

struct BridgeAllowCommand: SharedCommand {
    static let manual = CommandManual(
        "bridge allow [#ROOM]…",
        "Allow that your posts, profile and private messages cross bridges, and your lines in the rooms that you name.",
        discussion: """
            Posts come with their comments, likes, events, places and files. Lines cross only from the public rooms that you name; \
            the list replaces the one before. Private messages and lines of private rooms cross sealed: a broker cannot read them. \
            What you wrote before crosses only if a bridge has not read it yet, or starts again from the beginning.

            Everybody can read what you allow. It holds for a year. What was sent stays at the broker for up to a year, even after \
            'bridge deny'.
            """,
        examples: ["bridge allow", "bridge allow '#park' '#lobby'"])

    @Argument(help: ArgumentHelp("A public room.", valueName: "#room"), transform: Arguments.roomName)
    var rooms: [RoomName] = []
    @OptionGroup var options: WritingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        CrossingLines.output(try await node.perform(SetCrossing(rooms: rooms)), context)
    }
}

struct BridgeDenyCommand: SharedCommand {
    static let manual = CommandManual(
        "bridge deny", "Let nothing of yours cross bridges any more.",
        discussion: """
            This is how it is for everybody who has allowed nothing. What was sent before stays at the broker for up to a year. Your \
            deletions do not cross any more either: delete first, wait until the bridge has sent that, then deny.
            """,
        examples: ["bridge deny"])

    @OptionGroup var options: WritingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        CrossingLines.output(try await node.perform(SetCrossing(rooms: nil)), context)
    }
}

struct BridgeStatusCommand: SharedCommand {
    static let manual = CommandManual(
        "bridge status", "Show how the bridges beside your node are doing.",
        discussion: """
            For each program that copies records between your node and a broker: whether it reaches the broker, what came in and \
            went out since it was started, how many records are still to come in or go out, and what is in the way. Only records \
            that may cross are counted.
            """,
        examples: ["bridge status", "bridge status --json"])

    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        do throws(RequestError) {
            return BridgeLines.output(try await node.perform(ShowBridges()), context)
        } catch {
            guard error == .stopped(why: .noNode) else { throw error }
            throw CommandFailure(
                code: error.code.rawValue, "no node is running, so no bridge is; start one with 'lattice run'",
                exitCode: 69)
        }
    }
}
