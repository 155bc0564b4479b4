import LatticeAPI
import LatticeCore

/// A feed (RFC 4287) whose entries carry their place as GeoRSS Simple.
enum AtomDocument {
    static func text(_ items: [ItemInfo], at now: WallTime, by reader: PeerID?) -> String {
        // Each reader sees different items, so each gets a feed with its own id.
        let id = reader.map { "urn:lattice:peer:\($0.hex)" } ?? "urn:lattice:posts"
        let updated = items.map { $0.editedAt ?? $0.at }.max() ?? now
        let head = """
            <?xml version="1.0" encoding="UTF-8"?>
            <feed xmlns="http://www.w3.org/2005/Atom" xmlns:georss="http://www.georss.org/georss">
            <id>\(id)</id><title>lattice</title><updated>\(RFC3339.string(updated))</updated>

            """
        return head + items.map { "\(entry($0))\n" }.joined() + "</feed>\n"
    }

    private static func entry(_ item: ItemInfo) -> String {
        let headline = item.headline.isEmpty ? item.kind.rawValue : item.headline
        let content = item.text.map { "<content type=\"text\">\(MarkupText.escaped($0))</content>" } ?? ""
        let point = item.place.map { "\($0.latitudeText) \($0.longitudeText)" }
        // An author must have a name (section 4.2.1).
        let name = MarkupText.escaped(item.authorName).isEmpty ? item.author.short : item.authorName
        let author = MarkupText.element("name", name) + MarkupText.element("uri", "urn:lattice:peer:\(item.author.hex)")
        let children = [
            MarkupText.element("id", item.resourceName), MarkupText.element("title", headline),
            MarkupText.element("published", RFC3339.string(item.at)),
            MarkupText.element("updated", RFC3339.string(item.editedAt ?? item.at)), "<author>\(author)</author>",
            content, MarkupText.element("georss:point", point),
            MarkupText.element("georss:featurename", item.placeName),
        ]
        return "<entry>\(children.joined())</entry>"
    }
}
