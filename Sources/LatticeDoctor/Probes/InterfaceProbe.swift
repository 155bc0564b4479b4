import Glibc
import LatticeDiscovery

enum InterfaceProbe {
    static func run() -> [InterfaceFact] {
        let kinds = Netlink.kinds()
        return InterfaceReader.read().map { interface in
            InterfaceFact(
                name: interface.name, index: interface.index,
                kind: kind(interface, kinds[interface.index]), isUp: interface.isUp,
                carriesMulticast: interface.carriesMulticast,
                v4: interface.addresses.filter { $0.family == .v4 }.map(\.text),
                v6: interface.addresses.filter { $0.family == .v6 }.map(\.text))
        }
    }

    private static func kind(_ interface: NetworkInterface, _ kind: String?) -> InterfaceFact.Kind {
        if interface.isLoopback { return .loopback }
        switch kind {
        case "bridge": return .bridge
        case "tun", "wireguard", "ppp", "ipip", "sit", "gre", "vti", "xfrm", "ip6tnl": return .tunnel
        default: return interface.isPointToPoint ? .tunnel : .ordinary
        }
    }

    static func defaultInterface() -> String? {
        defaultInterface(routes: ProcFile.read("/proc/net/route", 1 << 20))
            ?? defaultInterface(routes6: ProcFile.read("/proc/net/ipv6_route", 1 << 20))
    }

    /// WireGuard and OpenVPN add two half-range routes, which take precedence over the default route.
    static func defaultInterface(routes: String) -> String? {
        var whole: (name: String, metric: Int)?
        for line in routes.split(separator: "\n").dropFirst() {
            // Iface, destination, gateway, flags, refcount, use, metric, mask: numbers in host byte order.
            let columns = line.split(whereSeparator: { $0 == "\t" || $0 == " " }).map(String.init)
            guard columns.count > 7, let flags = Int(columns[3], radix: 16), flags & 1 != 0 else { continue }
            let (destination, mask) = (UInt32(columns[1], radix: 16), UInt32(columns[7], radix: 16))
            if destination == 0, mask.map({ UInt32(littleEndian: $0) }) == 0x80 { return columns[0] }
            guard destination == 0, mask == 0 else { continue }
            let metric = Int(columns[6]) ?? 0
            if whole.map({ metric < $0.metric }) ?? true { whole = (columns[0], metric) }
        }
        return whole?.name
    }

    static func defaultInterface(routes6: String) -> String? {
        for line in routes6.split(separator: "\n") {
            let columns = line.split(separator: " ").map(String.init)
            // Destination, its length, source, its length, next hop, metric, refcount, use, flags, device; RTF_UP and
            // RTF_GATEWAY.
            guard columns.count == 10, columns[1] == "00", columns[0].allSatisfy({ $0 == "0" }),
                let flags = UInt32(columns[8], radix: 16), flags & 3 == 3, columns[9] != "lo"
            else { continue }
            return columns[9]
        }
        return nil
    }

    /// Docker and Podman create these files.
    static func isContainer() -> Bool { access("/.dockerenv", F_OK) == 0 || access("/run/.containerenv", F_OK) == 0 }
}
