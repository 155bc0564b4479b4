/// Holds input until enough peers are connected (`--wait`).
final class PeerWait {
    private let count: Int
    private let isInteractive: Bool
    /// Whether that many peers were ever reachable.
    private(set) var wasMet: Bool
    private var hasReported = false
    private var heldLines = 0
    let reading: Gate
    let speaking: Gate

    init(count: Int, isInteractive: Bool) {
        (self.count, self.isInteractive) = (count, isInteractive)
        wasMet = count == 0
        (reading, speaking) = (Gate(isClosed: count > 0), Gate(isClosed: count > 0))
    }

    var isHeld: Bool { speaking.isClosed }

    /// Whether typed lines wait for peers.
    var hasHeld: Bool { heldLines > 0 }

    /// Notes that typed input is held.
    ///
    /// - Returns: what to say about it, once.
    func held(isLine: Bool = true) -> String? {
        if isLine { heldLines += 1 }
        defer { hasReported = true }
        let peers = count == 1 ? "a peer is" : "\(count) peers are"
        return hasReported ? nil : "What you type waits until \(peers) connected (--wait). /quit leaves without it."
    }

    /// What to say about held lines when the chat ends before they are said.
    var lost: String? {
        switch heldLines {
        case 0: nil
        case 1: "The line that you typed was not sent or stored, as the chat still waited for peers."
        default: "The \(heldLines) lines that you typed were not sent or stored, as the chat still waited for peers."
        }
    }

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
