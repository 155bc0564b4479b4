package import LatticeCore

/// Something a person or a script put in.
package enum ChatInput: Hashable, Sendable {
    case line(String)
    /// Several lines that were pasted and confirmed: all of it is text.
    case pasted(String)
    /// A line that was not taken, and why.
    case refused(code: String, String)
    /// Ctrl-D, or the end of a pipe.
    case endOfInput
    /// Ctrl-C where the terminal hands it over as a key.
    case interrupt
}

/// Nobody reads standard output any more.
package struct ScreenClosed: Error, Sendable {
    package init() {}
}

/// What the prompt says and what Tab may complete.
package struct ScreenContext: Hashable, Sendable {
    /// In which one talks, unless one talks with somebody alone.
    package var room: RoomName?
    /// Whether only its members read it.
    package var isPrivate: Bool
    /// With whom one talks alone, safe to be shown.
    package var partner: String?
    package var names: [String]
    package var rooms: [RoomName]
    /// Whom one can talk with alone: those who are here, and those with whom one did.
    package var addressees: [String]

    package init(
        room: RoomName? = nil, isPrivate: Bool = false, partner: String? = nil, names: [String] = [],
        rooms: [RoomName] = [],
        addressees: [String] = []
    ) {
        self.room = room
        self.isPrivate = isPrivate
        self.partner = partner
        self.names = names
        self.rooms = rooms
        self.addressees = addressees
    }
}

/// Where lines come from and where they are shown.
package protocol ChatScreen: Sendable {
    /// Waits for input; an empty array when `leave` was called.
    func read() async -> [ChatInput]
    func show(_ rendered: Rendered) async throws(ScreenClosed)
    func setContext(_ context: ScreenContext) async
    /// How far something is that takes a moment, in a few words; `nil` when it is done.
    func setProgress(_ text: String?) async
    func clear() async
    /// Restores the terminal and ends a waiting `read`. May be called more than once.
    func leave()
}
