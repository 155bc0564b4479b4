package import LatticeAPI
import LatticeCore

/// What others did that concerns a person, in words.
package enum NotificationLines {
    package static func list(_ notifications: [NotificationInfo], _ context: CommandContext) -> [String] {
        let names = NamesInList([], notifications.map(\.by))
        let rows = notifications.map { one in
            ItemRow(
                [one.isNew ? "new" : "", DurationText.age(of: one.at, at: context.now)],
                text: sentence(one, names.person(one.by)), id: id(of: one) ?? "")
        }
        return ItemRow.lines(rows, indent: 2, context)
    }

    /// A line in the chat, with the command that shows what it is about.
    static func line(_ one: NotificationInfo, _ shown: String) -> String {
        sentence(one, shown) + (id(of: one).map { "   /show \($0)" } ?? "")
    }

    /// Of the post, comment or event that can be shown.
    private static func id(of one: NotificationInfo) -> String? { one.item?.short }

    /// - Parameter who: safe to show, as the result is.
    private static func sentence(_ one: NotificationInfo, _ who: String) -> String {
        let what = one.item.map { ItemPhrases.mine($0) } ?? "something of yours"
        let place = one.room.map { " in \(DisplayText.isolated($0.text))" } ?? ""
        let line = one.text.map { ": \(MessageText.line($0))" } ?? ""
        return switch one.kind {
        case .mention: "\(who) mentioned you\(place)\(line)"
        case .privateMessage: "\(who) wrote to you"
        case .reply: "\(who) answered you\(place)\(line)"
        case .reaction:
            "\(who) gave \(one.emoji.map { DisplayText.safe($0) } ?? "an emoji") to your line\(place)\(line)"
        case .comment: "\(who) commented on \(what)\(one.comment.map { quoted($0) } ?? "")"
        case .like: "\(who) likes \(what)"
        case .follow: "\(who) follows you"
        case .attendance: "\(who) is going to \(what)"
        case .urgent: "\(who) says it is urgent\(place)\(line)\(one.item.map { quoted($0) } ?? "")"
        case .post:
            "\(who) \(one.item?.kind == .event ? "announced an event" : "posted")\(one.item.map { quoted($0) } ?? "")"
        }
    }

    private static func quoted(_ item: ItemInfo) -> String {
        guard item.state == .shown, let words = item.title ?? item.text else { return "" }
        return ": \"\(MessageText.line(words))\""
    }

    static func many(_ count: Int) -> String {
        "\(ItemPhrases.counted(count, "more notification")): /notifications shows them"
    }
}
