import LatticeAPI
import LatticeCore

/// What others did that concerns a user, as lines of the service.
enum IRCNotifications {
    static let kinds = NotificationKind.allCases.map(\.rawValue).joined(separator: ", ")

    /// The line of an event; `nil` where the client shows the line or post itself.
    static func news(_ one: NotificationInfo) -> String? {
        switch one.kind {
        case .mention, .privateMessage, .reply, .post: nil
        case .reaction, .comment, .like, .follow, .attendance, .urgent: line(one)
        }
    }

    static func line(_ one: NotificationInfo) -> String {
        let by = "\(one.by.name.map(DisplayText.isolated) ?? "")#\(one.by.id.short)"
        let what = one.item.map { "\($0.short) \(DisplayText.isolated($0.title ?? $0.text ?? ""))" } ?? ""
        let place = one.room.map { " in \(DisplayText.isolated($0.text))" } ?? ""
        let text = one.text.map { ": \(DisplayText.isolated($0))" } ?? ""
        return switch one.kind {
        case .mention: "\(by) mentioned you\(place)\(text)"
        case .privateMessage: "\(by) wrote to you"
        case .reply: "\(by) answered you\(place)\(text)"
        case .reaction: "\(by) gave \(one.emoji.map { DisplayText.safe($0) } ?? "an emoji") to your line\(place)\(text)"
        case .comment: "\(by) commented on \(what): \(DisplayText.isolated(one.comment?.text ?? ""))"
        case .like: "\(by) likes \(what)"
        case .follow: "\(by) follows you"
        case .attendance: "\(by) attends \(what)"
        case .post: "\(by) posted \(what)"
        case .urgent: "URGENT, by \(by)\(place)\(text)\(one.item == nil ? "" : ": \(what)")"
        }
    }

    /// `notify like follow off`, `notify like on`, `notify`.
    ///
    /// - Returns: `nil` for a word that is no kind.
    static func request(_ words: [String]) -> IRCRequest.Archive? {
        var words = words.map { $0.lowercased() }
        guard let last = words.last else { return .notify([], isOn: true) }
        let isOn = last != "off"
        if last == "on" || last == "off" { words.removeLast() }
        let kinds = words.compactMap(NotificationKind.init(rawValue:))
        return kinds.isEmpty || kinds.count < words.count ? nil : .notify(kinds, isOn: isOn)
    }

    static func line(_ reply: SwitchNotifications.Reply) -> String {
        reply.off.isEmpty
            ? "You are notified of everything: \(kinds)." : "Off: \(reply.off.map(\.rawValue).joined(separator: ", "))."
    }
}
