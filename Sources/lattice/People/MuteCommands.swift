import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCore

/// `lattice mute`
struct MuteCommand: WallCommand {
    static let manual = WallManual(
        "mute [ROOM]", "Show no more of what is said in a room; alone, list the rooms that are muted.",
        discussion: "It is kept and passed on all the same, and /history shows it.", examples: ["mute park", "mute"])

    @Argument(help: "Which room.", transform: Arguments.roomName) var room: RoomName?
    @OptionGroup var options: ReadingOptions

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        let rooms = try await node.muted(room.map { .mute($0, true) } ?? .muted)
        let list = rooms.map { DisplayText.isolated($0.text) }.joined(separator: ", ")
        return WallOutput(
            [rooms.isEmpty ? "no room is muted" : "muted: \(list)"], objects: [KnownJSON.muted(rooms)])
    }
}

/// `lattice unmute`
struct UnmuteCommand: WallCommand {
    static let manual = WallManual(
        "unmute ROOM", "Show again what is said in a room.", examples: ["unmute park"])

    @Argument(help: "Which room.", transform: Arguments.roomName) var room: RoomName
    @OptionGroup var options: ReadingOptions

    func perform(on node: any MeshNode, context: WallContext) async throws -> WallOutput {
        let rooms = try await node.muted(.mute(room, false))
        return WallOutput(
            ["\(DisplayText.isolated(room.text)) is not muted"], objects: [KnownJSON.muted(rooms)])
    }
}
