import Foundation
import FoundationNetworking
import Glibc
import Synchronization
import Testing

/// A nats-server with JetStream, or several as a cluster, each with ports that the system chooses.
final class Broker {
    private let stage: Stage
    private let folder: String
    private(set) var servers: [Peer] = []
    private var ports: [Ports] = []
    /// Ports of the cluster. Each server has to know the ports of the others before it starts.
    private let routes: [UInt16]
    /// Ports for clients. A server that comes back has the same one.
    private let doors: [UInt16]

    private struct Ports: Decodable {
        let monitoring: [String]
    }

    /// - Parameter more: lines of its configuration.
    init(on stage: Stage, count: Int = 1, _ more: String = "", folder name: String = "broker") async throws {
        self.stage = stage
        folder = "\(stage.folder)/\(name)"
        routes = try Self.freePorts(count > 1 ? count : 0)
        doors = try Self.freePorts(count)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for number in 1...count { try await start(number, more) }
    }

    private static let nextPort = Atomic<UInt16>(0)

    /// Ports that nobody uses, outside the range from which the system gives ports to others.
    static func freePorts(_ count: Int) throws -> [UInt16] {
        // Each process of the tests begins elsewhere.
        let start = 10_000 + UInt16(getpid() % 200) * 100
        var ports: [UInt16] = []
        while ports.count < count {
            let number = nextPort.wrappingAdd(1, ordering: .relaxed).oldValue
            try #require(number < 22_000, "there is a free port")
            let port = 10_000 + (start - 10_000 + number) % 22_000
            if isFree(port) { ports.append(port) }
        }
        return ports
    }

    private static func isFree(_ port: UInt16) -> Bool {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        address.sin_port = port.bigEndian
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private func start(_ number: Int, _ more: String) async throws {
        let others = routes.map { "\"nats://127.0.0.1:\($0)\"" }.joined(separator: ", ")
        let cluster =
            routes.isEmpty
            ? "" : "cluster { name: test, listen: \"127.0.0.1:\(routes[number - 1])\", routes: [\(others)] }"
        let text = """
            server_name: "n\(number)"
            listen: "127.0.0.1:\(doors[number - 1])"
            http: "127.0.0.1:-1"
            ping_interval: "5s"
            ping_max: 2
            ports_file_dir: "\(folder)/ports\(number)"
            jetstream { store_dir: "\(folder)/n\(number)", max_file: 1G, max_mem: 64M }
            \(cluster)
            \(more)
            """
        try FileManager.default.createDirectory(atPath: "\(folder)/ports\(number)", withIntermediateDirectories: true)
        try text.write(toFile: configuration(of: number), atomically: true, encoding: .utf8)
        servers.append(try run(number))
        ports.append(try await ports(of: number))
    }

    private func configuration(of number: Int) -> String { "\(folder)/n\(number).conf" }

    private func run(_ number: Int) throws -> Peer {
        try stage.run(
            ["-c", configuration(of: number)], as: "broker \(number)", under: ["nats-server"], isProgram: false)
    }

    /// Kills the first server at once, and lets `body` run while it is gone. It comes back with what it had on its disk.
    func isGone(_ body: () async throws -> Void) async throws {
        servers[0].child.send(SIGKILL)
        _ = try await servers[0].exitCode()
        try await body()
        for name in try FileManager.default.contentsOfDirectory(atPath: "\(folder)/ports1") {
            try FileManager.default.removeItem(atPath: "\(folder)/ports1/\(name)")
        }
        servers[0] = try run(1)
        ports[0] = try await ports(of: 1)
    }

    private func ports(of number: Int) async throws -> Ports {
        let server = servers[number - 1]
        return try await eventually("broker \(number) has its ports") {
            if let code = server.child.exitCode { throw NeverHappened(what: "the broker ended with \(code)") }
            let names = try FileManager.default.contentsOfDirectory(atPath: "\(self.folder)/ports\(number)")
            guard let name = names.first(where: { $0.hasSuffix(".ports") }) else { return nil }
            let data = try Data(contentsOf: URL(filePath: "\(self.folder)/ports\(number)/\(name)"))
            return data.isEmpty ? nil : try JSONDecoder().decode(Ports.self, from: data)
        }
    }

    /// What `--url` takes.
    var url: String { doors.map { "nats://127.0.0.1:\($0)" }.joined(separator: ",") }

    private struct Account: Decodable {
        struct Detail: Decodable {
            struct Stream: Decodable {
                struct State: Decodable {
                    let messages: Int
                }
                let name: String
                let state: State
            }
            let streams: [Stream]?

            enum CodingKeys: String, CodingKey {
                case streams = "stream_detail"
            }
        }
        let accounts: [Detail]?

        enum CodingKeys: String, CodingKey {
            case accounts = "account_details"
        }
    }

    /// Messages of each stream, as the server counts them.
    func messages() async throws -> [String: Int] {
        let url = try #require(URL(string: "\(ports[0].monitoring[0])/jsz?streams=1"))
        let (data, _) = try await URLSession.shared.data(from: url)
        let streams = try JSONDecoder().decode(Account.self, from: data).accounts?.first?.streams ?? []
        return Dictionary(uniqueKeysWithValues: streams.map { ($0.name, $0.state.messages) })
    }

    func count() async throws -> Int { try await messages().values.reduce(0, +) }
}
