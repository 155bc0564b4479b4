import LatticeAPI
import LatticeConcurrency

/// Shows notifications one by one, and sums them up if many come at once.
final class ChatNotifications {
    private let desk: ChatDesk
    private var pace = NotificationPace()

    init(_ desk: ChatDesk) { self.desk = desk }

    /// Whether ticks are needed.
    var isWaiting: Bool { pace.isWaiting }

    /// A program gets every notification.
    ///
    /// - Returns: whether it is counted instead of shown, or stands on the screen as what it is about.
    func gather(_ item: ChatItem) -> Bool {
        guard case .notification(let one, _) = item, !desk.settings.isForPrograms else { return false }
        switch one.kind {
        case .mention, .privateMessage, .reply, .reaction, .post: return true
        case .urgent: return one.room != nil
        case .comment, .like, .follow, .attendance: break
        }
        guard !pace.lets(at: desk.instant) else { return false }
        desk.ticksAreNeeded.raise()
        return true
    }

    nonisolated(nonsending) func tick() async throws(ScreenClosed) {
        if let count = pace.passed(at: desk.instant) { try await desk.show(.manyNotifications(count)) }
    }
}
