import LatticeAPI

// Who is here at the start, and a hint if nobody appears.
extension ChatFront {
    /// Adds the number of people in the room to the first line of a chat.
    func arrived(_ item: ChatItem?) async -> ChatItem? {
        guard case .ready(let me, _)? = item, settings.isInteractive else { return item }
        return .ready(me, ChatItem.Arrival(others: await othersHere(), isFirst: !hasShownPast))
    }

    private func othersHere() async -> Int {
        guard let room = desk.conversation.current else { return 0 }
        do {
            let peers = try await desk.node.perform(ListPeers()).peers
            return peers.filter { $0.id != desk.conversation.me && $0.isHere && $0.rooms.contains(room) }.count
        } catch {
            return 0  // Showing the number is optional.
        }
    }

    private static let aloneHintAfter: Duration = .seconds(5)
    /// The diagnostic command, if the chat has one.
    static let examination = "doctor"

    func hintWhenAlone() async -> ChatEnd? {
        do {
            try await Task.sleep(for: Self.aloneHintAfter)
            guard !desk.conversation.hasMetSomebody, !isExamined else { return nil }
            let me = try await desk.node.perform(ShowMe())
            let text =
                "Nobody else is here yet. Others need the same mesh (\(me.mesh)) and the same network. "
                + (slash?.words.contains(Self.examination) == true
                    ? "/doctor finds out why."
                    : "Or give an address: --peer THIS-HOST:\(me.port) there, /connect HOST:PORT here.")
            try await desk.show(.notice(Notice(.information, code: "alone", text)))
        } catch {
            // Cancelled or the output is closed: no hint.
        }
        return nil
    }
}
