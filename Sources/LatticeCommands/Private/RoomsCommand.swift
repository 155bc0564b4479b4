import ArgumentParser
import LatticeAPI
import LatticeChat

struct RoomsCommand: SharedCommand {
    static let manual = CommandManual(
        "rooms", "List your rooms and private conversations: unread, people, last line.",
        discussion: """
            A star marks a private room; @you counts lines that name you or answer you. Reading happens in the chat, on the \
            page or in IRC: this only lists.
            """,
        examples: ["rooms", "rooms --json"])

    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let known = try await node.perform(ListRooms()).conversations
        guard !known.isEmpty else { return .none("You are in no room yet. Enter one: lattice chat --room park") }
        let list = RoomList(known, me: try await node.perform(ShowMe()).id, context)
        return CommandOutput(list.lines(for: context), objects: [list.object])
    }
}
