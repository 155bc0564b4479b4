package import LatticeAPI
import LatticeCore
import LatticeGeo

package enum DetailLines {
    package static func lines(_ detail: ItemDetail, _ context: CommandContext) -> [String] {
        let item = detail.item
        let names = NamesInList(
            [(item.authorName, item.author)] + detail.comments.map { ($0.authorName, $0.author) }
                + (detail.likedBy + detail.attendedBy).map { ($0.name ?? "", $0.id) }
                + detail.versions.map { ($0.authorName, $0.author) })
        var lines = [context.styled("\(kind(item)) \(item.short) by \(names.author(item))", "36")]
        lines.append("  " + context.styled("id \(item.id.hex)", "2"))
        lines += facts(detail, names, context).flatMap { ItemLines.wrapped($0, indent: 2, context) }
        lines += [""]
        lines += ItemPhrases.wordLines(item, context).flatMap { ItemLines.wrapped($0, indent: 2, context) }
        if let words = item.photo.flatMap({ PhotoPhrases.words($0) }) {
            lines += ItemLines.wrapped(words, indent: 2, context)
        }
        if let original = detail.original {
            lines += ItemLines.wrapped(PhotoPhrases.original(original, context), indent: 2, context)
        }
        lines += history(detail.versions, names, context)
        guard !detail.comments.isEmpty else { return lines }
        let more = max(item.comments, detail.comments.count) - detail.comments.count
        let heading =
            ItemPhrases.counted(detail.comments.count, "comment") + (more > 0 ? " (\(more) older not shown)" : "")
        lines += ["", context.styled(heading, "36")]
        return lines + ItemLines.comments(detail.comments, names, context)
    }

    /// Who changed a place, when, and what; `made it` for the oldest.
    private static func history(
        _ versions: [PlaceVersion], _ names: NamesInList, _ context: CommandContext
    ) -> [String] {
        guard !versions.isEmpty else { return [] }
        let older = versions.dropFirst().map(Optional.some) + [nil]
        let lines = zip(versions, older).flatMap { version, before in
            let what = version.isOriginal ? "made it" : before.map { changes(in: version, since: $0) } ?? "changed it"
            let who = names.shown(version.authorName, version.author)
            return ItemLines.wrapped("\(context.calendar.text(version.at)) \(who): \(what)", indent: 2, context)
        }
        return ["", context.styled("History", "36")] + lines
    }

    private static func changes(in version: PlaceVersion, since before: PlaceVersion) -> String {
        var changes: [String] = []
        func compare(_ what: String, _ new: String, _ old: String) {
            guard new != old else { return }
            changes.append(new.isEmpty ? "removed the \(what)" : "\(what) \(DisplayText.isolated(new))")
        }
        compare("name", version.title, before.title)
        compare("kind", version.category, before.category)
        compare("hours", version.hours, before.hours)
        compare("text", version.text, before.text)
        if version.place != before.place {
            let bearing = CompassPoint(bearing: before.place.bearing(to: version.place)).abbreviation
            changes.append("moved \(DistanceText.string(before.place.distance(to: version.place))) \(bearing)")
        }
        return changes.isEmpty ? "no change" : changes.joined(separator: ", ")
    }

    /// Capitalised to begin a heading.
    private static func kind(_ item: ItemInfo) -> String {
        switch item.kind {
        case .post: "Post"
        case .comment: "Comment"
        case .event: "Event"
        case .place: "Place"
        }
    }

    private static func facts(_ detail: ItemDetail, _ names: NamesInList, _ context: CommandContext) -> [String] {
        let item = detail.item
        var facts: [String] = []
        if item.kind == .place {
            facts += placeFacts(detail)
        } else if let parent = detail.parent {
            facts.append("on \(parent.kind.rawValue) \(parent.short): \(ItemPhrases.words(parent, context))")
        } else if let parent = item.parent {
            facts.append("on \(parent.hex) (not here yet)")
        }
        if let place = item.place {
            let about = item.blur == nil ? "" : "about "
            let distance = item.metres == nil ? "" : "\(ItemPhrases.way(item)), "
            facts.append("\(distance)at \(about)\(place)")
        }
        facts.append(written(item, context))
        if item.attendees > 0 { facts.append(people("going", "going", item.attendees, detail.attendedBy, names)) }
        if item.likes > 0 { facts.append(people("like", "likes", item.likes, detail.likedBy, names)) }
        if item.via != nil { facts.append("came over the bridge") }
        if item.isWaiting { facts.append("not sent yet") }
        return facts
    }

    private static func placeFacts(_ detail: ItemDetail) -> [String] {
        let (item, outer) = (detail.item, detail.parent?.title ?? detail.item.partOf)
        return [
            item.category.map { DisplayText.safe($0) }, item.hours.map { "open \(DisplayText.safe($0))" },
            outer.map { "in \(DisplayText.isolated($0))" },
        ].compactMap(\.self)
    }

    private static func written(_ item: ItemInfo, _ context: CommandContext) -> String {
        let age = DurationText.age(of: item.at, at: context.now)
        let ago = age == "now" ? "just now" : "\(age) ago"
        let edited = item.editedAt.map { ", edited \(context.calendar.text($0))" } ?? ""
        let verb = item.writtenAt.map { "written \(context.calendar.text($0)), published" } ?? "written"
        return
            "\(verb) \(context.calendar.text(item.at)) (\(ago))\(edited), expires \(context.calendar.text(item.expires))"
    }

    /// `3 likes: bob, carol and 1 more`
    private static func people(
        _ one: String, _ several: String, _ count: Int, _ people: [PersonInfo], _ names: NamesInList
    ) -> String {
        let names = people.map(names.person).joined(separator: ", ")
        let more = count > people.count && !people.isEmpty ? " and \(count - people.count) more" : ""
        return ItemPhrases.counted(count, one, several) + (names.isEmpty ? "" : ": \(names)\(more)")
    }
}
