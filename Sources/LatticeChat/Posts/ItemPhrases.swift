import LatticeAPI
import LatticeCore
import LatticeGeo

/// Words for posts, comments, events and people, shared by all lists.
package enum ItemPhrases {
    /// `180 m NE` or `about 2.1 km S`; the coordinate if there is no distance; empty without a place.
    static func place(_ item: ItemInfo) -> String {
        let about = item.blur == nil ? "" : "about "
        guard let metres = item.metres else { return item.place.map { "\(about)\($0)" } ?? "" }
        // Less than a metre away needs no bearing.
        guard metres >= 1, let bearing = item.bearing else { return "\(about)here" }
        return "\(about)\(DistanceText.string(metres)) \(CompassPoint(bearing: bearing).abbreviation)"
    }

    /// `place` with the walking time: `180 m NE, 2 min`.
    static func way(_ item: ItemInfo) -> String {
        place(item) + (item.metres.map { $0 >= 1 ? ", \(walk($0))" : "" } ?? "")
    }

    /// `3 min` on foot at 4.8 km/h, `far` beyond 15 minutes.
    package static func walk(_ metres: Double) -> String {
        let minutes = (min(metres, 1e6) / 80).rounded()
        return minutes <= 15 ? "\(max(1, Int(minutes))) min" : "far"
    }

    /// The name with its short id, for when namesakes are unknown.
    static func named(_ name: String, _ peer: PeerID) -> String {
        "\(DisplayText.isolated(name))#\(peer.short)"
    }

    /// `♥ 2  💬 1`, or `2 likes, 1 comment` without UTF-8; empty if there is nothing to count.
    static func counts(_ item: ItemInfo, _ context: CommandContext) -> String {
        var parts: [String] = []
        if item.attendees > 0 {
            parts.append("\(item.attendees) going" + mine(item.isAttendedByMe, "you", of: item.attendees))
        }
        if item.likes > 0 {
            let likes = context.isUTF8 ? "♥ \(item.likes)" : counted(item.likes, "like")
            parts.append(likes + mine(item.isLikedByMe, "yours", of: item.likes))
        }
        if item.comments > 0 {
            parts.append(context.isUTF8 ? "💬 \(item.comments)" : counted(item.comments, "comment"))
        }
        if item.isWaiting { parts.append("not sent yet") }
        return parts.joined(separator: context.isUTF8 ? "  " : ", ")
    }

    private static func mine(_ isMine: Bool, _ word: String, of count: Int) -> String {
        !isMine ? "" : count == 1 ? " (\(word))" : " (\(word) too)"
    }

    package static func counted(_ count: Int, _ word: String, _ words: String? = nil) -> String {
        count == 1 ? "1 \(word)" : "\(count) \(words ?? word + "s")"
    }

    /// The text of an item, safe and on one line, or why it cannot be read.
    static func words(_ item: ItemInfo, _ context: CommandContext) -> String {
        switch item.state {
        case .shown:
            DisplayText.safe(told(item, context).replacing("\n", with: context.isUTF8 ? " ⏎ " : " "))
                + (before(item).map { " (\($0))" } ?? "")
        case .tooFar:
            item.unlockMetres.map { "locked: read it within \(DistanceText.string(Double($0)))" } ?? "too far to read"
        case .deletedByAuthor: "deleted by its author"
        case .deletedByPostAuthor: "deleted by the post's author"
        }
    }

    /// The same in the lines of its author.
    static func wordLines(_ item: ItemInfo, _ context: CommandContext) -> [String] {
        guard item.state == .shown else { return [words(item, context)] }
        return told(item, context).split(separator: "\n", omittingEmptySubsequences: false).map {
            DisplayText.safe(String($0))
        }
    }

    /// `Concert, 2026-12-01 18:00 to 22:00: bring a chair (Bandshell)`
    private static func told(_ item: ItemInfo, _ context: CommandContext) -> String {
        let category = item.category.flatMap { $0.lowercased() == item.title?.lowercased() ? nil : $0 }
        let head = [item.title, category, item.hours, dates(item, context)].compactMap(\.self)
            .joined(separator: ", ")
        let body = [head, item.text ?? ""].filter { !$0.isEmpty }.joined(separator: ": ")
        let place = (item.placeName ?? item.partOf.map { "in \($0)" }).flatMap { $0.isEmpty ? nil : " (\($0))" } ?? ""
        let photo = item.photo.map { " \(PhotoPhrases.mark($0, context))" } ?? ""
        return body + place + photo
    }

    /// How long before it was published a post was written: `written 3 h earlier`; `nil` within a minute.
    static func before(_ item: ItemInfo) -> String? {
        guard let written = item.writtenAt, item.at.milliseconds - written.milliseconds >= 60_000 else { return nil }
        return "written \(DurationText.age(of: written, at: item.at)) earlier"
    }

    /// `your post "Water at the gate"`: an item that somebody reacted to, with its first words if it can be read.
    static func mine(_ item: ItemInfo) -> String {
        let words = item.state == .shown ? DisplayText.safe(item.title ?? item.text ?? "") : ""
        guard !words.isEmpty else { return "your \(item.kind.rawValue)" }
        let head = words.count > quotedMax ? words.prefix(quotedMax - 1) + "…" : words[...]
        return "your \(item.kind.rawValue) \"\(DisplayText.isolated(String(head)))\""
    }

    /// Characters of a quote: enough to recognise the item.
    private static let quotedMax = 30

    /// When an event starts and ends, and whether it is over: `2026-12-01 18:00 to 22:00, past`.
    static func dates(_ item: ItemInfo, _ context: CommandContext) -> String? {
        guard let starts = item.starts else { return nil }
        let from = context.calendar.text(starts)
        let past = item.isPast ? ", past" : ""
        guard let ends = item.ends else { return from + past }
        let to = context.calendar.text(ends)
        return (from.prefix(10) == to.prefix(10) ? "\(from) to \(to.dropFirst(11))" : "\(from) to \(to)") + past
    }

    /// A chat notice: `bob posted 180 m NE: "Water at the gate" [photo]   /show a1b2c3, /view a1b2c3`.
    static func posted(_ item: ItemInfo, _ shown: String) -> String {
        let place = place(item)
        let at = place.isEmpty ? "" : " \(place)"
        let (act, words) =
            switch item.kind {
            case .event: ("announced an event", item.title ?? item.text)
            case .place: ("made a place", item.title)
            case .post: ("posted", item.text)
            case .comment: ("commented", item.text)
            }
        let quoted = item.state == .shown ? words.map { ": \"\(DisplayText.isolated($0))\"" } ?? "" : ""
        let (photo, view) = item.photo == nil ? ("", "") : (" [photo]", ", /view \(item.short)")
        return "\(shown) \(act)\(at)\(quoted)\(photo)   /show \(item.short)\(view)"
    }
}
