import LatticeAPI
import LatticeChat
import LatticeCore

/// Answers that several commands share.
enum WallPages {
    /// A list, with a hint how to see more.
    static func list(_ page: ItemPage, none: String, _ context: WallContext, map: [String] = []) -> WallOutput {
        guard !page.items.isEmpty else {
            var output = WallOutput.none(none)
            output.lines = map
            return output
        }
        return WallOutput(
            map + ItemLines.list(page.items, context), remarks: more(page.next),
            objects: page.items.map { WallJSON.object("item", $0) } + next(page.next))
    }

    static func more(_ cursor: PageCursor?) -> [String] {
        cursor.map { ["More: repeat it with --after \($0.text)"] } ?? []
    }

    static func next(_ cursor: PageCursor?) -> [JSONLine] {
        cursor.map { [WallJSON.next($0)] } ?? []
    }

    /// What was done to an item, after a verb: `posted a1b2c3 …`.
    static func done(_ act: String, _ item: ItemInfo, _ context: WallContext) -> WallOutput {
        let kind = act == "posted" || act == "commented" ? "" : "\(item.kind.rawValue) "
        return WallOutput(
            ["\(act) \(kind)\(item.short)\(remainder(item, isNew: act == "posted" || act == "announced", context))"],
            objects: [WallJSON.object("item", item)])
    }

    static func person(_ person: PersonInfo, _ context: WallContext) -> WallOutput {
        WallOutput(PeopleLines.profile(person, context), objects: [WallJSON.object(person)])
    }

    /// Follows or unfollows somebody, and reports it.
    static func follow(_ peer: String, _ holds: Bool, on node: any MeshNode) async throws -> WallOutput {
        let person = try await node.perform(FollowPerson(PeerReference(peer), holds))
        let name = PeopleLines.name(person)
        return told(holds ? "You follow \(name) now." : "You don't follow \(name) any more.", of: person)
    }

    static func told(_ sentence: String, of person: PersonInfo) -> WallOutput {
        WallOutput([sentence], objects: [WallJSON.object(person)])
    }

    private static func remainder(_ item: ItemInfo, isNew: Bool, _ context: WallContext) -> String {
        let facts = [
            item.likes > 0 ? "\(item.likes) \(item.likes == 1 ? "like" : "likes")" : "",
            item.attendees > 0 ? "\(item.attendees) going" : "",
            isNew && item.state == .shown ? "expires \(context.calendar.text(item.expires))" : "",
        ]
        let told = facts.filter { !$0.isEmpty }.joined(separator: ", ")
        return told.isEmpty ? "" : " (\(told))"
    }

    /// The earliest date to include.
    static func since(_ age: Duration?, _ context: WallContext) -> WallTime? {
        age.map { WallTime(milliseconds: context.now.milliseconds - $0.components.seconds * 1_000) }
    }
}
