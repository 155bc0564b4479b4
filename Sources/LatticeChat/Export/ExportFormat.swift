package import LatticeAPI
package import LatticeCore

/// The forms in which other programs read what was left around a place.
package enum ExportFormat: String, CaseIterable, Sendable {
    /// RFC 7946
    case geoJSON = "geojson"
    /// GPX 1.1
    case gpx
    /// RFC 5545; events alone
    case iCalendar = "ics"
    /// RFC 4287 with GeoRSS
    case atom

    /// A whole document; what may not be read or has no place is left out.
    ///
    /// - Parameters:
    ///   - now: the date of a document whose form needs one.
    ///   - reader: for whom it is made; a feed is named after them.
    package func document(_ items: [ItemInfo], at now: WallTime, by reader: PeerID? = nil) -> String {
        let readable = items.filter { $0.state == .shown && $0.place != nil }
        return switch self {
        case .geoJSON: GeoJSONDocument.text(readable)
        case .gpx: GPXDocument.text(readable, at: now)
        case .iCalendar: CalendarDocument.text(readable.filter { $0.starts != nil })
        case .atom: AtomDocument.text(readable, at: now, by: reader)
        }
    }
}

extension ItemInfo {
    /// An event's name, or the first words of a post.
    var headline: String {
        guard let title, !title.isEmpty else {
            let text = DisplayText.safe(text ?? "")
            return text.count > 60 ? String(text.prefix(59)) + "…" : text
        }
        return title
    }

    /// Its name for every program and for ever.
    var resourceName: String { "urn:lattice:record:\(id.hex)" }
}
