import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeControl
import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import LatticeNode
import LatticeSettings
import Logging
import UnixSignals

/// A chat beside others on one node: that of whatever runs for its folder, and where that ends one of its own.
struct AttachedChat: Sendable {
    /// What ends may be started anew, and is to have its folder then.
    private static let patience: Duration = .seconds(3)
    private static let lookInterval: Duration = .milliseconds(100)

    let directory: DataDirectory
    let person: PersonOptions
    let network: NetworkOptions
    let key: MeshKey?
    let wish: RunningNode.Wish
    let node: LastingNode

    /// Sees to it that there is a node until it is cancelled.
    func run() async {
        var isFirst = true
        var mayOwn = true
        while !Task.isCancelled {
            let lostAt = ContinuousClock.now
            var hasTold = isFirst
            var isFound = false
            while !isFound, !Task.isCancelled {
                isFound = await attach(isFirst: isFirst)
                guard !isFound else { break }
                if !hasTold {
                    hasTold = true
                    let text = "the lattice that this chat used has ended; reconnecting, what you type is sent then"
                    await node.tell(.notice(Notice(.problem, code: "nodeEnded", text)))
                }
                if mayOwn, lostAt.duration(to: .now) > Self.patience { mayOwn = await own() }
                do {
                    try await Task.sleep(for: Self.lookInterval)
                } catch {
                    return
                }
            }
            isFirst = false
        }
    }

    /// - Returns: whether something ran, and has ended.
    private func attach(isFirst: Bool) async -> Bool {
        do {
            return try await RunningNode.with(directory, wish, takesBrief: false) { running in
                let events = await running.client.events()
                await node.use(running.client, events, as: running.me, isFirst: isFirst)
                return true
            } ?? false
        } catch {
            return false  // It does not answer: perhaps it does in a moment.
        }
    }

    /// Becomes the process that has the folder, until it is cancelled.
    ///
    /// - Returns: whether that may be tried again: somebody else has it.
    private func own() async -> Bool {
        do {
            try directory.claim()
        } catch {
            if case .inUse = error { return true }
            return await cannotOwn(error.description)
        }
        do {
            let configuration = try await configuration()
            let logger = Logger(label: "lattice") { _ in SwiftLogNoOpLogHandler() }
            let host = try await Host(configuration, directory: directory, logger: logger)
            let events = await host.node.events()
            await node.tell(.notice(Notice(.information, code: "ownNode", "this chat now runs its own node")))
            if let remark = host.portRemark {
                await node.tell(.notice(Notice(.information, code: "otherPort", remark)))
            }
            await host.run { await node.use(host.node, events, as: host.me, isFirst: false) }
            await configuration.wall?.close()
            return true
        } catch {
            return await cannotOwn("\(error)")
        }
    }

    private func cannotOwn(_ reason: String) async -> Bool {
        let text =
            "this chat cannot run its own node (\(reason)); it continues when 'lattice run' or another chat starts"
        await node.tell(.notice(Notice(.problem, code: "noOwnNode", text)))
        return false
    }

    /// As a chat that begins, but nobody can be asked for a passphrase in the middle of a line.
    private func configuration() async throws -> NodeConfiguration {
        if case .sealed = try directory.identityFile.content(), person.identityPassphraseFile ?? "-" == "-" {
            throw Failure(.failed, "the identity is protected by a passphrase")
        }
        let identity = try person.identity(in: directory)
        let me = await node.me
        var configuration = try network.configuration(of: identity, in: directory, room: RoomName("#lobby"))
        configuration.rooms = me.rooms
        configuration.name = me.name
        configuration.meshKey = key
        configuration.wall = try WallSession.openWall(
            directory: directory, identity: identity, mesh: configuration.mesh, meshKey: key)
        configuration.rejoin(directory.joinedRooms(of: configuration.mesh, key: key), named: me.rooms)
        return configuration
    }
}

extension ChatCommand {
    /// Chats on what runs for the folder.
    ///
    /// - Returns: `nil` where nothing does.
    func chatAttached(_ directory: DataDirectory, key: MeshKey?) async throws -> ChatEnd? {
        let wish = try RunningNode.Wish(network.mesh, key: key)
        guard let me = try await RunningNode.with(directory, wish, takesBrief: false, body: { $0.me }) else {
            return nil
        }
        tellWhatCountsNoMore(me)
        // Before the terminal is taken over.
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        let node = LastingNode(me: me)
        let attached = AttachedChat(
            directory: directory, person: person, network: network, key: key, wish: wish, node: node)
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
            throw Failure(error.code == .invalid ? .usage : .failed, error.description)
        }
    }

    private func tellWhatCountsNoMore(_ me: Me) {
        var options: [String] = []
        if let port = network.port, port != 0, port != Int(me.port) { options.append("--port") }
        if let discovery = network.discovery, discovery != .auto, discovery.rawValue != me.discovery {
            options.append("--discovery")
        }
        if network.interface != nil { options.append("--interface") }
        if network.ttl != nil { options.append("--ttl") }
        guard !options.isEmpty else { return }
        let name = DisplayText.isolated(me.name.text)
        Report.remark("\(name) is already running, so \(options.joined(separator: ", ")) has no effect")
    }
}
