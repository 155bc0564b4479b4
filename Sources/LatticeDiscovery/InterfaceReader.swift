import Glibc

// Safety: the list from getifaddrs is read only between that call and freeifaddrs, and every string and address in it
// is copied into a Swift value; a sockaddr is read as the type that its own family names, and never when it is absent.
package enum InterfaceReader {
    /// A guess; a container host can have hundreds, which are of no use to us.
    static let interfaceCountMax = 64

    /// All interfaces, ordered by index; empty on failure.
    package static func read() -> [NetworkInterface] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var names: [String] = []
        var flags: [String: UInt32] = [:]
        var addresses: [String: [InterfaceAddress]] = [:]
        var next = first
        while let entry = next?.pointee {
            next = entry.ifa_next
            let name = String(cString: entry.ifa_name)
            if flags[name] == nil {
                guard names.count < interfaceCountMax else { continue }
                names.append(name)
            }
            flags[name] = entry.ifa_flags
            if let address = entry.ifa_addr.flatMap(address) { addresses[name, default: []].append(address) }
        }
        return names.compactMap { interface($0, flags: flags[$0] ?? 0, addresses: addresses[$0] ?? []) }
            .sorted { $0.index < $1.index }
    }

    /// The kernel's name of an interface, for the scope of a link-local address.
    static func name(ofIndex index: UInt32) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        guard if_indextoname(index, &buffer) != nil else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The text of an address of 4 or 16 bytes from a DNS record.
    package static func text(ofAddress bytes: [UInt8]) -> String? {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &buffer, socklen_t(buffer.count)) != nil else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func interface(_ name: String, flags: UInt32, addresses: [InterfaceAddress]) -> NetworkInterface? {
        let index = if_nametoindex(name)
        guard index > 0 else { return nil }
        func has(_ flag: Int) -> Bool { flags & UInt32(flag) != 0 }
        return NetworkInterface(
            name: name,
            index: index,
            isUp: has(IFF_UP) && has(IFF_RUNNING),
            isLoopback: has(IFF_LOOPBACK),
            carriesMulticast: has(IFF_MULTICAST) && !has(IFF_POINTOPOINT),
            isPointToPoint: has(IFF_POINTOPOINT),
            addresses: addresses
        )
    }

    private static func address(_ pointer: UnsafeMutablePointer<sockaddr>) -> InterfaceAddress? {
        let raw = UnsafeRawPointer(pointer)
        switch Int32(pointer.pointee.sa_family) {
        case AF_INET:
            let bytes = withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in.self).sin_addr) { Array($0) }
            return text(ofAddress: bytes).map { InterfaceAddress(family: .v4, text: $0) }
        case AF_INET6:
            let bytes = withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { Array($0) }
            return text(ofAddress: bytes).map { InterfaceAddress(family: .v6, text: $0) }
        default:
            return nil
        }
    }
}
