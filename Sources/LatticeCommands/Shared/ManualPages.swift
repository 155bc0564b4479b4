import LatticeAPI
import LatticeChat
import LatticeCore

/// Answers that several commands share.
enum ManualPages {
    /// A list, with a hint how to see more.
    static func list(_ page: ItemPage, none: String, _ context: CommandContext, map: [String] = []) -> CommandOutput {
        guard !page.items.isEmpty else {
            var output = CommandOutput.none(none)
            output.lines = map
            return output
        }
        return CommandOutput(
            map + ItemLines.list(page.items, context), remarks: more(page.next),
            objects: page.items.map { PostJSON.object("item", $0) } + next(page.next))
    }

    static func more(_ cursor: PageCursor?) -> [String] {
        cursor.map { ["More: repeat it with --after \($0.text)"] } ?? []
    }

    static func next(_ cursor: PageCursor?) -> [JSONLine] {
        cursor.map { [PostJSON.next($0)] } ?? []
    }

    /// What was done to an item, after a verb: `posted a1b2c3 …`.
    static func done(_ act: String, _ item: ItemInfo, _ context: CommandContext) -> CommandOutput {
        let kind = act == "posted" || act == "commented" ? "" : "\(item.kind.rawValue) "
        return CommandOutput(
            ["\(act) \(kind)\(item.short)\(remainder(item, isNew: act == "posted" || act == "announced", context))"],
            objects: [PostJSON.object("item", item)])
    }

    static func person(_ person: PersonInfo, _ context: CommandContext) -> CommandOutput {
        CommandOutput(PeopleLines.profile(person, context), objects: [PostJSON.object(person)])
    }

    /// Follows or unfollows somebody, and reports it.
    static func follow(_ peer: String, _ holds: Bool, on node: any MeshNode) async throws -> CommandOutput {
        let person = try await node.perform(FollowPerson(PeerReference(peer), holds))
        let name = PeopleLines.name(person)
        return told(holds ? "You follow \(name) now." : "You don't follow \(name) any more.", of: person)
    }

    static func told(_ sentence: String, of person: PersonInfo) -> CommandOutput {
        CommandOutput([sentence], objects: [PostJSON.object(person)])
    }

    private static func remainder(_ item: ItemInfo, isNew: Bool, _ context: CommandContext) -> String {
        let facts = [
            item.likes > 0 ? "\(item.likes) \(item.likes == 1 ? "like" : "likes")" : "",
            item.attendees > 0 ? "\(item.attendees) going" : "",
            isNew && item.state == .shown ? "expires \(context.calendar.text(item.expires))" : "",
        ]
        let told = facts.filter { !$0.isEmpty }.joined(separator: ", ")
        return told.isEmpty ? "" : " (\(told))"
    }

    /// The earliest date to include.
    static func since(_ age: Duration?, _ context: CommandContext) -> WallTime? {
        age.map { WallTime(milliseconds: context.now.milliseconds - $0.components.seconds * 1_000) }
    }
}
