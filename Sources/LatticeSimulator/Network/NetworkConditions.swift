/// How long frames take and what becomes of them.
///
/// Connections are ordered and lossless by default, as TCP is. Loss, duplication and reordering are experiments beyond it
/// and befall only what the overlay and the flood send. Pings, invitations and goodbyes are spared: TCP carries them, and
/// to lose one means no more than that the link dies, which crashes and cuts try out already.
package struct NetworkConditions: Hashable, Sendable {
    /// One way, in milliseconds, fixed for each pair of peers.
    package var latency: ClosedRange<Int64> = 1...50
    /// Added to each frame, in milliseconds; order is kept.
    package var jitter: ClosedRange<Int64> = 0...0
    /// Of a thousand frames, how many vanish.
    package var lossPerMille = 0
    /// Of a thousand frames, how many come twice.
    package var duplicationPerMille = 0
    /// Of a thousand frames, how many are late and let others pass.
    package var reorderingPerMille = 0

    package init() {}

    package init(latency: ClosedRange<Int64>) {
        self.latency = latency
    }

    /// Whether frames may fare otherwise than over TCP.
    var isRough: Bool { lossPerMille > 0 || duplicationPerMille > 0 || reorderingPerMille > 0 }

    mutating func calm() {
        (lossPerMille, duplicationPerMille, reorderingPerMille) = (0, 0, 0)
    }

    /// The same for both directions and whenever it is asked.
    package func latency(_ left: Int, _ right: Int, seed: UInt64) -> Int64 {
        var word = seed &+ UInt64(min(left, right)) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(max(left, right))
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        word ^= word >> 31
        let width = UInt64(latency.upperBound - latency.lowerBound) + 1
        return latency.lowerBound + Int64(word.multipliedFullWidth(by: width).high)
    }
}
