package import LatticeAPI
package import LatticeCore

package enum ExportFormat: String, CaseIterable, Sendable {
    /// RFC 7946
    case geoJSON = "geojson"
    /// GPX 1.1
    case gpx
    /// RFC 5545; only events.
    case iCalendar = "ics"
    /// RFC 4287 with GeoRSS
    case atom

    /// A complete document. Items that cannot be read or have no place are left out.
    ///
    /// - Parameters:
    ///   - now: the date of the document, for formats that need one.
    ///   - reader: the person it is made for; their feed has its own id.
    ///   - thumbnails: JPEGs, which become a part of the document if `hasPhotos`.
    package func document(
        _ items: [ItemInfo], at now: WallTime, by reader: PeerID? = nil, thumbnails: [RecordID: [UInt8]] = [:]
    ) -> String {
        let readable = items.filter { $0.state == .shown && $0.place != nil }
        return switch self {
        case .geoJSON: GeoJSONDocument.text(readable, thumbnails: thumbnails)
        case .gpx: GPXDocument.text(readable, at: now)
        case .iCalendar: CalendarDocument.text(readable.filter { $0.starts != nil })
        case .atom: AtomDocument.text(readable, at: now, by: reader, thumbnails: thumbnails)
        }
    }

    /// Whether thumbnails can be a part of such a document.
    package var hasPhotos: Bool { self == .geoJSON || self == .atom }
}

extension ItemInfo {
    /// An event's name, or the first words of a post.
    var headline: String {
        guard let title = self.title, !title.isEmpty else {
            let text = DisplayText.safe(self.text ?? "")
            return text.count > 60 ? String(text.prefix(59)) + "…" : text
        }
        return title
    }

    /// A permanent and globally unique name.
    var resourceName: String { "urn:lattice:record:\(self.id.hex)" }
}
