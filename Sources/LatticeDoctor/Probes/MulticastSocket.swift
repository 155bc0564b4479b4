import Glibc
import LatticeDiscovery

struct SocketFault: Error, Hashable {
    let code: Int32

    init(_ code: Int32 = errno) { self.code = code }

    var text: String { String(cString: strerror(code)) }
}

/// A UDP multicast socket on one interface, IPv4 or IPv6; closed on `deinit`.
// Safety: structures and buffers are lent to the system for the length of a call, with their true sizes; an address is
// read as the family of the socket, from a structure that is large enough for either.
final class MulticastSocket {
    /// RFC 6762 section 3.
    static let port: UInt16 = 5353
    private static let group4 = "224.0.0.251"
    private static let group6 = "ff02::fb"
    // Not in this C library's headers (linux/in.h, linux/in6.h). Off means that only groups joined by this socket are
    // received.
    private static let multicastAll4: Int32 = 49
    private static let multicastAll6: Int32 = 29

    let descriptor: Int32
    let isV6: Bool
    private let index: UInt32

    /// - Parameters:
    ///   - index: the kernel's interface index.
    ///   - port: the port to bind; 0 lets the system choose.
    ///   - joins: whether to join the multicast group.
    init(interface index: UInt32, isV6: Bool, port: UInt16, joins: Bool) throws(SocketFault) {
        self.isV6 = isV6
        self.index = index
        descriptor = socket(
            isV6 ? AF_INET6 : AF_INET,
            Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue),
            0)
        guard descriptor >= 0 else { throw SocketFault() }
        try set(SOL_SOCKET, SO_REUSEADDR, 1)
        try set(SOL_SOCKET, SO_REUSEPORT, 1)
        if isV6 { try prepare6(joins) } else { try prepare4(joins) }
        var address = Self.address(isV6: isV6, host: nil, port: port, index: 0)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, Self.length(isV6: isV6))
            }
        }
        guard result == 0 else { throw SocketFault() }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    var boundPort: UInt16 {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return result == 0 ? Self.host(of: address, isV6: isV6).port : 0
    }

    /// Sends to the multicast group; members on this machine receive it, too.
    func send(_ bytes: [UInt8], port: UInt16 = MulticastSocket.port) throws(SocketFault) {
        var address = Self.address(isV6: isV6, host: isV6 ? Self.group6 : Self.group4, port: port, index: index)
        let count = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, 0, $0, Self.length(isV6: isV6))
            }
        }
        guard count == bytes.count else { throw SocketFault() }
    }

    /// - Returns: a datagram and its source address; `nil` if none is waiting.
    func receive() -> (bytes: [UInt8], host: String)? {
        var buffer = [UInt8](repeating: 0, count: DNSMessage.bytesMax)
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let count = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                recvfrom(descriptor, &buffer, buffer.count, 0, $0, &length)
            }
        }
        guard count >= 0 else { return nil }
        return (Array(buffer[..<count]), Self.host(of: address, isV6: isV6).text)
    }

    private func prepare4(_ joins: Bool) throws(SocketFault) {
        let level = Int32(IPPROTO_IP)
        var request = ip_mreqn()
        request.imr_ifindex = Int32(index)
        inet_pton(AF_INET, Self.group4, &request.imr_multiaddr)
        try set(level, IP_MULTICAST_IF, request)
        try set(level, IP_MULTICAST_LOOP, 1)
        try set(level, IP_MULTICAST_TTL, 255)
        try set(level, Self.multicastAll4, 0)
        if joins { try set(level, IP_ADD_MEMBERSHIP, request) }
    }

    private func prepare6(_ joins: Bool) throws(SocketFault) {
        let level = Int32(IPPROTO_IPV6)
        var request = ipv6_mreq()
        request.ipv6mr_interface = index
        inet_pton(AF_INET6, Self.group6, &request.ipv6mr_multiaddr)
        try set(level, IPV6_V6ONLY, 1)
        try set(level, IPV6_MULTICAST_IF, Int32(index))
        try set(level, IPV6_MULTICAST_LOOP, 1)
        try set(level, IPV6_MULTICAST_HOPS, 255)
        do {
            try set(level, Self.multicastAll6, 0)
        } catch {
            // Kernels before 4.20 lack this option; the socket then also receives groups that others on this machine
            // have joined.
        }
        guard joins else { return }
        let size = socklen_t(MemoryLayout<ipv6_mreq>.size)
        guard setsockopt(descriptor, level, IPV6_JOIN_GROUP, &request, size) == 0 else { throw SocketFault() }
    }

    private func set<Value: BitwiseCopyable>(_ level: Int32, _ name: Int32, _ value: Value) throws(SocketFault) {
        var value = value
        guard setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Value>.size)) == 0 else {
            throw SocketFault()
        }
    }

    private func set(_ level: Int32, _ name: Int32, _ value: Int) throws(SocketFault) {
        try set(level, name, Int32(value))
    }

    private static func length(isV6: Bool) -> socklen_t {
        socklen_t(isV6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
    }

    private static func address(isV6: Bool, host: String?, port: UInt16, index: UInt32) -> sockaddr_storage {
        var storage = sockaddr_storage()
        withUnsafeMutableBytes(of: &storage) { bytes in
            if isV6 {
                var address = sockaddr_in6()
                address.sin6_family = sa_family_t(AF_INET6)
                address.sin6_port = port.bigEndian
                address.sin6_scope_id = index
                if let host { inet_pton(AF_INET6, host, &address.sin6_addr) }
                bytes.storeBytes(of: address, as: sockaddr_in6.self)
            } else {
                var address = sockaddr_in()
                address.sin_family = sa_family_t(AF_INET)
                address.sin_port = port.bigEndian
                if let host { inet_pton(AF_INET, host, &address.sin_addr) }
                bytes.storeBytes(of: address, as: sockaddr_in.self)
            }
        }
        return storage
    }

    private static func host(of storage: sockaddr_storage, isV6: Bool) -> (text: String, port: UInt16) {
        withUnsafeBytes(of: storage) { bytes in
            // Family and port, then the address: for IPv6 after four bytes of flow label.
            let port = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
            let address = isV6 ? Array(bytes[8..<24]) : Array(bytes[4..<8])
            return (InterfaceReader.text(ofAddress: address) ?? "", port)
        }
    }
}
