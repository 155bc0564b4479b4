import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCore

struct NotificationsCommand: SharedCommand {
    static let manual = CommandManual(
        "notifications [--new] [--limit 20] [--after CURSOR]", "List what others did that concerns you, newest first.",
        discussion:
            "Lines that mention or answer you, emoji on your lines, private messages, comments and likes on your posts, people "
            + "going to your events, new followers, posts of those whom you follow, and urgent messages. Listing them marks them as seen, in "
            + "all your programs.",
        examples: ["notifications", "notifications --new"])

    @Flag(help: "Only what you have not looked at yet.") var new = false
    @OptionGroup var page: PageOptions
    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let page = try await node.perform(ListNotifications(page.request))
        let shown = new ? page.notifications.filter(\.isNew) : page.notifications
        if self.page.request.after == nil, page.newCount > 0 { _ = try await node.perform(MarkNotificationsSeen()) }
        guard !shown.isEmpty else { return .none(new ? "nothing new" : "nothing yet") }
        return CommandOutput(
            NotificationLines.list(shown, context), remarks: ManualPages.more(page.next),
            objects: shown.map { PostJSON.object($0) } + ManualPages.next(page.next))
    }
}

struct NotifyCommand: SharedCommand {
    static let manual = CommandManual(
        "notify [KIND…] [--off]", "Choose what you are notified of.",
        discussion:
            "Without a kind: lists what is off. Kinds: \(NotificationKind.words). What is off is neither listed nor announced; "
            + "lines and private messages are shown all the same.",
        examples: ["notify", "notify like follow --off", "notify like"])

    @Argument(
        help: ArgumentHelp("What to turn on, or off with --off.", valueName: "kind"),
        transform: NotificationKind.init(argument:))
    var kinds: [NotificationKind] = []
    @Flag(help: "Turn them off.") var off = false
    @OptionGroup var options: ReadingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        if off, kinds.isEmpty { throw ValidationError("name what to turn off: \(NotificationKind.words)") }
        let reply = try await node.perform(SwitchNotifications(kinds, isOn: !off))
        let words = reply.off.map(\.rawValue).joined(separator: ", ")
        return CommandOutput(
            [words.isEmpty ? "you are notified of everything" : "off: \(words)"],
            objects: [PostJSON.switches(off: reply.off)])
    }
}

struct DismissCommand: SharedCommand {
    static let manual = CommandManual(
        "dismiss [N]", "Dismiss urgent messages.",
        discussion:
            "Urgent lines and posts stay pinned for a day, newest first. Without N all of them are dismissed, in all your "
            + "programs; with N the first, second or third.",
        examples: ["dismiss", "dismiss 2"])

    @Argument(help: ArgumentHelp("Which one: 1 is the newest.", valueName: "n")) var number: Int?
    @OptionGroup var options: ReadingOptions

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        var record: RecordID?
        if let number {
            let urgent = try await node.perform(ListUrgent()).notifications
            guard (1...urgent.count + 1).contains(number), number <= urgent.count else {
                throw ValidationError(
                    urgent.isEmpty ? "nothing is urgent" : "give a number from 1 to \(urgent.count), or none for all")
            }
            record = urgent[number - 1].record
        }
        let dismissed = try await node.perform(DismissUrgent(record)).records
        return CommandOutput(
            [UrgentPhrases.dismissed(dismissed.count)], objects: [PostJSON.dismissed(dismissed)])
    }
}

extension NotificationKind {
    static let words = allCases.map(\.rawValue).joined(separator: ", ")

    init(argument: String) throws {
        guard let kind = NotificationKind(rawValue: argument.lowercased()) else {
            throw ValidationError("no such kind; use one of \(Self.words)")
        }
        self = kind
    }
}
