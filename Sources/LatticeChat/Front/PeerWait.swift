/// Holds input until enough peers are connected (`--wait`).
final class PeerWait {
    private let count: Int
    private let isInteractive: Bool
    /// Whether that many peers were ever reachable.
    private(set) var wasMet: Bool
    let reading: Gate
    let speaking: Gate

    init(count: Int, isInteractive: Bool) {
        (self.count, self.isInteractive) = (count, isInteractive)
        wasMet = count == 0
        (reading, speaking) = (Gate(isClosed: count > 0), Gate(isClosed: count > 0))
    }

    var isHeld: Bool { speaking.isClosed }

    func noted(reachable: Int, connected: Int) {
        guard count > 0 else { return }
        if reachable >= (wasMet ? 1 : count) {
            wasMet = true
            reading.open()
            speaking.open()
        }
        // A pipe pauses again while nobody is connected.
        if connected == 0, !isInteractive {
            reading.close()
            speaking.close()
        }
    }
}
