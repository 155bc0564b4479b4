import LatticeAPI
import LatticeCore

/// The pins of rooms. They are shown on entering a room, and anybody there can pin. The node's event shows the new pin.
final class ChatPins {
    private let desk: ChatDesk
    /// Rooms where this front removed this person's pin.
    private var unpinned: Set<RoomName> = []

    init(_ desk: ChatDesk) { self.desk = desk }

    /// - Parameter line: finds the line with a number or an id.
    nonisolated(nonsending) func pin(
        _ rest: String, line: (LineTarget) throws -> SaidLine
    ) async throws {
        let room = try room()
        if let target = LineTarget(rest) {
            guard let record = try line(target).record else { preconditionFailure("a line of a room has a record") }
            try await pin(record, in: room)
        } else {
            guard rest.utf8.count <= SetPin.textBytesMax else {
                throw CommandError(
                    code: "lineTooLong",
                    description: "A pinned text can have at most \(SetPin.textBytesMax) bytes. "
                        + "Send it as a line first, then pin that line with /pin N.")
            }
            try await desk.ask(SetPin(.text(rest), in: room))
        }
    }

    nonisolated(nonsending) private func pin(_ line: RecordID, in room: RoomName) async throws {
        do throws(RequestError) {
            _ = try await desk.node.perform(SetPin(.line(line), in: room))
        } catch {
            let words =
                switch error {
                case .unknownLine: "This room has no such line; /lines shows the numbers."
                case .lineDeleted: "This line was deleted by its author; pin another line."
                default: desk.words(of: error)
                }
            throw CommandError(code: error.code.rawValue, description: words)
        }
    }

    nonisolated(nonsending) func unpin() async throws {
        let room = try room()
        unpinned.insert(room)
        do {
            try await desk.ask(SetPin(.nothing, in: room))
        } catch {
            unpinned.remove(room)
            throw error
        }
        try await desk.show(.reply(.text("You have no pin in \(DisplayText.isolated(room.text)) now.")))
    }

    /// Whether this person removed the pin here: `/unpin` has a reply of its own. Programs get every event.
    func isTold(_ event: NodeEvent) -> Bool {
        guard case .pinned(let change) = event, change.by.id == desk.conversation.me else { return false }
        return unpinned.remove(change.room) != nil && change.pin == nil && !desk.settings.isForPrograms
    }

    nonisolated(nonsending) func showAll() async throws {
        try await desk.show(item(try await desk.ask(ListPins(try room()))))
    }

    /// Errors are not shown here: a broken store has a notice of its own.
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
