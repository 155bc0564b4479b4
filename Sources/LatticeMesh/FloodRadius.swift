/// The number of hops from its origin within which a record is also pushed beside the tree. That costs few frames
/// there, and the record enters the tree in many places at once. It is a share of the hops that records usually travel,
/// so it grows with the mesh.
struct FloodRadius: Sendable {
    private static let scale = 16
    /// The mean of a mesh where most records come straight from their origin, and how far the others may come.
    private static let oneHopMeanMax = scale * 3 / 2
    private static let smallFarthestMax = fineScale * 5 / 2
    private static let fineScale = 1_024

    let percent: Int
    /// Moving average of the hops that records travel to here, in sixteenths.
    private(set) var hopsMean = 0
    /// The farthest that a record came lately, in 1,024ths of a hop; it sinks by a sixty-fourth with each record.
    private var farthest = 0

    init(percent: Int) {
        self.percent = percent
    }

    mutating func heard(hops: UInt8) {
        let scaled = Int(hops) * Self.scale
        hopsMean += hopsMean == 0 ? scaled : (scaled - hopsMean) / 8
        farthest = max(farthest - farthest / 64, Int(hops) * Self.fineScale)
    }

    /// Whether most records come straight from their origin, as in a mesh where everybody is linked with everybody. The
    /// mean alone would also say so of a neighbour of the only speaker in a large mesh.
    var isOneHop: Bool { hopsMean > 0 && hopsMean < Self.oneHopMeanMax && isSmall }

    /// Whether everybody is linked with a neighbour of everybody else.
    var isSmall: Bool { farthest < Self.smallFarthestMax }

    func contains(hops: UInt8) -> Bool {
        Int(hops) < (hopsMean * percent / 100 + Self.scale / 2) / Self.scale
    }
}
