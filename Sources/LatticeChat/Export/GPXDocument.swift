import LatticeAPI
import LatticeCore

/// Waypoints of GPX 1.1, which maps and hand-held receivers read.
enum GPXDocument {
    static func text(_ items: [ItemInfo], at now: WallTime) -> String {
        let head = """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="lattice" xmlns="http://www.topografix.com/GPX/1/1">
            <metadata><time>\(RFC3339.string(now))</time></metadata>

            """
        return head + items.compactMap(waypoint).map { "\($0)\n" }.joined() + "</gpx>\n"
    }

    /// Children in the order of the schema's sequence: time, name, cmt, desc, src, sym, type.
    private static func waypoint(_ item: ItemInfo) -> String? {
        guard let place = item.place else { return nil }
        let children = [
            MarkupText.element("time", RFC3339.string(item.at)), MarkupText.element("name", item.headline),
            MarkupText.element("cmt", item.placeName ?? item.hours), MarkupText.element("desc", item.text),
            MarkupText.element("src", item.authorName),
            MarkupText.element("type", item.category ?? item.kind.rawValue),
        ]
        return "<wpt lat=\"\(place.latitudeText)\" lon=\"\(place.longitudeText)\">\(children.joined())</wpt>"
    }
}
