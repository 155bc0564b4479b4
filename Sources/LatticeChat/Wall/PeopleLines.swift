package import LatticeAPI
import LatticeCore

/// People, and what they did to what is one's own.
package enum PeopleLines {
    package static func profile(_ person: PersonInfo, _ context: WallContext) -> [String] {
        let name = person.name.map { DisplayText.isolated($0) } ?? "(no name yet)"
        let isMe = person.isMe ? ", you" : person.isFollowedByMe ? ", whom you follow" : ""
        var lines = [context.styled("\(name)#\(person.id.short)\(isMe)", "1"), "  id \(person.id.hex)"]
        let counts = [
            ItemPhrases.counted(person.posts, "post"), ItemPhrases.counted(person.followers, "follower"),
            "follows \(person.following)",
        ]
        lines.append("  \(counts.joined(separator: ", "))")
        if let colour = person.colour { lines.append("  colour \(colour)") }
        if !person.about.isEmpty {
            lines += ItemLines.wrapped(DisplayText.safe(person.about), indent: 2, context)
        }
        return lines
    }

    /// `bob`, or `#k7f3` of whom no name is known.
    package static func name(_ person: PersonInfo) -> String {
        NamesInList().shown(person.name ?? "", person.id)
    }

    /// A line for each: who, and what there is of them.
    package static func list(_ people: [PersonInfo]) -> [String] {
        let names = NamesInList([], people)
        return people.map { person in
            let name = names.shown(person.name ?? "", person.id)
            let mark = person.isMe ? "  you" : person.isFollowedByMe ? "  followed" : ""
            let about = person.about.isEmpty ? "" : "  \(DisplayText.isolated(person.about))"
            return "\(name)  \(ItemPhrases.counted(person.posts, "post"))\(mark)\(about)"
        }
    }

    package static func activities(_ activities: [ActivityInfo], _ context: WallContext) -> [String] {
        let names = NamesInList([], activities.map(\.by))
        return activities.flatMap { activity -> [String] in
            let age = DurationText.age(of: activity.at, at: context.now)
            let line = "\(age)  \(sentence(activity, names))"
            guard let comment = activity.comment else { return [line] }
            let words = ItemPhrases.words(comment, context)
            guard context.isTerminal else { return ["\(line): \(DisplayText.isolated(words))"] }
            return [line] + ItemLines.wrapped(words, indent: 2, context)
        }
    }

    private static func sentence(_ activity: ActivityInfo, _ names: NamesInList) -> String {
        let who = names.person(activity.by)
        let what = activity.item.map { "your \($0.kind.rawValue) \($0.short)" } ?? "something of yours"
        return switch activity.kind {
        case .comment: "\(who) commented on \(what)\(activity.comment.map { " (\($0.short))" } ?? "")"
        case .like: "\(who) likes \(what)"
        case .follow: "\(who) follows you"
        case .attendance: "\(who) comes to \(what)"
        }
    }
}
