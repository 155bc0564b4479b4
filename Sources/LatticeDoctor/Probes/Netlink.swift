import Glibc

/// Links and neighbours as the kernel reports them (rtnetlink(7)); needs no privileges.
enum Netlink {
    struct Neighbour: Hashable, Sendable {
        /// 4 or 16 bytes.
        let address: [UInt8]
        /// Whether the machine answers below IP; `nil` while the kernel checks one that answered before.
        let isThere: Bool?
    }

    // linux/rtnetlink.h, linux/netlink.h, linux/neighbour.h, linux/if_link.h
    private static let getLink: UInt16 = 18
    private static let newLink: UInt16 = 16
    private static let getNeighbour: UInt16 = 30
    private static let newNeighbour: UInt16 = 28
    private static let done: UInt16 = 3
    private static let failed: UInt16 = 2
    private static let headerBytes = 16

    /// The kind of each link, such as `wireguard`, `bridge` or `veth`. A plain card has none, and a port of a bridge
    /// counts as a bridge.
    static func kinds() -> [UInt32: String] { kinds(in: dump(getLink, bodyBytes: 16)) }

    static func neighbours() -> [Neighbour] { neighbours(in: dump(getNeighbour, bodyBytes: 12)) }

    static func kinds(in bytes: [UInt8]) -> [UInt32: String] {
        var kinds: [UInt32: String] = [:]
        for body in messages(newLink, in: bytes) where body.count >= 16 {
            let index = word32(body, 4)
            let all = attributes(body.dropFirst(16))
            for (type, data) in all where type == 18 {
                // IFLA_LINKINFO contains IFLA_INFO_KIND.
                let kind = attributes(data).first { $0.type == 1 }?.data.prefix { $0 != 0 }
                if let kind { kinds[index] = String(decoding: kind, as: UTF8.self) }
            }
            // IFLA_MASTER
            if all.contains(where: { $0.type == 10 }) { kinds[index] = "bridge" }
        }
        return kinds
    }

    static func neighbours(in bytes: [UInt8]) -> [Neighbour] {
        messages(newNeighbour, in: bytes).compactMap { body in
            guard body.count >= 12 else { return nil }
            let state = word16(body, 8)
            let address = attributes(body.dropFirst(12)).first { $0.type == 1 }?.data
            guard let address, address.count == 4 || address.count == 16 else { return nil }
            // NUD_NONE: nothing was tried yet.
            guard state != 0 else { return nil }
            return Neighbour(address: Array(address), isThere: isThere(state))
        }
    }

    private static func isThere(_ state: UInt16) -> Bool? {
        // NUD_INCOMPLETE, NUD_FAILED; NUD_STALE, NUD_DELAY, NUD_PROBE
        if state & 0x21 != 0 { return false }
        return state & 0x1C != 0 ? nil : true
    }

    private static func messages(_ wanted: UInt16, in bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var found: [ArraySlice<UInt8>] = []
        var offset = 0
        while offset + headerBytes <= bytes.count {
            let length = Int(word32(bytes[offset...], 0))
            let type = word16(bytes[offset...], 4)
            guard length >= headerBytes, offset + length <= bytes.count else { break }
            if type == wanted { found.append(bytes[offset + headerBytes..<offset + length]) }
            offset += (length + 3) & ~3
        }
        return found
    }

    private static func attributes(_ bytes: ArraySlice<UInt8>) -> [(type: UInt16, data: ArraySlice<UInt8>)] {
        var found: [(type: UInt16, data: ArraySlice<UInt8>)] = []
        var rest = bytes
        while rest.count >= 4 {
            let length = Int(word16(rest, 0))
            guard length >= 4, length <= rest.count else { break }
            // NLA_F_NESTED and NLA_F_NET_BYTEORDER are the bits above the type.
            found.append((word16(rest, 2) & 0x3FFF, rest[rest.startIndex + 4..<rest.startIndex + length]))
            rest = rest.dropFirst((length + 3) & ~3)
        }
        return found
    }

    /// Host byte order.
    private static func word16(_ bytes: ArraySlice<UInt8>, _ offset: Int) -> UInt16 {
        let start = bytes.startIndex + offset
        return UInt16(littleEndian: UInt16(bytes[start]) | UInt16(bytes[start + 1]) << 8)
    }

    private static func word32(_ bytes: ArraySlice<UInt8>, _ offset: Int) -> UInt32 {
        let start = bytes.startIndex + offset
        return UInt32(littleEndian: (0..<4).reduce(0) { $0 | UInt32(bytes[start + $1]) << (8 * UInt32($1)) })
    }

    /// Enough for a machine with a thousand links.
    private static let bytesMax = 4 << 20

    /// - Returns: the received messages, concatenated; empty if the kernel does not reply.
    // Safety: buffers and a structure are lent to the system for the length of a call, with their true sizes.
    private static func dump(_ type: UInt16, bodyBytes: Int) -> [UInt8] {
        let descriptor = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var patience = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        // nlmsghdr: length, type, NLM_F_REQUEST | NLM_F_DUMP, sequence, port; then a body that requests everything.
        let length = headerBytes + bodyBytes
        var request: [UInt8] = [UInt8(length), 0, 0, 0, UInt8(type), 0, 0x01, 0x03, 1, 0, 0, 0, 0, 0, 0, 0]
        request += [UInt8](repeating: 0, count: bodyBytes)
        guard send(descriptor, request, request.count, 0) == request.count else { return [] }
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while all.count < bytesMax {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count >= headerBytes else { return all }
            all += buffer[..<count]
            if hasEnded(buffer[..<count]) { return all }
        }
        return all
    }

    private static func hasEnded(_ bytes: ArraySlice<UInt8>) -> Bool {
        let part = Array(bytes)
        return !messages(done, in: part).isEmpty || !messages(failed, in: part).isEmpty
    }
}
