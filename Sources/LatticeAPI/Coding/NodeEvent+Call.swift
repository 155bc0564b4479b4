import LatticeCore

extension NodeEvent {
    package var call: Call {
        switch self {
        case .ready(let me): Call("ready", of: me)
        case .peer(let change): Call("peer", of: change)
        case .presence(let change): Call("presence", of: change)
        case .message(let message): Call("message", of: message)
        case .lineChanged(let change): Call("lineChanged", of: change)
        case .pinned(let change): Call("pinned", of: change)
        case .privateMessage(let message): Call("privateMessage", of: message)
        case .privateMessageChanged(let change): Call("privateMessageChanged", of: change)
        case .privateProgress(let progress): Call("privateProgress", of: progress)
        case .invitation(let peer, let name, let context):
            Call("invitation", [.peer: peer, .name: name, .context: context.map(Int.init)])
        case .notice(let notice): Call("notice", of: CodedNotice(notice))
        case .posted(let item): Call("posted", of: item)
        case .notification(let notification): Call("notification", of: notification)
        case .notificationsSeen: Call("notificationsSeen", [:])
        case .urgentDismissed(let records): Call("urgentDismissed", [.records: records])
        case .sync(let progress): Call("sync", of: progress)
        case .missed(let count): Call("missed", [.missed: count])
        case .nameClash(let clash): Call("nameClash", of: clash)
        case .renamed(let peer, let was, let name): Call("renamed", [.peer: peer, .was: was, .name: name])
        case .contactMarks(let contactMarks): Call("contactMarks", of: contactMarks)
        case .me(let me): Call("me", of: me)
        case .placed(let item): Call("placed", of: item)
        case .room(let event): Call("room", of: event)
        case .changed(let changes): Call("changed", of: changes)
        case .sent(let records): Call("sent", [.records: records])
        case .read(let count): Call("read", of: count)
        }
    }

    /// - Throws: `UnknownCall`, or an error that says what is wrong with the parameters.
    package init(_ name: String, _ params: CallParams) throws {
        switch name {
        case "ready": self = .ready(try params.whole())
        case "peer": self = .peer(try params.whole())
        case "presence": self = .presence(try params.whole())
        case "message": self = .message(try params.whole())
        case "lineChanged": self = .lineChanged(try params.whole())
        case "pinned": self = .pinned(try params.whole())
        case "privateMessage": self = .privateMessage(try params.whole())
        case "privateMessageChanged": self = .privateMessageChanged(try params.whole())
        case "privateProgress": self = .privateProgress(try params.whole())
        case "invitation": self = .invitation(try params[.peer], try params[.name], context: try params[.context])
        case "notice": self = .notice((try params.whole() as CodedNotice).notice)
        case "posted": self = .posted(try params.whole())
        case "notification": self = .notification(try params.whole())
        case "notificationsSeen": self = .notificationsSeen
        case "urgentDismissed": self = .urgentDismissed(try params[.records])
        case "sync": self = .sync(try params.whole())
        case "missed": self = .missed(try params[.missed])
        case "nameClash": self = .nameClash(try params.whole())
        case "renamed": self = .renamed(try params[.peer], from: try params[.was], to: try params[.name])
        case "contactMarks": self = .contactMarks(try params.whole())
        case "me": self = .me(try params.whole())
        case "placed": self = .placed(try params.whole())
        case "room": self = .room(try params.whole())
        case "changed": self = .changed(try params.whole())
        case "sent": self = .sent(try params[.records])
        case "read": self = .read(try params.whole())
        default: throw UnknownCall(name: name)
        }
    }
}
