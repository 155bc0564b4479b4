import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCommands
import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import LatticeHost
import LatticeNode
import LatticeSettings

extension ChatCommand {
    /// Chats on what runs for the folder.
    ///
    /// - Returns: `nil` where nothing does.
    func chatAttached(_ directory: DataDirectory, key: MeshKey?) async throws -> ChatEnd? {
        let wish = try RunningNode.Wish(network.mesh, key: key)
        guard let me = try await RunningNode.with(directory, wish, takesBrief: false, body: { $0.me }) else {
            return nil
        }
        reportIgnored(me)
        // Before the terminal is taken over.
        let signals = await ProgramSignal.caught(.interrupt, .terminate, .hangup)
        let node = LastingNode(me: me)
        let attached = AttachedChat(
            directory: directory, person: person.choice, network: network.choice, key: key, wish: wish, node: node)
        let meter = try await metrics.said?.listening(node)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await attached.run() }
            defer { group.cancelAll() }
            var mine = me
            let room = try await enter(on: node, me, last: directory.joinedRooms(of: me.mesh, key: key).read().last)
            mine.rooms = [room] + me.rooms.filter { $0 != room }
            for address in network.peer {
                try await ask { () throws(RequestError) in _ = try await node.perform(DialAddress(address)) }
            }
            if let signer = network.cardSigner {
                try await ask { () throws(RequestError) in
                    _ = try await node.perform(TakeMeshCard(PeerReference(signer)))
                }
            }
            let front = try front(of: node, mine, room, directory)
            return await MetricsFront.serving(meter) {
                await front.run(events: node.stream, interrupted: { await Self.wait(for: signals) })
            }
        }
    }

    /// The room that was named; otherwise one in which one is already, so that nothing is announced by looking in.
    ///
    /// - Parameter last: the one joined last.
    private func enter(on node: LastingNode, _ me: Me, last: RoomName?) async throws -> RoomName {
        let lobby = try RoomName("#lobby")
        guard let room else {
            if let last, me.rooms.contains(last) { return last }
            if me.rooms.contains(lobby) { return lobby }
            if let first = me.rooms.first { return first }
            try await ask { () throws(RequestError) in _ = try await node.perform(JoinRoom(lobby)) }
            return lobby
        }
        if let roomKeyFile {
            let key = TypedKey(try PassphraseReader.roomKey(file: roomKeyFile))
            try await ask { () throws(RequestError) in _ = try await node.perform(EnterPrivateRoom(room, key: key)) }
        } else if me.privateRooms.contains(room) {
            try await ask { () throws(RequestError) in _ = try await node.perform(EnterPrivateRoom(room, key: nil)) }
        } else if !me.rooms.contains(room) {
            try await ask { () throws(RequestError) in _ = try await node.perform(JoinRoom(room)) }
        }
        return room
    }

    private func ask(_ work: () async throws(RequestError) -> Void) async throws(Failure) {
        do {
            try await work()
        } catch {
            throw Failure(error.code == .invalid ? .usage : .failed, error.words)
        }
    }

    private func reportIgnored(_ me: Me) {
        var options: [String] = []
        if let port = network.port, port != 0, port != Int(me.port) { options.append("--port") }
        if let discovery = network.discovery, discovery != .auto, discovery.rawValue != me.discovery {
            options.append("--discovery")
        }
        if network.interface != nil { options.append("--interface") }
        if !network.info.isEmpty { options.append("--info") }
        if network.ttl != nil { options.append("--ttl") }
        guard !options.isEmpty else { return }
        let name = DisplayText.isolated(me.name.text)
        Report.remark("\(name) is already running, so \(options.joined(separator: ", ")) has no effect")
    }
}
