import CBaseline
import Foundation
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import LatticeNode
import LatticeStore
import LatticeWire
import Logging

/// The commands of one peer of the benchmark; `MeshPeer` lists them.
struct MeshWork: Sendable {
    let mode: MeshMode
    /// The size of a message.
    let bytes: Int
    var isOpen = false
    /// Whether it uses its own mDNS stack to discover others and announce itself.
    var isFound = false

    /// The interval at which due messages are sent.
    private static let tick: Duration = .milliseconds(1)

    static var logger: Logger { Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() } }

    func configuration(store path: String? = nil) throws -> NodeConfiguration {
        let identity = Identity.generate()
        var configuration = NodeConfiguration(
            identity: identity, name: try PeerName("a"), rooms: [try Self.room], mesh: try MeshName("bench"))
        configuration.discovery = isFound ? .embedded : .off
        configuration.interface = "lo"
        // Peers that dial given addresses create no other links, so a chain stays a chain.
        configuration.invitations.policy = isOpen ? .auto : .none
        configuration.rates = SpeechRates(origin: 1_000_000, link: 1_000_000)
        configuration.hasMail = false
        if let path {
            let store = try Store(path: path, owner: identity.peer)
            configuration.archive = Archive(store: store, identity: identity, name: configuration.name)
        }
        return configuration
    }

    private static var room: RoomName {
        get throws { try RoomName("#lobby") }
    }

    nonisolated(nonsending) func perform(_ words: [String], _ node: Node, _ talk: inout Talk?) async throws {
        func number(_ index: Int) throws -> Int {
            guard words.count > index, let number = Int(words[index]) else { throw BenchError("no such order") }
            return number
        }
        func peer() throws -> PeerID {
            guard let key = words.last.flatMap(Bytes32.init(hex:)) else { throw BenchError("no such peer") }
            return PeerID(key)
        }
        switch words.first {
        case "listen":
            talk = Talk(voice: try await voice(node))
            Self.tell("listening")
        case "connect": Self.tell("linked \(try await Self.link(node, to: PeerAddress(parsing: words[1])))")
        case "dial": Self.tell("dialled", try await dial(PeerAddress(parsing: words[1]), count: number(2)))
        case "discover": Self.tell("discovered", try await discover(count: number(1)))
        case "echo":
            try await talk?.echo(number(1))
            Self.tell("echoed")
        case "ping": Self.tell("pinged", try await talk?.ping(number(1), peer()) ?? [])
        case "send":
            let peers = words.dropFirst(2).compactMap { Bytes32(hex: $0).map { PeerID($0) } }
            Self.tell("sent \(try await talk?.send(number(1), to: peers) ?? 0)")
        case "pace":
            try await talk?.pace(number(1), perSecond: number(2), to: peer(), tick: Self.tick)
            Self.tell("paced")
        case "hear":
            let heard = try await talk?.hear(number(1))
            Self.tell("heard \(heard?.last ?? 0)", [heard?.delays.median ?? 0, heard?.delays.percentile(99) ?? 0])
        default: throw BenchError("no such order")
        }
    }

    private nonisolated(nonsending) func voice(_ node: Node) async throws -> any MeshVoice {
        switch mode {
        case .signed: try await MeshSignedVoice(node, room: Self.room, recordBytes: bytes)
        case .raw: try MeshDataVoice(node, bytes: bytes)
        }
    }

    /// - Returns: microseconds from dialling an address to the link.
    private nonisolated(nonsending) static func link(_ node: Node, to address: PeerAddress) async throws -> Double {
        let events = await node.events()
        let start = baseline_now()
        _ = try await node.perform(DialAddress(address))
        return try await linked(events, since: start)
    }

    private nonisolated(nonsending) static func linked(
        _ events: some AsyncSequence<NodeEvent, Never>, since start: Int64
    ) async throws -> Double {
        for await event in events {
            if case .peer(let change) = event, change.state == .connected {
                return Double(baseline_now() - start) / 1e3
            }
        }
        throw BenchError("the node ended before it was linked")
    }

    private nonisolated(nonsending) func dial(_ address: PeerAddress, count: Int) async throws -> [Double] {
        var taken: [Double] = []
        for _ in 0..<count {
            let node = try await Node(try configuration(), logger: Self.logger)
            try await withThrowingDiscardingTaskGroup { group in
                group.addTask { await node.run() }
                taken.append(try await Self.link(node, to: address))
                await node.stop()
            }
        }
        return taken
    }

    /// - Returns: microseconds from the start of a node without an address to a neighbour.
    private nonisolated(nonsending) func discover(count: Int) async throws -> [Double] {
        let seeker = MeshWork(mode: mode, bytes: bytes, isOpen: true, isFound: true)
        var taken: [Double] = []
        for _ in 0..<count {
            let start = baseline_now()
            let node = try await Node(try seeker.configuration(), logger: Self.logger)
            let events = await node.events()
            try await withThrowingDiscardingTaskGroup { group in
                group.addTask { await node.run() }
                taken.append(try await Self.linked(events, since: start))
                await node.stop()
            }
        }
        return taken
    }

    static func tell(_ word: String, _ numbers: [Double] = []) {
        let line = ([word] + numbers.map { "\(rounded($0))" }).joined(separator: " ")
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}

/// Runs on the node's own thread, as an actor that shares the node's executor: saying a line is then a plain call
/// without scheduling. A task that only prefers the executor would be scheduled with each line.
actor MeshDesk {
    private let work: MeshWork
    private let node: Node
    private var talk: Talk?
    nonisolated var unownedExecutor: UnownedSerialExecutor { node.unownedExecutor }

    init(_ work: MeshWork, _ node: Node) {
        (self.work, self.node) = (work, node)
    }

    func perform(_ words: [String]) async throws {
        var talk = talk.take()
        defer { self.talk = talk }
        try await work.perform(words, node, &talk)
    }
}
