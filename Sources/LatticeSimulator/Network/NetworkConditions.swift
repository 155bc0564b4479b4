/// Latency of frames, and what happens to them.
///
/// Connections are ordered and lossless by default, as TCP is. Loss, duplication and reordering are experiments beyond
/// TCP and affect only frames of the overlay and the broadcast. Pings, invitations and goodbyes are exempt: TCP carries
/// them, and losing one would only kill the link, which crashes and cuts test already.
package struct NetworkConditions: Hashable, Sendable {
    /// One-way latency in milliseconds, fixed for each pair of peers.
    package var latency: ClosedRange<Int64> = 1...50
    /// Added to each frame, in milliseconds; the order is kept.
    package var jitter: ClosedRange<Int64> = 0...0
    /// What each direction of each connection carries; `nil` is without limit. With a limit, full send queues hold records
    /// back as in a node.
    package var bytesPerSecond: Int64?
    /// Lost frames in a thousand.
    package var lossPerMille = 0
    /// Duplicated frames in a thousand.
    package var duplicationPerMille = 0
    /// Frames in a thousand that are delayed and overtaken by others.
    package var reorderingPerMille = 0

    package init() {}

    package init(latency: ClosedRange<Int64>) {
        self.latency = latency
    }

    /// Whether conditions are worse than over TCP.
    var isRough: Bool { lossPerMille > 0 || duplicationPerMille > 0 || reorderingPerMille > 0 }

    mutating func calm() {
        (lossPerMille, duplicationPerMille, reorderingPerMille) = (0, 0, 0)
    }

    /// Deterministic, and the same in both directions.
    package func latency(_ left: Int, _ right: Int, seed: UInt64) -> Int64 {
        var word = seed &+ UInt64(min(left, right)) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(max(left, right))
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        word ^= word >> 31
        let width = UInt64(latency.upperBound - latency.lowerBound) + 1
        return latency.lowerBound + Int64(word.multipliedFullWidth(by: width).high)
    }
}
