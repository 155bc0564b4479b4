import LatticeAPI
import LatticeCore

/// The card of the mesh: greets a person once, when the chat begins or when the card comes.
final class ChatCard {
    private let desk: ChatDesk
    /// What was shown, so that a card that is only signed again is not.
    private var greeted: Greeting?

    private struct Greeting: Equatable {
        let signer: PeerID?
        let name: String
        let welcome: String?
        let rules: String?
    }

    init(_ desk: ChatDesk) { self.desk = desk }

    /// - Parameter changes: what stored records changed.
    nonisolated(nonsending) func heard(_ changes: FeedChanges) async throws(ScreenClosed) {
        if changes.isMany || changes.people.contains(where: { $0.kinds.contains(.card) }) { try await greet() }
    }

    /// Errors are not shown here: a broken store has a notice of its own.
    nonisolated(nonsending) func greet() async throws(ScreenClosed) {
        let status: MeshCardStatus
        do {
            status = try await desk.node.perform(ShowMeshCard())
        } catch {
            return
        }
        guard let card = status.card else { return }
        let greeting = Greeting(signer: status.signer, name: card.name, welcome: card.welcome, rules: card.rules)
        guard greeting != greeted, let output = CardLines.greeting(status, desk.commandContext) else { return }
        greeted = greeting
        // Its author is reminded of nothing.
        if !status.isMine || desk.settings.isForPrograms { try await desk.show(.reply(.output(output))) }
    }
}
