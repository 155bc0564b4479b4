import LatticeCore
import LatticeSocket
import NIOCore
import NIOPosix

/// Why listening failed; the description says what to do.
package enum ListenError: Error, Equatable, CustomStringConvertible {
    case portInUse(UInt16)
    case notAllowed(UInt16)
    case noInterface(String)
    case failed(String)

    package var description: String {
        switch self {
        case .portInUse(let port):
            "port \(port) is in use by another program; choose another one, or 0 for any free port"
        case .notAllowed(let port):
            "you may not listen on port \(port); choose 1024 or more, or 0 for any free port"
        case .noInterface(let name):
            "there is no network interface '\(name)'; run 'ip link' to list them"
        case .failed(let reason): "cannot listen for peers: \(reason)"
        }
    }
}

struct Listener: CarrierPort {
    let channel: NIOAsyncChannel<Arrival, Never>
    let port: UInt16
    let interface: InterfaceName?
    private let group: any EventLoopGroup

    var losesDatagram: (@Sendable (any Channel) -> Bool)? { nil }

    func accept(_ serve: @escaping @Sendable (Arrival) async -> Void) async throws {
        try await channel.executeThenClose { connections in
            try await withThrowingDiscardingTaskGroup { group in
                for try await arrival in connections {
                    group.addTask { await serve(arrival) }
                }
            }
        }
    }

    func dial(_ address: PeerAddress, timeout: Duration) async throws(DialEnd) -> any Channel {
        try await Dialler(timeout: timeout, interface: interface, group: group).connect(to: address)
    }

    static func bind(port: UInt16, interface: String?, group: any EventLoopGroup) async throws(ListenError) -> Listener
    {
        var name: InterfaceName?
        if let interface {
            guard let known = InterfaceName(interface) else { throw .noInterface(interface) }
            name = known
        }
        do {
            return try await bind(host: "::", port: port, interface: name, group: group)
        } catch let error as IOError where error.errnoCode == EAFNOSUPPORT || error.errnoCode == EADDRNOTAVAIL {
            // A machine without IPv6.
            do {
                return try await bind(host: "0.0.0.0", port: port, interface: name, group: group)
            } catch {
                throw listenError(error, port: port, interface: interface)
            }
        } catch {
            throw listenError(error, port: port, interface: interface)
        }
    }

    private static func bind(
        host: String, port: UInt16, interface: InterfaceName?, group: any EventLoopGroup
    ) async throws -> Listener {
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try interface?.bind(channel)
                    try channel.pipeline.syncOperations.addHandler(AcceptFaultHandler())
                }
            }
            .childChannelOption(.autoRead, value: false)
            .bind(to: SocketAddress(ipAddress: host, port: Int(port))) { child in
                child.eventLoop.makeSucceededFuture(Arrival(child))
            }
        let bound = UInt16(channel.channel.localAddress?.port ?? 0)
        return Listener(channel: channel, port: bound, interface: interface, group: group)
    }

    private static func listenError(_ error: any Error, port: UInt16, interface: String?) -> ListenError {
        if let error = error as? IOError, error.errnoCode == ENODEV { return .noInterface(interface ?? "") }
        let reason = AddressFault.Reason(error)
        switch reason {
        case .inUse: return .portInUse(port)
        case .notAllowed: return .notAllowed(port)
        case .notHere, .unknownHost, .other:
            return .failed(AddressFault(reason, at: "port \(port)").description)
        }
    }
}
