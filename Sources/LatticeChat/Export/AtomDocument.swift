import LatticeAPI
import LatticeCore

/// A feed (RFC 4287) whose entries carry their place as GeoRSS Simple.
enum AtomDocument {
    static func text(
        _ items: [ItemInfo], at now: WallTime, by reader: PeerID?, thumbnails: [RecordID: [UInt8]]
    ) -> String {
        // Each reader sees different items, so each gets a feed with its own id.
        let id = reader.map { "urn:lattice:peer:\($0.hex)" } ?? "urn:lattice:posts"
        let updated = items.map { $0.editedAt ?? $0.at }.max() ?? now
        let head = """
            <?xml version="1.0" encoding="UTF-8"?>
            <feed xmlns="http://www.w3.org/2005/Atom" xmlns:georss="http://www.georss.org/georss">
            <id>\(id)</id><title>lattice</title><updated>\(RFC3339.string(updated))</updated>

            """
        return head + items.map { "\(entry($0, thumbnails[$0.id]))\n" }.joined() + "</feed>\n"
    }

    private static func entry(_ item: ItemInfo, _ thumbnail: [UInt8]?) -> String {
        let headline = item.headline.isEmpty ? item.kind.rawValue : item.headline
        let point = item.place.map { "\($0.latitudeText) \($0.longitudeText)" }
        // An author must have a name (section 4.2.1).
        let name = MarkupText.escaped(item.authorName).isEmpty ? item.author.short : item.authorName
        let author = MarkupText.element("name", name) + MarkupText.element("uri", "urn:lattice:peer:\(item.author.hex)")
        let children = [
            MarkupText.element("id", item.resourceName), MarkupText.element("title", headline),
            MarkupText.element("published", RFC3339.string(item.at)),
            MarkupText.element("updated", RFC3339.string(item.editedAt ?? item.at)), "<author>\(author)</author>",
            content(of: item, thumbnail), MarkupText.element("georss:point", point),
            MarkupText.element("georss:featurename", item.placeName),
        ]
        return "<entry>\(children.joined())</entry>"
    }

    /// The words alone, or with a thumbnail XHTML (section 4.1.3.3).
    private static func content(of item: ItemInfo, _ thumbnail: [UInt8]?) -> String {
        guard let photo = item.photo, let thumbnail else {
            return item.text.map { "<content type=\"text\">\(MarkupText.escaped($0))</content>" } ?? ""
        }
        let lines = MarkupText.escaped(item.text ?? "").split(separator: "\n", omittingEmptySubsequences: false)
        let words = "<p>\(lines.joined(separator: "<br/>"))</p>"
        let alt = MarkupText.escaped(photo.alt ?? "")
        let image = "<p><img src=\"\(PhotoPhrases.address(of: thumbnail))\" alt=\"\(alt)\"/></p>"
        return "<content type=\"xhtml\"><div xmlns=\"http://www.w3.org/1999/xhtml\">\(words)\(image)</div></content>"
    }
}
