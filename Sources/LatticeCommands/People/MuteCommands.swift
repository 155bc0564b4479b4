import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeSettings

struct MuteCommand: SharedCommand {
    static let manual = CommandManual(
        "mute [ROOM]", "Mute a room, or list the muted rooms.",
        discussion: "Its messages are still stored and relayed, and /history shows them.",
        examples: ["mute park", "mute"])

    @Argument(help: "The room.", transform: Arguments.roomName) var room: RoomName?
    @OptionGroup var options: ReadingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let muted =
            if let room { try await node.perform(MuteRoom(room, true)) } else {
                try await node.perform(ListMutedRooms())
            }
        let rooms = muted.rooms
        let list = rooms.map { DisplayText.isolated($0.text) }.joined(separator: ", ")
        return CommandOutput(
            [rooms.isEmpty ? "no room is muted" : "muted: \(list)"], objects: [KnownJSON.muted(rooms)])
    }
}

struct UnmuteCommand: SharedCommand {
    static let manual = CommandManual(
        "unmute ROOM", "Unmute a room.", examples: ["unmute park"])

    @Argument(help: "The room.", transform: Arguments.roomName) var room: RoomName
    @OptionGroup var options: ReadingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let rooms = try await node.perform(MuteRoom(room, false)).rooms
        return CommandOutput(
            ["\(DisplayText.isolated(room.text)) is not muted"], objects: [KnownJSON.muted(rooms)])
    }
}
