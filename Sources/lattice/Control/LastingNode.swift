import LatticeAPI
import LatticeControl
import LatticeCore

/// The node of a chat that is not its own: the one that runs for its folder, in whichever process that is. When that ends the next one
/// takes its place, and what is asked for meanwhile waits.
actor LastingNode: MeshNode {
    /// How long a node that has ended is waited for anew, before the next look.
    private static let lookInterval: Duration = .milliseconds(50)

    let stream: NodeEvents
    private let input: NodeEvents.Input
    private var present: (any MeshNode)?
    /// Who one is, as the last of them told.
    private(set) var me: Me
    /// The last line of one's own that is known to be said, and to whom.
    private var lastSaid: RecordID?
    private var lastTold: Int64?

    init(me: Me) {
        self.me = me
        (stream, input) = NodeEvents.makeStream()
    }

    func events() -> NodeEvents { stream }

    /// What was asked of a node that ended is asked of the next one, if it does no harm to do it twice or can be seen whether it was done.
    func perform(_ request: NodeRequest) async throws(RequestError) -> Answer {
        var isRepeated = false
        let patience: Duration? = if case .flush(let timeout, _) = request { timeout } else { nil }
        while true {
            let node = try await there(atMost: patience)
            if isRepeated, let answer = await whatWasDone(request, on: node) { return noted(answer) }
            do {
                return noted(try await node.perform(request))
            } catch {
                guard error.code == .stopped, !Task.isCancelled, isGone(node) else { throw error }
                guard Self.mayRepeat(request) else { throw .endedBefore }
                isRepeated = true
            }
        }
    }

    func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
        while true {
            let node = try await there()
            do {
                return try await node.perform(request)
            } catch {
                guard error.code == .stopped, !Task.isCancelled, isGone(node) else { throw error }
                guard R.traits.contains(.repeatable) else { throw .endedBefore }
            }
        }
    }

    private func noted(_ answer: Answer) -> Answer {
        switch answer {
        case .said(let record, _, _, _): lastSaid = record
        case .told(let message): lastTold = message.number
        default: break
        }
        return answer
    }

    private func isGone(_ node: any MeshNode) -> Bool { (node as? ControlClient)?.isOver ?? false }

    private func there(atMost patience: Duration? = nil) async throws(RequestError) -> any MeshNode {
        let start = ContinuousClock.now
        while true {
            if let present, !isGone(present) { return present }
            let isTooLate = patience.map { start.duration(to: .now) > $0 } ?? false
            do {
                guard !isTooLate else { throw CancellationError() }
                try await Task.sleep(for: Self.lookInterval)
            } catch {
                throw RequestError(.stopped, "the lattice that this chat used has ended")
            }
        }
    }

    private static func mayRepeat(_ request: NodeRequest) -> Bool {
        switch request {
        case .say, .tell, .rename, .join, .part, .me, .peers, .probe, .connect, .invite, .answer, .flush, .sync,
            .syncStatus, .history, .privateHistory, .conversations, .stats, .health:
            true
        }
    }

    /// A line whose answer was lost may have been said.
    private func whatWasDone(_ request: NodeRequest, on node: any MeshNode) async -> Answer? {
        do {
            switch request {
            case .say(let text, let style, let room, _, _):
                guard case .history(let page) = try await node.perform(.history(HistoryQuery(room: room, limit: 20)))
                else { return nil }
                let said = page.lines.last { $0.from == me.id }
                guard let said, said.record != lastSaid, said.text == text, said.style == style else { return nil }
                return .said(said.record, isWaiting: false)
            case .tell(let peer, let text, let style, _):
                guard case .privateHistory(let lines) = try await node.perform(.privateHistory(peer, limit: 20)) else {
                    return nil
                }
                let told = lines.last(where: \.isMine)
                guard let told, told.number != lastTold, told.text == text, told.style == style else { return nil }
                return .told(told)
            default: return nil
            }
        } catch {
            return nil  // Nothing is kept: what was not taken by anybody is lost with the one that ended.
        }
    }

    // MARK: - Nodes that come and go

    /// Uses one until it ends.
    ///
    /// - Parameter now: who one is there.
    func use(_ node: any MeshNode, _ events: NodeEvents, as now: Me, isFirst: Bool) async {
        if !isFirst { await enterRooms(on: node, as: now) }
        present = node
        for await event in events {
            switch event {
            case .ready(let told), .me(let told): me = told
            default: break
            }
            tell(event)
        }
        present = nil
    }

    /// Those in which one was before, each as what it was.
    private func enterRooms(on node: any MeshNode, as now: Me) async {
        for room in me.rooms where !now.rooms.contains(room) {
            do {
                let isPrivate = me.privateRooms.contains(room)
                guard isPrivate == now.privateRooms.contains(room) else { continue }
                if isPrivate {
                    _ = try await node.perform(EnterPrivateRoom(room, key: nil))
                } else {
                    _ = try await node.perform(.join(room))
                }
            } catch {
                tell(.notice(Notice(.problem, code: error.code.rawValue, error.description)))
            }
        }
        me = now
        // Whatever differs now is seen by who looks.
        tell(.me(now))
    }

    func tell(_ event: NodeEvent) {
        input.yield(event)
    }
}

extension RequestError {
    fileprivate static let endedBefore = RequestError(
        .stopped, "the lattice that this chat used ended before it answered; check whether it was done, and try again")
}
