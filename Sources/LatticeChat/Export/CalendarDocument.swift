import LatticeAPI
import LatticeCore

/// Events as a calendar (RFC 5545).
enum CalendarDocument {
    /// Octets of a line without its line break (section 3.1).
    private static let lineBytesMax = 75

    static func text(_ items: [ItemInfo]) -> String {
        let lines =
            ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//lattice//posts//EN"] + items.flatMap(event)
            + ["END:VCALENDAR"]
        return lines.flatMap(folded).map { "\($0)\r\n" }.joined()
    }

    private static func event(_ item: ItemInfo) -> [String] {
        guard let starts = item.starts, let place = item.place else { return [] }
        var lines = ["BEGIN:VEVENT", "UID:\(item.id.hex)@lattice"]
        // Without METHOD, DTSTAMP is the time of the last change (section 3.8.7.2).
        lines.append("DTSTAMP:\(date(item.editedAt ?? item.at))")
        lines.append("DTSTART:\(date(starts))")
        if let ends = item.ends, ends > starts { lines.append("DTEND:\(date(ends))") }
        lines.append("SUMMARY:\(escaped(item.headline))")
        if let address = item.placeName, !address.isEmpty { lines.append("LOCATION:\(escaped(address))") }
        if let text = item.text, !text.isEmpty { lines.append("DESCRIPTION:\(escaped(text))") }
        lines.append("GEO:\(place.latitudeText);\(place.longitudeText)")
        return lines + ["END:VEVENT"]
    }

    /// `20261201T180000Z`
    private static func date(_ time: WallTime) -> String { CivilTime(utc: time).basic + "Z" }

    /// TEXT (section 3.3.11): a line break becomes `\n`; other control characters are dropped.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case ";": result += "\\;"
            case ",": result += "\\,"
            case "\n": result += "\\n"
            case let scalar where DisplayText.isUnsafe(scalar): continue
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Folds long lines (section 3.1) without cutting a character in two.
    private static func folded(_ line: String) -> [String] {
        var lines: [String] = []
        var current = ""
        for scalar in line.unicodeScalars {
            if current.utf8.count + String(scalar).utf8.count > lineBytesMax {
                lines.append(current)
                current = " "
            }
            current.unicodeScalars.append(scalar)
        }
        return lines + [current]
    }
}
