/// The number of hops from its origin within which a record is also pushed beside the tree. That costs few frames
/// there, and the record enters the tree in many places at once. It is a share of the hops that records usually travel,
/// so it grows with the mesh.
struct FloodRadius: Sendable {
    private static let scale = 16

    let percent: Int
    /// Moving average of the hops that records travel to here, in sixteenths.
    private(set) var hopsMean = 0

    init(percent: Int) {
        self.percent = percent
    }

    mutating func heard(hops: UInt8) {
        let scaled = Int(hops) * Self.scale
        hopsMean += hopsMean == 0 ? scaled : (scaled - hopsMean) / 8
    }

    func contains(hops: UInt8) -> Bool {
        Int(hops) < (hopsMean * percent / 100 + Self.scale / 2) / Self.scale
    }
}
