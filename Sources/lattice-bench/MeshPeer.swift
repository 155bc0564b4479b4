import ArgumentParser
import CBaseline
import Foundation
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import LatticeNode
import LatticeStore
import LatticeWire

/// One peer of the bench, a process of its own: does what it is told, a line at a time, and answers each with a line.
///
/// | line | answer |
/// |---|---|
/// | `listen` | `listening`: from now on messages wait for it |
/// | `connect ADDRESS` | `linked MICROSECONDS` |
/// | `dial ADDRESS COUNT` | `dialled MICROSECONDS…`: each time by a fresh node |
/// | `echo COUNT` | `echoed`, after so many answers |
/// | `ping COUNT PEER` | `pinged MICROSECONDS…` |
/// | `send COUNT PEER…` | `sent NANOSECONDS`: when the first was said |
/// | `pace COUNT RATE PEER` | `paced`: so many a second, whatever becomes of them |
/// | `hear COUNT` | `heard NANOSECONDS P50 P99`: when the last came, and how long they took, in microseconds |
struct MeshPeer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "peer", abstract: "One peer of `mesh`, until its input ends.", shouldDisplay: false)

    // By their places: `mesh` has options of these names and takes them before its subcommand does.
    @Argument(help: "How messages go.")
    var mode: MeshMode

    @Argument(help: "Bytes of a message.")
    var bytes: Int

    @Argument(help: "Keep what is said in this file.")
    var store: String?

    @Flag(help: "Take in whoever comes.")
    var isOpen = false

    /// What is due is said this often.
    private static let tick: Duration = .milliseconds(1)

    func run() async throws {
        let node = try await Node(try configuration(store), logger: JoinHost.logger)
        let me = await node.me
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { await node.run() }
            tell("ready \(me.port) \(me.id.key.hex)")
            var talk: Talk?
            for await line in Self.lines() {
                let words = line.split(separator: " ").map(String.init)
                do {
                    // Whoever answers at once is best off on the node's own thread.
                    try await withTaskExecutorPreference(mode == .raw ? node.taskExecutor : nil) {
                        try await perform(words, node, &talk)
                    }
                } catch {
                    tell("failed \(error)")
                }
            }
            await node.stop()
        }
    }

    private func configuration(_ path: String?) throws -> NodeConfiguration {
        let identity = Identity.generate()
        var configuration = NodeConfiguration(
            identity: identity, name: try PeerName("a"), rooms: [try Self.room], mesh: try MeshName("bench"))
        configuration.discovery = .off
        configuration.interface = "lo"
        // Who is told of whom links with nobody else: a chain stays one.
        configuration.invitations = isOpen ? .auto : .none
        configuration.rates = SpeechRates(origin: 1_000_000, link: 1_000_000)
        configuration.hasMail = false
        if let path {
            let store = try Store(path: path, owner: identity.peer)
            configuration.wall = Wall(store: store, identity: identity, name: configuration.name)
        }
        return configuration
    }

    private static var room: RoomName {
        get throws { try RoomName("#lobby") }
    }

    private func perform(_ words: [String], _ node: Node, _ talk: inout Talk?) async throws {
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
            tell("listening")
        case "connect": tell("linked \(try await Self.link(node, to: PeerAddress(parsing: words[1])))")
        case "dial": tell("dialled", try await dial(PeerAddress(parsing: words[1]), count: number(2)))
        case "echo":
            try await talk?.echo(number(1))
            tell("echoed")
        case "ping": tell("pinged", try await talk?.ping(number(1), peer()) ?? [])
        case "send":
            let peers = words.dropFirst(2).compactMap { Bytes32(hex: $0).map { PeerID($0) } }
            tell("sent \(try await talk?.send(number(1), to: peers) ?? 0)")
        case "pace":
            try await talk?.pace(number(1), perSecond: number(2), to: peer(), tick: Self.tick)
            tell("paced")
        case "hear":
            let heard = try await talk?.hear(number(1))
            tell("heard \(heard?.last ?? 0)", [heard?.delays.median ?? 0, heard?.delays.percentile(99) ?? 0])
        default: throw BenchError("no such order")
        }
    }

    private func voice(_ node: Node) async throws -> any MeshVoice {
        switch mode {
        case .signed: try await MeshSignedVoice(node, room: Self.room, recordBytes: bytes)
        case .raw: try MeshDataVoice(node, bytes: bytes)
        }
    }

    // MARK: - Links

    /// - Returns: microseconds from the address to a neighbour.
    private static func link(_ node: Node, to address: PeerAddress) async throws -> Double {
        let events = await node.events()
        let start = baseline_now()
        _ = try await node.perform(.connect(address))
        for await event in events {
            if case .peer(let change) = event, change.state == .connected {
                return Double(baseline_now() - start) / 1e3
            }
        }
        throw BenchError("the node ended before it was linked")
    }

    private func dial(_ address: PeerAddress, count: Int) async throws -> [Double] {
        var taken: [Double] = []
        for _ in 0..<count {
            let node = try await Node(try configuration(nil), logger: JoinHost.logger)
            try await withThrowingDiscardingTaskGroup { group in
                group.addTask { await node.run() }
                taken.append(try await Self.link(node, to: address))
                await node.stop()
            }
        }
        return taken
    }

    // MARK: - Lines

    private func tell(_ word: String, _ numbers: [Double] = []) {
        let line = ([word] + numbers.map { "\(rounded($0))" }).joined(separator: " ")
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    private static func lines() -> AsyncStream<String> {
        let (stream, input) = AsyncStream<String>.makeStream()
        Thread {
            while let line = readLine() { input.yield(line) }
            input.finish()
        }.start()
        return stream
    }
}

extension MeshMode: ExpressibleByArgument {}
