package import LatticeAPI
import LatticeControl
import LatticeCore

/// The node of a chat that runs none itself: the one that runs for its folder, in any process. When that ends, the next one
/// takes its place, and requests wait until then.
package actor LastingNode: MeshNode {
    /// Interval between checks for the next node.
    private static let lookInterval: Duration = .milliseconds(50)

    package let stream: NodeEvents
    private let input: NodeEvents.Input
    private var present: (any MeshNode)?
    /// The identity, as the latest node reported it.
    private(set) var me: Me
    /// The last line, and the last private message, known to have been sent.
    private var lastSaid: RecordID?
    private var lastReported: Int64?

    package init(me: Me) {
        self.me = me
        (stream, input) = NodeEvents.makeStream()
    }

    package func events() -> NodeEvents { stream }

    /// Repeats a `repeatable` request at the next node if its node ended: a second time does no harm, or can be avoided.
    package func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
        var isRepeated = false
        let patience = (request as? Flush)?.timeout
        while true {
            let node = try await there(atMost: patience)
            if isRepeated, let reply = await whatWasDone(request, on: node) as? R.Reply { return noted(reply) }
            do {
                return noted(try await node.perform(request))
            } catch {
                guard error.code == .stopped, !Task.isCancelled, isGone(node) else { throw error }
                guard R.traits.contains(.repeatable) else { throw .stopped(why: .endedUnanswered) }
                isRepeated = true
            }
        }
    }

    private func noted<Reply>(_ reply: Reply) -> Reply {
        switch reply {
        case let said as Say.Reply: lastSaid = said.record
        case let said as SayLines.Reply: if let last = said.lines.compactMap(\.record).last { lastSaid = last }
        case let message as PrivateMessage: lastReported = message.number
        default: break
        }
        return reply
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
                throw .stopped(why: .notReplaced)
            }
        }
    }

    /// A line whose reply was lost may have been sent.
    private func whatWasDone(_ request: any Request, on node: any MeshNode) async -> (any Sendable)? {
        do {
            switch request {
            case let line as Say:
                let page = try await node.perform(HistoryQuery(room: line.room, limit: 20))
                let said = page.lines.last { $0.from == me.id }
                guard let said, said.record != lastSaid, said.text == line.text, said.style == line.style else {
                    return nil
                }
                return Say.Reply(said.record, isWaiting: false)
            case let request as SayLines: return try await said(request, on: node)
            case let message as SendPrivateMessage:
                let lines = try await node.perform(ListPrivateMessages(message.peer, limit: 20)).messages
                let told = lines.last(where: \.isMine)
                guard let told, told.number != lastReported, told.text == message.text, told.style == message.style
                else {
                    return nil
                }
                return told
            default: return nil
            }
        } catch {
            return nil  // Without a store, a line that no peer took is lost with its node.
        }
    }

    /// Lines of one request are stored in one commit: if any of them is there, the others were refused, and the node says why.
    private func said(_ request: SayLines, on node: any MeshNode) async throws(RequestError) -> SayLines.Reply? {
        let count = request.lines.count
        let page = try await node.perform(HistoryQuery(room: request.room, limit: 20 + count))
        let mine = page.lines.filter { $0.from == me.id }
        var said = (mine.lastIndex { $0.record == lastSaid }.map { mine[($0 + 1)...] } ?? mine[...]).suffix(count)
        var outcomes = request.lines.map { line -> SayLines.Outcome? in
            guard let index = said.firstIndex(where: { $0.text == line.text && $0.style == line.style }) else {
                return nil
            }
            defer { said = said[(index + 1)...] }
            return .said(Say.Reply(said[index].record, isWaiting: false))
        }
        let missing = outcomes.indices.filter { outcomes[$0] == nil }
        guard missing.count < count else { return nil }
        if !missing.isEmpty {
            let rest = SayLines(
                missing.map { request.lines[$0] }, room: request.room, audience: request.audience,
                asker: request.asker)
            for (index, outcome) in zip(missing, try await node.perform(rest).lines) { outcomes[index] = outcome }
        }
        return SayLines.Reply(outcomes.compactMap(\.self))
    }

    /// Uses a node until it ends.
    ///
    /// - Parameter now: the identity there.
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

    /// Enters the rooms of the previous node, each as public or private as it was.
    private func enterRooms(on node: any MeshNode, as now: Me) async {
        for room in me.rooms where !now.rooms.contains(room) {
            do {
                let isPrivate = me.privateRooms.contains(room)
                guard isPrivate == now.privateRooms.contains(room) else { continue }
                if isPrivate {
                    _ = try await node.perform(EnterPrivateRoom(room, key: nil))
                } else {
                    _ = try await node.perform(JoinRoom(room))
                }
            } catch {
                tell(.notice(.failed(error: error)))
            }
        }
        me = now
        // Fronts show the differences.
        tell(.me(now))
    }

    package func tell(_ event: NodeEvent) {
        input.yield(event)
    }
}

extension SayLines.Outcome {
    fileprivate var record: RecordID? {
        switch self {
        case .said(let said): said.record
        case .refused: nil
        }
    }
}
