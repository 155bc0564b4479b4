/// Coordinates as text. Latitude comes first everywhere, as in RFC 5870 and on every map site.
extension Coordinate: CustomStringConvertible {
    /// `40.71280,-74.00600`: decimal degrees to about a metre.
    package var description: String { decimal(decimals: 5, unit: 100) }

    /// `40.7128000,-74.0060000`: decimal degrees in full precision.
    package var exactText: String { decimal(decimals: 7, unit: 1) }

    /// `40°42′46.1″N 74°0′21.6″W`: degrees, minutes and seconds to about three metres.
    package var degreesMinutesSeconds: String {
        let latitude = Self.sexagesimal(latitudeE7) + (latitudeE7 < 0 ? "S" : "N")
        return latitude + " " + Self.sexagesimal(longitudeE7) + (longitudeE7 < 0 ? "W" : "E")
    }

    private func decimal(decimals: Int, unit: Int) -> String {
        let axes = [latitudeE7, longitudeE7].map { valueE7 in
            // Rounds half away from zero, as people do.
            let units = (Int(valueE7.magnitude) + unit / 2) / unit
            let scale = 10_000_000 / unit
            let fraction = String(units % scale)
            let zeros = String(repeating: "0", count: decimals - fraction.count)
            return "\(valueE7 < 0 && units > 0 ? "-" : "")\(units / scale).\(zeros)\(fraction)"
        }
        return axes[0] + "," + axes[1]
    }

    private static func sexagesimal(_ valueE7: Int32) -> String {
        // 36,000 tenths of a second in a degree.
        let tenths = (Int(valueE7.magnitude) * 36_000 + 5_000_000) / 10_000_000
        return "\(tenths / 36_000)°\(tenths / 600 % 60)′\(tenths / 10 % 60).\(tenths % 10)″"
    }
}
