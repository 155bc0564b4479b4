/// Within how many hops of its origin a record is pushed beside the tree, too: there that costs few frames, and it enters the tree
/// in many places at once, from any speaker. It is a share of the hops that records take, so that it grows with the mesh.
struct FloodRadius: Sendable {
    private static let scale = 16

    let percent: Int
    /// Links that records travel until they come here, in sixteenths, the last few weighing most.
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
