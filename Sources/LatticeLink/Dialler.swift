import LatticeCore
import NIOCore
import NIOPosix

/// Why an address was not reached, in a few words for a person.
struct DialError: Error, CustomStringConvertible {
    let description: String
}

struct Dialler {
    let timeout: Duration
    let interface: InterfaceName?
    let group: any EventLoopGroup

    func connect(to address: PeerAddress) async throws(DialError) -> any Channel {
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
            throw DialError(description: Self.words(for: error, timeout: timeout))
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

    private static func words(for error: any Error, timeout: Duration) -> String {
        switch error {
        case let error as IOError: String(cString: strerror(error.errnoCode))
        case ChannelError.connectTimeout: "no answer within \(timeout.components.seconds) s"
        case let error as NIOConnectionError:
            if let first = error.connectionErrors.first {
                words(for: first.error, timeout: timeout)
            } else {
                "no such host '\(error.host)'"
            }
        case is SocketAddressError, is SocketAddressError.UnknownHost: "no such host"
        default: "\(error)"
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
