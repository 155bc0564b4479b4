import LatticeAPI
import LatticeCore

/// What is pinned in rooms: shown when one enters, and changed by anybody there. The node's event shows the outcome.
final class ChatPins {
    private let desk: ChatDesk

    init(_ desk: ChatDesk) { self.desk = desk }

    /// - Parameter line: the line that a number or an id names.
    nonisolated(nonsending) func pin(
        _ rest: String, line: (LineTarget) throws -> SaidLine
    ) async throws {
        let room = try room()
        if let target = LineTarget(rest) {
            guard let record = try line(target).record else { preconditionFailure("a line of a room has a record") }
            try await desk.ask(SetPin(.line(record), in: room))
        } else {
            guard rest.utf8.count <= SetPin.textBytesMax else {
                throw CommandError(
                    code: "lineTooLong",
                    description: "A pinned text has at most \(SetPin.textBytesMax) bytes; say it, and pin the line "
                        + "with /pin N.")
            }
            try await desk.ask(SetPin(.text(rest), in: room))
        }
    }

    nonisolated(nonsending) func unpin() async throws {
        let room = try room()
        try await desk.ask(SetPin(.nothing, in: room))
        try await desk.show(.reply(.text("Nothing of yours is pinned in \(DisplayText.isolated(room.text)) now.")))
    }

    nonisolated(nonsending) func showAll() async throws {
        try await desk.show(item(try await desk.ask(ListPins(try room()))))
    }

    /// Errors are silent here: a broken store has a notice of its own.
    nonisolated(nonsending) func entered(_ room: RoomName) async throws(ScreenClosed) {
        guard !desk.conversation.isMuted(room) else { return }
        let pins: RoomPins
        do {
            pins = try await desk.node.perform(ListPins(room))
        } catch {
            return
        }
        if !pins.pins.isEmpty { try await desk.show(item(pins)) }
    }

    private func item(_ pins: RoomPins) -> ChatItem {
        .pins(pins, shown: pins.pins.map { desk.conversation.shown($0.by) })
    }

    private func room() throws(CommandError) -> RoomName {
        guard desk.conversation.partner == nil else {
            throw CommandError(
                code: "noRoom", description: "Only rooms have pins; /query goes back to your room.")
        }
        guard let room = desk.conversation.current else { throw CommandError.noRoom }
        return room
    }
}
