import LatticeAPI
import LatticeCore

/// For programs: one JSON object a line on standard output, nothing on standard error. The guide lists the objects
/// (JSON.md).
package struct JSONRenderer: Renderer {
    package init() {}

    package func render(_ item: ChatItem) -> Rendered {
        switch item {
        case .reply(.output(let output)): Rendered(output: output.json)
        case .sync(let progress): Rendered(output: [progress.object.description])
        // For programs every line has its date, and every progress and post is reported by itself.
        case .day, .earlier, .latePosts, .caughtUp, .privateOutcome: Rendered()
        default: Rendered(output: [JSONLine(members(of: item)).description])
        }
    }

    private func members(of item: ChatItem) -> [(String, JSONLine.Value)] {
        switch item {
        case .ready(let me, _):
            [
                ("event", .text("ready")), ("id", .text(me.id.hex)), ("name", .text(me.name.text)),
                ("mesh", .text(me.mesh.text)), ("closed", .flag(me.isClosed)), ("port", .integer(Int(me.port))),
                ("discovery", .text(me.discovery)),
            ]
        case .message(let message, _, _, _, _): message.members()
        case .past(let message, _, _, let isLate, _): message.members(isHistory: !isLate)
        case .lineChanged(let change, let shown, _, _):
            [
                ("event", .text("line_changed")), ("change", .text(change.kind.rawValue)), ("by", .text(change.by.hex)),
                ("by_name", .text(shown)),
            ] + (change.emoji.map { [("emoji", .text($0))] } ?? [])
                + [("line", .object(JSONLine(Array(change.line.members().dropFirst()))))]
        case .pins(let pins, _): pins.members
        case .pinned(let change, _, _): change.members
        case .peer(let change, _, _):
            [
                ("event", .text("peer")), ("state", .text(change.state.rawValue)), ("id", .text(change.id.hex)),
                ("name", .text(change.name.text)), ("reason", .text(change.reason?.words)),
            ]
        case .presence(let change, _, _, _):
            [
                ("event", .text("presence")), ("state", .text(change.isHere ? "here" : "gone")),
                ("id", .text(change.id.hex)), ("name", .text(change.name.text)),
                ("rooms", .list(change.rooms.map { .text($0.text) })), ("hops", .integer(change.hops)),
            ] + (change.away.map { [("away", .text($0))] } ?? [])
        case .invitation(let peer, let shown, let context):
            [
                ("event", .text("invitation")), ("id", .text(peer.hex)), ("name", .text(shown)),
                ("context", .text(String(decoding: context, as: UTF8.self))),
            ]
        case .notice(let notice):
            [
                ("event", .text(notice.level == .problem ? "error" : "notice")), ("code", .text(notice.code)),
                ("message", .text(notice.words)),
            ]
        case .error(let code, let text):
            [("event", .text("error")), ("code", .text(code)), ("message", .text(text))]
        case .notification(let one, _): PostJSON.notification(one)
        case .posted(let item, _): [("event", .text("posted"))] + PostJSON.members(item)
        case .nameClash(let clash, let text): KnownJSON.members(clash, text)
        case .renamed(let peer, let was, let name):
            [
                ("event", .text("renamed")), ("id", .text(peer.hex)), ("name", .text(name.text)),
                ("was", .text(was.text)),
            ]
        case .me(let me, _): me.members
        case .missed(let count): [("event", .text("missed")), ("count", .integer(count))]
        case .reply(let reply): reply.members
        case .privateMessage(let message, _, let isPast, _, _): message.members(isHistory: isPast)
        case .privateMessageChanged(let change, _, _): change.members
        case .privateState(let progress, _): progress.members
        case .sync, .day, .earlier, .latePosts, .manyNotifications, .caughtUp, .privateOutcome:
            preconditionFailure("these are objects of their own, or none")
        }
    }
}

extension Me {
    fileprivate var members: [(String, JSONLine.Value)] {
        [
            ("event", .text("me")), ("id", .text(id.hex)), ("name", .text(name.text)),
            ("rooms", .list(rooms.map { .text($0.text) })),
            ("private_rooms", .list(privateRooms.map { .text($0.text) })),
        ] + (away.map { [("away", .text($0))] } ?? [])
    }
}

extension Message {
    func members(isHistory: Bool = false) -> [(String, JSONLine.Value)] {
        var members: [(String, JSONLine.Value)] = [
            ("event", .text("message")), ("record", .text(record.hex)), ("room", .text(room.text)),
            ("from", .text(from.hex)), ("name", .text(name.text)), ("text", .text(text)),
            ("at", .text(RFC3339.string(at))), ("hops", .integer(hops)),
        ]
        if style == .acts { members.append(("action", .flag(true))) }
        if isNotice { members.append(("notice", .flag(true))) }
        if isHistory { members.append(("history", .flag(true))) }
        if isLate { members.append(("late", .flag(true))) }
        if isPrivate { members.append(("private", .flag(true))) }
        if let reply { members.append(("reply", .object(JSONLine(reply.members)))) }
        if isUrgent { members.append(("urgent", .flag(true))) }
        if let via { members.append(("via", .text(via.rawValue))) }
        if let file { members.append(("file", .text(file.hex))) }
        if isEdited { members.append(("edited", .flag(true))) }
        if isDeleted { members.append(("deleted", .flag(true))) }
        if !reactions.isEmpty { members.append(("reactions", .list(reactions.map { .object(JSONLine($0.members)) }))) }
        return members
    }
}

extension ChatItem.Reply {
    var members: [(String, JSONLine.Value)] {
        switch self {
        case .text(let text): [("event", .text("reply")), ("message", .text(text))]
        case .help(let lines): [("event", .text("help")), ("lines", .list(lines.map { .text($0) }))]
        case .peers(let peers, _):
            [("event", .text("peers")), ("peers", .list(peers.map { .object(JSONLine($0.members)) }))]
        case .names(let room, let names, let states):
            [("event", .text("names")), ("room", .text(room.text)), ("names", .list(names.map { .text($0) }))]
                + (states.isEmpty ? [] : [("states", .list(states.map { .object($0.object) }))])
        case .rooms(let rooms): rooms.members
        case .whois(let peer, _): [("event", .text("whois"))] + peer.members
        case .ping(let peer, _, let probe):
            [
                ("event", .text("ping")), ("id", .text(peer.hex)), ("ms", .number(probe.roundTrip.milliseconds)),
                ("hops", .integer(probe.path.count - 1)),
            ]
        case .trace(let peer, _, let probe, _):
            [
                ("event", .text("trace")), ("id", .text(peer.hex)), ("ms", .number(probe.roundTrip.milliseconds)),
                ("hops", .integer(probe.path.count - 1)),
                (
                    "path",
                    .list(
                        probe.path.map {
                            .object(JSONLine([("id", .text($0.id.hex)), ("name", .text($0.name.text))]))
                        })
                ),
            ]
        case .stats(let stats): stats.members
        case .members(let room, let members, _): RoomLines.object(room, members)
        case .output: preconditionFailure("its objects are lines of their own")
        }
    }
}

extension PeerInfo {
    fileprivate var members: [(String, JSONLine.Value)] {
        [
            ("id", .text(id?.hex ?? prefix?.description)), ("short", .text(id?.short)), ("name", .text(name)),
            ("state", .text(state.rawValue)), ("hops", .integer(hops)),
            ("rtt_ms", roundTrip.map { .number($0.milliseconds) } ?? .null), ("address", .text(address?.description)),
            ("found_by", .text(source?.rawValue)), ("via", .text(via?.hex)),
            ("rooms", .list(rooms.map { .text($0.text) })), ("reason", .text(reason?.words)),
        ] + (away.map { [("away", .text($0))] } ?? [])
            + (info.isEmpty ? [] : [("info", .list(info.map { .text($0) }))])
            + (idle.map { [("idle_s", .integer(Int($0.components.seconds)))] } ?? [])
    }
}

extension LineReference {
    var members: [(String, JSONLine.Value)] {
        [
            ("record", .text(record.hex)), ("from", .text(from?.hex)), ("name", .text(name?.text)),
            ("text", .text(text)),
        ]
    }
}

extension LineReaction {
    var members: [(String, JSONLine.Value)] {
        [("emoji", .text(emoji)), ("by", .list(by.map { .text($0.hex) }))]
    }
}
