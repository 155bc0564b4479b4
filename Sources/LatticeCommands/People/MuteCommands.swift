import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeSettings

struct MuteCommand: WallCommand {
    static let manual = WallManual(
        "mute [ROOM]", "Mute a room, or list the muted rooms.",
        discussion: "Its messages are still stored and relayed, and /history shows them.",
        examples: ["mute park", "mute"])

    @Argument(help: "The room.", transform: Arguments.roomName) var room: RoomName?
    @OptionGroup var options: ReadingOptions

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        let muted =
            if let room { try await node.perform(MuteRoom(room, true)) } else {
                try await node.perform(ListMutedRooms())
            }
        let rooms = muted.rooms
        let list = rooms.map { DisplayText.isolated($0.text) }.joined(separator: ", ")
        return WallOutput(
            [rooms.isEmpty ? "no room is muted" : "muted: \(list)"], objects: [KnownJSON.muted(rooms)])
    }
}

struct UnmuteCommand: WallCommand {
    static let manual = WallManual(
        "unmute ROOM", "Unmute a room.", examples: ["unmute park"])

    @Argument(help: "The room.", transform: Arguments.roomName) var room: RoomName
    @OptionGroup var options: ReadingOptions

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        let rooms = try await node.perform(MuteRoom(room, false)).rooms
        return WallOutput(
            ["\(DisplayText.isolated(room.text)) is not muted"], objects: [KnownJSON.muted(rooms)])
    }
}
