package import LatticeAPI
import LatticeCore

/// Profiles, and reactions to your posts.
package enum PeopleLines {
    package static func profile(_ person: PersonInfo, _ context: CommandContext) -> [String] {
        let name = person.name.map { DisplayText.isolated($0) } ?? "(no name yet)"
        let mark = person.isMe ? " (you)" : person.isFollowedByMe ? " (you follow them)" : ""
        var lines = [context.styled("\(name)#\(person.id.short)\(mark)", "36")]
        lines.append("  " + context.styled("id \(person.id.hex)", "2"))
        if !person.about.isEmpty {
            lines += ItemLines.wrapped(DisplayText.safe(person.about), indent: 2, context)
        }
        let counts = [
            ItemPhrases.counted(person.posts, "post"), ItemPhrases.counted(person.followers, "follower"),
            "following \(person.following)",
        ]
        lines.append("  \(counts.joined(separator: ", "))")
        if let colour = person.colour { lines.append("  colour \(colour)") }
        if let photo = person.photo {
            lines.append("  \(PhotoPhrases.mark(photo, context))")
            lines += PhotoPhrases.words(photo).map { ItemLines.wrapped($0, indent: 2, context) } ?? []
        }
        return lines
    }

    /// `bob`, or `#k7f3` without a known name.
    package static func name(_ person: PersonInfo) -> String {
        NamesInList().shown(person.name ?? "", person.id)
    }

    package static func list(_ people: [PersonInfo], _ context: CommandContext) -> [String] {
        let names = NamesInList([], people)
        let rows = people.map { person in
            [
                names.shown(person.name ?? "", person.id), "\(person.posts)",
                person.isMe ? "you" : person.isFollowedByMe ? "followed" : "", DisplayText.isolated(person.about),
            ]
        }
        return TextTable.lines([["NAME", "POSTS", "", "ABOUT"]] + rows, context)
    }
}
