import LatticeAPI
import LatticeCore

extension NotificationPage {
    var json: JSON {
        ["items": .list(notifications.map(\.json)), "new": .integer(newCount), "next": .text(next?.text)]
    }

    static let schema = JSONSchema.object(
        ("items", JSONSchema.list(JSONSchema.named("Notification"))), ("new", JSONSchema.integer(0...newMax)),
        ("next?", JSONSchema.text))
}

extension NotificationInfo {
    var json: JSON {
        [
            "record": .text(record.hex), "kind": .text(kind.rawValue), "by": by.json, "at": at.json,
            "new": .flag(isNew), "room": .text(room?.text), "text": .text(text), "emoji": .text(emoji),
            "item": item?.json, "comment": comment?.json,
        ]
    }

    static let schema = JSONSchema.object(
        ("record", JSONSchema.id), ("kind", NotificationKind.schema), ("by", JSONSchema.named("Person")),
        ("at", JSONSchema.date), ("new", JSONSchema.flag), ("room?", JSONSchema.text), ("text?", JSONSchema.text),
        ("emoji?", JSONSchema.text), ("item?", JSONSchema.named("Item")), ("comment?", JSONSchema.named("Item")))
}

extension NotificationKind {
    static let schema = JSONSchema.one(of: allCases.map(\.rawValue))
}

extension SwitchNotifications.Reply {
    var json: JSON { ["off": .list(off.map { .text($0.rawValue) })] }

    static let schema = JSONSchema.object(("off", JSONSchema.list(NotificationKind.schema)))
}
