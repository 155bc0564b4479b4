import Foundation
import LatticeAPI
import LatticeCore

// Commands typed after a slash.
extension ChatFront {
    func obey(_ command: SlashCommand) async throws {
        switch command {
        case .help(let topic):
            let help = ChatHelp(slash: slash)
            try await desk.show(.reply(.help(try topic.map(help.topic) ?? help.overview)))
        case .nick(let name): try await rooms.rename(name)
        case .join(let room):
            try await rooms.join(room, key: nil)
            try await opened()
        case .joinPrivate(let room, let key): try await rooms.join(room, key: key)
        case .next: try await next()
        case .create(let room): try await rooms.create(room)
        case .key(let room): try await rooms.showKey(of: room)
        case .invite(let typed, let room): try await rooms.invite(typed, to: room)
        case .remove(let typed, let room): try await rooms.remove(typed, from: room)
        case .members(let room): try await rooms.showMembers(of: room)
        case .forget(let room): try await rooms.forget(room)
        case .part(let room):
            try await rooms.part(room)
            try await opened()
        case .rooms: try await rooms.list()
        case .names(let room): try await rooms.showNames(in: room)
        case .history(nil, let count) where desk.conversation.partner != nil: try await privateTalk.showHistory(count)
        case .history(let room, let count): try await past.showHistory(of: room, count: count)
        case .sync: try await past.compare()
        case .syncStatus: try await past.showStatus()
        case .peers: try await people.showPeers()
        case .whois(let typed): try await people.whois(typed)
        case .ping(let typed): try await people.ping(typed)
        case .trace(let typed): try await people.trace(typed)
        case .ignore(let typed): try await people.ignore(typed)
        case .unignore(let typed): try await people.unignore(typed)
        case .connect(let target): try await people.connect(target)
        case .accept(let typed): try await people.answer(typed, accept: true)
        case .refuse(let typed): try await people.answer(typed, accept: false)
        case .tell(let rest): try await privateTalk.tell(rest)
        case .query(let typed):
            try await privateTalk.query(typed)
            try await opened()
        case .conversations: try await privateTalk.showConversations()
        case .stats: try await desk.show(.reply(.stats(try await desk.ask(ShowStats()))))
        case .reply(let rest): try await lineTalk.reply(rest)
        case .urgent(let text): try await urgent.say(text)
        case .pin(nil): try await pins.showAll()
        case .pin(let rest?): try await pins.pin(rest) { try lineTalk.lineHere($0) }
        case .unpin: try await pins.unpin()
        case .react(let rest): try await lineTalk.react(rest)
        case .editLine(let target, let text):
            if try await !lineTalk.edit(target, text) { try await extra("edit", "\(target.hex ?? "") \(text)") }
        case .deleteLine(let target):
            if try await !lineTalk.delete(target) { try await extra("delete", target.hex ?? "") }
        case .file(let rest): try await extra("file", rest)
        case .away(let text): try await away.leave(text)
        case .back: try await away.back()
        case .lines: try await lineTalk.showNumbers()
        case .clear: await desk.screen.clear()
        case .me, .quit: break  // `converse` handles these.
        }
    }

    private func next() async throws {
        switch desk.conversation.unread.next {
        case .room(let room): try await rooms.join(room, key: nil)
        case .peer(let peer): try await privateTalk.query(peer.hex)
        case nil: return try await desk.show(.reply(.text("Nothing is unread elsewhere.")))
        }
        try await opened()
    }

    /// Another conversation may be open: what came there meanwhile is shown.
    private func opened() async throws {
        guard settings.countsUnread else { return }
        if desk.conversation.partner == nil, let room = desk.conversation.current,
            desk.conversation.unread.has(.room(room))
        {
            try await past.show(room)
        }
        await unread.markOpen()
        await desk.updateContext()
    }

    /// `/send` without a room or a person means what is open: what is meant for few must not go to #lobby.
    private func addressed(_ rest: String) throws(CommandError) -> String {
        let words = rest.split(whereSeparator: \.isWhitespace)
        guard words.first == "share", !words.contains(where: { $0 == "--room" || $0.hasPrefix("--room=") }) else {
            return rest
        }
        let paths = rest.dropFirst("share".count)
        if Self.beginsWithName(String(paths)) { return "send\(paths)" }
        if let partner = desk.conversation.partner { return "send \(partner.hex)\(paths)" }
        guard let room = desk.conversation.current else { throw CommandError.noRoom }
        return "share --room \(room.text)\(paths)"
    }

    /// Whether the first of several words is a person: it does not look like a path, and no file has this name.
    private static func beginsWithName(_ rest: String) -> Bool {
        let (typed, paths) = Conversation.split(String(rest.trimming()))
        let word = Conversation.unquoted(typed)
        guard !paths.isEmpty, !word.contains(where: { $0 == "." || $0 == "/" || $0 == "~" }), !word.hasPrefix("-")
        else {
            return false
        }
        return !FileManager.default.fileExists(atPath: word)
    }

    func extra(_ word: String, _ rest: String) async throws(ScreenClosed) {
        guard let slash else { return }
        var rest = rest
        do {
            if word == NumberedCommand.context.rawValue { rest = try lineTalk.withID(rest) }
            if word == ChatViews.word {
                rest = try lineTalk.withPicture(rest)
                if settings.isInteractive { return try views.ask(rest) }
            }
            if word == "file" { rest = try lineTalk.withFile(try addressed(rest)) }
        } catch let error as CommandError {
            desk.hasRefused = true
            return try await desk.show(error.item)
        } catch {
            throw ScreenClosed()
        }
        if word == Self.examination { isExamined = true }
        if let text = slash.foreword(word) {
            try await desk.show(.notice(Notice(.information, code: "takesTime", text)))
        }
        let (node, typed) = (desk.node, rest)
        // Some read and write files, and the node's loop does not wait for those.
        let output = await withTaskExecutorPreference(globalConcurrentExecutor) {
            await slash.run(word, typed, on: node)
        }
        if output.exitCode != 0 { desk.hasRefused = true }
        try await desk.show(.reply(.output(output)))
    }
}

extension LineTarget {
    /// A whole id, which may be that of a post.
    fileprivate var hex: String? {
        guard case .record(let record) = self else { return nil }
        return record.hex
    }
}
