import LatticeCore
import LatticeGeo
import Testing

/// Places as tests want them: all over the globe, and far more often than by chance where arithmetic goes wrong.
enum Samples {
    static func coordinate(using generator: inout SeededGenerator) -> Coordinate {
        let latitudes: [ClosedRange<Double>] = [-90...90, -70...70, 89.99...90, -90 ... -89.99, 0...0, 77...79]
        let longitudes: [ClosedRange<Double>] = [-180...180, 179.99...180, -180 ... -179.99, 0...0]
        let latitude = Double.random(in: latitudes.randomElement(using: &generator) ?? 0...0, using: &generator)
        let longitude = Double.random(in: longitudes.randomElement(using: &generator) ?? 0...0, using: &generator)
        return place(latitude, longitude)
    }

    static func one(of numbers: [Double], using generator: inout SeededGenerator) -> Double {
        numbers.randomElement(using: &generator) ?? 0
    }

    /// Half of them near the rim.
    static func coordinate(in circle: Circle, using generator: inout SeededGenerator) -> Coordinate {
        let share = Bool.random(using: &generator) ? 1 : Double.random(in: 0...1, using: &generator)
        return circle.centre.destination(
            bearing: .random(in: 0..<360, using: &generator), distance: circle.radius * share)
    }
}

func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
        Issue.record("\(latitude),\(longitude) is not on the globe")
        return Coordinate(latitudeE7: 0, longitudeE7: 0)!
    }
    return coordinate
}
