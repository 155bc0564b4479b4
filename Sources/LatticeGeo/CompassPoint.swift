/// One of the sixteen points of the compass rose, clockwise from north, each 22.5° wide.
package enum CompassPoint: Int, CaseIterable, Sendable {
    case north, northNortheast, northeast, eastNortheast
    case east, eastSoutheast, southeast, southSoutheast
    case south, southSouthwest, southwest, westSouthwest
    case west, westNorthwest, northwest, northNorthwest

    /// The point nearest to a bearing; halfway between two, the one further clockwise.
    ///
    /// - Parameter bearing: degrees clockwise from north, any number of turns; non-finite values count as north.
    package init(bearing: Double) {
        let turned = bearing.isFinite ? bearing.truncatingRemainder(dividingBy: 360) : 0
        let sector = Int(((turned + 360) / 22.5 + 0.5).rounded(.down)) % Self.allCases.count
        self = Self.allCases[sector]
    }

    /// `N`, `NNE`, `NE`, …
    package var abbreviation: String {
        switch self {
        case .north: "N"
        case .northNortheast: "NNE"
        case .northeast: "NE"
        case .eastNortheast: "ENE"
        case .east: "E"
        case .eastSoutheast: "ESE"
        case .southeast: "SE"
        case .southSoutheast: "SSE"
        case .south: "S"
        case .southSouthwest: "SSW"
        case .southwest: "SW"
        case .westSouthwest: "WSW"
        case .west: "W"
        case .westNorthwest: "WNW"
        case .northwest: "NW"
        case .northNorthwest: "NNW"
        }
    }
}
