import LatticeCore
import LatticeLink
import LatticeMesh

extension Node {
    /// Waits for an event or until a deadline; cancellation ends the wait.
    ///
    /// - Parameter trigger: what the mesh handles once the caller waits.
    @discardableResult
    func wait(
        for event: Waits.Event?, until deadline: Instant?, after trigger: MeshEvent = .woke
    ) async -> Waits.Outcome {
        let ticket = waits.ticket()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waits.open(ticket, for: event, until: deadline, continuation)
                // Sets the alarm for the deadline, too.
                handle(trigger)
            }
        } onCancel: {
            loop.turn.perform { [weak self] in self?.onLoop { $0.waits.giveUp(ticket) } }
        }
    }
}

extension Waits {
    /// - Returns: how many of these, or else of all our lines, no neighbour has confirmed.
    static func flush(timeout: Duration, _ lines: [RecordID]? = nil, on node: isolated Node) async -> Int {
        node.handle(.flushWanted)
        guard node.mesh.broadcast.outbox.linesCount > 0 else { return 0 }
        await node.wait(for: .flushed, until: Clocks.now.advanced(by: timeout))
        let outbox = node.mesh.broadcast.outbox
        return lines.map { outbox.count(among: Set($0)) } ?? outbox.linesCount
    }
}
