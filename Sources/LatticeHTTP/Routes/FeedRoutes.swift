import LatticeAPI
import LatticeCore
import LatticeGeo

/// Posts around a place as a feed: Atom (RFC 4287) with GeoRSS Simple.
enum FeedRoutes {
    private static let entriesMax = 50

    static let all: [Route] = [
        Route(
            .get, "/feed.atom", .anybody,
            RouteFacts(
                name: "feed", summary: "Posts near a place as an Atom feed with places, newest first.",
                parameters: .around,
                answers: [
                    .init(
                        status: 200, about: "The feed.",
                        schemas: [(type: "application/atom+xml", schema: JSONSchema.text)])
                ])
        ) { desk, call throws(HTTPProblem) in
            let page = try await desk.perform(
                NearQuery(
                    .posts, centre: try call.centre(), radius: try call.radius(),
                    page: PageRequest(limit: PostLimit.pageSizeRange.upperBound)))
            let me = try await desk.me()
            let items = page.items.filter { $0.state == .shown }.sorted { $0.at > $1.at }.prefix(entriesMax)
            let feed = AtomFeed(
                me: me, centre: page.centre, radius: page.radius, items: Array(items),
                address: call.call.headers["host"].map { "http://\($0)" })
            return HTTPReply(200, type: "application/atom+xml", body: .bytes(Array(feed.text.utf8)))
        }
    ]
}

struct AtomFeed {
    let me: Me
    let centre: Coordinate?
    let radius: Double?
    let items: [ItemInfo]
    /// Of this server, as the reader knows it.
    let address: String?

    var text: String {
        let updated = items.map { $0.editedAt ?? $0.at }.max() ?? WallTime(milliseconds: 0)
        let place = centre.map { " around \($0)" } ?? ""
        // The same feed has the same id for everybody.
        let id = "urn:lattice:\(me.id.hex):near:\(centre.map { "\($0.latitudeE7),\($0.longitudeE7)" } ?? "")"
        return """
            <?xml version="1.0" encoding="utf-8"?>
            <feed xmlns="http://www.w3.org/2005/Atom" xmlns:georss="http://www.georss.org/georss">
            <id>\(Self.escaped(id))</id>
            <title>\(Self.escaped("Posts\(place) in \(me.mesh.text)"))</title>
            <updated>\(RFC3339.string(updated))</updated>
            <generator>lattice</generator>

            """ + items.map(entry).joined() + "</feed>\n"
    }

    private func entry(_ item: ItemInfo) -> String {
        let place = item.place.map { "<georss:point>\($0.latitude) \($0.longitude)</georss:point>\n" } ?? ""
        let name = item.placeName.map { "<georss:featurename>\(Self.escaped($0))</georss:featurename>\n" } ?? ""
        return """
            <entry>
            <id>urn:lattice:\(item.id.hex)</id>
            <title>\(Self.escaped(Self.title(of: item.text ?? "")))</title>
            <author><name>\(Self.escaped(item.authorName))</name><uri>urn:lattice:\(item.author.hex)</uri></author>
            <published>\(RFC3339.string(item.at))</published>
            <updated>\(RFC3339.string(item.editedAt ?? item.at))</updated>
            <content type="text">\(Self.escaped(item.text ?? ""))</content>
            \(enclosure(of: item))\(place)\(name)</entry>

            """
    }

    /// The photo is read from where the post is, so that each reader has the same link.
    private func enclosure(of item: ItemInfo) -> String {
        guard let address, let photo = item.photo, let place = item.place else { return "" }
        let words = photo.alt.map { " title=\"\(Self.escaped($0))\"" } ?? ""
        let link = "\(address)/v1/items/\(item.id.hex)/photo?lat=\(place.latitude)&lon=\(place.longitude)"
        return "<link rel=\"enclosure\" type=\"image/jpeg\" length=\"\(photo.size)\"\(words) "
            + "href=\"\(Self.escaped(link))\"/>\n"
    }

    private static func title(of text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).first ?? ""
        return line.count > 60 ? line.prefix(59) + "…" : String(line)
    }

    /// Only characters allowed by XML 1.0 (section 2.2).
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\t", "\n", "\r": result.unicodeScalars.append(scalar)
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": continue
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
