import LatticeCore
import NIOCore
import NIOPosix

struct Dialler {
    let timeout: Duration
    let interface: InterfaceName?
    let group: any EventLoopGroup

    func connect(to address: PeerAddress) async throws(DialEnd) -> any Channel {
        let interface = interface
        let bootstrap = ClientBootstrap(group: group)
            .connectTimeout(.nanoseconds(timeout.nanoseconds))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try interface?.bind(channel) }
            }
        do {
            if let numeric = try Self.numeric(address) {
                return try await bootstrap.connect(to: numeric).get()
            }
            return try await bootstrap.connect(host: address.host, port: Int(address.port)).get()
        } catch {
            throw Self.end(for: error, timeout: timeout)
        }
    }

    /// A numeric address needs no resolver. `getaddrinfo` parses one with a scope (`fe80::1%eth0`) without a query.
    private static func numeric(_ address: PeerAddress) throws -> SocketAddress? {
        if address.host.contains("%") {
            return try SocketAddress.makeAddressResolvingHost(address.host, port: Int(address.port))
        }
        do {
            return try SocketAddress(ipAddress: address.host, port: Int(address.port))
        } catch {
            return nil
        }
    }

    private static func end(for error: any Error, timeout: Duration) -> DialEnd {
        switch error {
        case let error as IOError: .noConnection(reason: String(cString: strerror(error.errnoCode)))
        case ChannelError.connectTimeout: .noAnswer(seconds: timeout.components.seconds)
        case let error as NIOConnectionError:
            if let first = error.connectionErrors.first {
                end(for: first.error, timeout: timeout)
            } else {
                .noHost(name: error.host)
            }
        case is SocketAddressError, is SocketAddressError.UnknownHost: .noHost(name: nil)
        default: .noConnection(reason: "\(error)")
        }
    }
}

extension PeerAddress {
    /// Writes an IPv4 address from an IPv6 socket as IPv4.
    init(_ address: SocketAddress?) {
        let host = address?.ipAddress ?? "unknown"
        let mapped = "::ffff:"
        let plain = host.hasPrefix(mapped) && host.contains(".") ? String(host.dropFirst(mapped.count)) : host
        self.init(host: plain, port: UInt16(clamping: address?.port ?? 0))
    }
}
