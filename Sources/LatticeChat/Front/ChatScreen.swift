package import LatticeCore

package enum ChatInput: Hashable, Sendable {
    case line(String)
    /// Several pasted and confirmed lines: all of it is text.
    case pasted(String)
    /// A rejected line, and why.
    case refused(code: String, String)
    /// Ctrl-D, or the end of a pipe.
    case endOfInput
    /// Ctrl-C, if the terminal sends it as a key.
    case interrupt
}

/// Nobody reads standard output any more.
package struct ScreenClosed: Error, Sendable {
    package init() {}
}

/// What the prompt shows and what Tab can complete.
package struct ScreenContext: Hashable, Sendable {
    /// The current room, unless a private conversation is open.
    package var room: RoomName?
    /// Whether only its members can read the room.
    package var isPrivate: Bool
    /// The partner of the private conversation, safe to show.
    package var partner: String?
    package var names: [String]
    package var rooms: [RoomName]
    /// People to talk to privately: those here, and partners of earlier conversations.
    package var addressees: [String]
    /// What is unread elsewhere: `[park 2, @carol 1]`.
    package var unread: String
    /// What is urgent, newest first, safe to show; it stands above the prompt.
    package var urgent: [String] = []

    package init(
        room: RoomName? = nil, isPrivate: Bool = false, partner: String? = nil, names: [String] = [],
        rooms: [RoomName] = [],
        addressees: [String] = [], unread: String = ""
    ) {
        self.unread = unread
        self.room = room
        self.isPrivate = isPrivate
        self.partner = partner
        self.names = names
        self.rooms = rooms
        self.addressees = addressees
    }
}

package protocol ChatScreen: Sendable {
    /// Waits for input; an empty array when `leave` was called.
    func read() async -> [ChatInput]
    func show(_ rendered: Rendered) async throws(ScreenClosed)
    func setContext(_ context: ScreenContext) async
    /// The last lines, to pick from while typing a command.
    func setLines(_ lines: ScreenLines) async
    /// Progress of something that takes a moment, in a few words; `nil` when it is done.
    func setProgress(_ text: String?) async
    func clear() async
    /// Restores the terminal and ends a waiting `read`. May be called more than once.
    func leave()
}
