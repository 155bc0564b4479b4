import LatticeAPI

// Where nobody appears.
extension ChatFront {
    /// After so long alone a person is told what to try.
    private static let aloneHintAfter: Duration = .seconds(5)
    /// The command that finds out why, where a chat was given one.
    static let examination = "doctor"

    func hintWhenAlone() async -> ChatEnd? {
        do {
            try await Task.sleep(for: Self.aloneHintAfter)
            guard !conversation.hasMetSomebody, !isExamined, case .me(let me) = try await node.perform(.me) else {
                return nil
            }
            let text =
                "nobody is here yet; others need the same mesh (\(me.mesh)) and the same network"
                + (slash?.words.contains(Self.examination) == true
                    ? ": /doctor finds out what is in the way"
                    : ", or name an address: --peer THIS-HOST:\(me.port) there, /connect HOST:PORT here")
            try await show(.notice(Notice(.information, code: "alone", text)))
        } catch {
            // Cancelled, or nothing to show it on: no hint then.
        }
        return nil
    }
}
