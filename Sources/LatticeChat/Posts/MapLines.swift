package import LatticeAPI
import LatticeCore
package import LatticeGeo

/// Base maps, as lines and as JSON.
package enum MapLines {
    /// Name, size and area.
    package static func words(_ map: BaseMapInfo) -> String {
        let shown = map.bounds.map { ", \(area($0))" } ?? ""
        return "\(DisplayText.isolated(map.name)) (\(ByteCountText.text(Int(map.size)))\(shown))"
    }

    /// Such as `4.2 × 3.1 km around 40.7128, -74.0060`.
    package static func area(_ bounds: MapBounds) -> String {
        let (width, height) = bounds.size
        return "\(DistanceText.string(width)) × \(DistanceText.string(height)) around \(rounded(bounds.centre))"
    }

    /// A ten-thousandth of a degree is eleven metres.
    private static func rounded(_ point: Coordinate) -> String {
        [point.latitudeE7, point.longitudeE7].map { value in
            let units = (Int(value.magnitude) + 500) / 1_000
            let fraction = String(units % 10_000 + 10_000).dropFirst()
            return "\(value < 0 ? "-" : "")\(units / 10_000).\(fraction)"
        }.joined(separator: ", ")
    }

    package static func table(_ maps: BaseMaps, _ context: CommandContext) -> [String] {
        let kept = maps.kept.map { map in
            [
                DisplayText.isolated(map.name), ByteCountText.text(Int(map.size)), "here",
                map.problem.map { DisplayText.safe($0) } ?? map.bounds.map(area) ?? "-",
            ]
        }
        let shared = maps.shared.map { file in
            [
                DisplayText.isolated(file.name), ByteCountText.text(Int(file.size)),
                "\(file.id.hex.prefix(6)) by \(FileLines.name(of: file.by) ?? "-")", file.bounds.map(area) ?? "-",
            ]
        }
        return TextTable.lines([["NAME", "SIZE", "WHERE", "SHOWS"]] + kept + shared, context)
    }

    package static func object(_ map: BaseMapInfo) -> JSONLine {
        var fields: [(String, JSONLine.Value)] = [
            ("event", .text("map")), ("name", .text(map.name)), ("size", .integer(Int(map.size))),
            ("title", .text(map.title)),
        ]
        if let bounds = map.bounds { fields.append(("bounds", .list(bounds.degrees.map { .number($0) }))) }
        if let zoom = map.minZoom { fields.append(("minzoom", .integer(zoom))) }
        if let zoom = map.maxZoom { fields.append(("maxzoom", .integer(zoom))) }
        fields += [("attribution", .text(map.attribution)), ("problem", .text(map.problem))]
        return JSONLine(fields)
    }
}
