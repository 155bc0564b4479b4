import Testing

@testable import LatticeDoctor

/// What the kernel and the daemon write down, as the probes read it.
@Suite struct TableTests {
    @Test func settingsOfTheDaemon() {
        let text = """
            # comment
            [server]
            allow-interfaces = eth0, eth1
            ;deny-interfaces=eth0
            deny-interfaces=docker0
            use-ipv6=no
            disallow-other-stacks=yes
            enable-dbus=warn
            nonsense
            =
            """
        let settings = AvahiSettings(parsing: text)
        #expect(settings.allowed == ["eth0", "eth1"] && settings.denied == ["docker0"])
        #expect(settings.usesV4 && !settings.usesV6 && settings.refusesOthers && settings.hasBus)
        #expect(settings.allows("eth1") && !settings.allows("wlan0") && !settings.allows("docker0"))
        #expect(AvahiSettings(parsing: "") == AvahiSettings())
        #expect(!AvahiSettings(parsing: "enable-dbus=no").hasBus)
    }

    @Test func whoHasAPort() {
        let head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
        let table =
            head
            + "  12: 00000000:14E9 00000000:0000 07 00000000:00000000 00:00000000 00000000   108        0 4711 2 0\n"
            + "  13: 0100007F:0035 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 4712 2 0\n"
            + "broken\n"
        #expect(ProcessTable.inodes(in: table, port: 5_353, isTCP: false) == ["4711"])
        // Of TCP only what listens.
        #expect(ProcessTable.inodes(in: table, port: 5_353, isTCP: true).isEmpty)
        #expect(ProcessTable.inodes(in: "", port: 5_353, isTCP: false).isEmpty)
    }

    @Test func theWayToTheRestOfTheWorld() {
        let head = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
        let whole = "wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0\n"
        let better = "eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0\n"
        let half = "tun0\t00000000\t0100080A\t0003\t0\t0\t0\t00000080\t0\t0\t0\n"
        let local = "eth0\t0001A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0\n"
        #expect(InterfaceProbe.defaultInterface(routes: head + local) == nil)
        #expect(InterfaceProbe.defaultInterface(routes: head + local + whole + better) == "eth0")
        // A VPN that leaves the whole alone and takes both halves.
        #expect(InterfaceProbe.defaultInterface(routes: head + better + half) == "tun0")
        let zero = String(repeating: "0", count: 32)
        let next = "fe800000000000000000000000000001"
        let six = "\(zero) 00 \(zero) 00 \(next) 00000400 00000001 00000000 00000003     eth1\n"
        let unreachable = "\(zero) 00 \(zero) 00 \(zero) ffffffff 00000001 00000000 00200200       lo\n"
        #expect(InterfaceProbe.defaultInterface(routes6: unreachable) == nil)
        #expect(InterfaceProbe.defaultInterface(routes6: unreachable + six) == "eth1")
    }

    @Test func whoIsNextDoor() {
        func neighbour(_ state: UInt8, _ host: UInt8) -> [UInt8] {
            [36, 0, 0, 0, 28, 0, 2, 0] + [UInt8](repeating: 0, count: 8)  // header: 36 bytes, RTM_NEWNEIGH
                + [2, 0, 0, 0, 2, 0, 0, 0, state, 0, 0, 1] + [8, 0, 1, 0, 192, 168, 1, host]
        }
        let bytes =
            neighbour(0x02, 8) + neighbour(0x20, 9) + neighbour(0x01, 10) + neighbour(0, 11) + neighbour(0x08, 12)
        let found = Netlink.neighbours(in: bytes)
        #expect(found.map(\.isThere) == [true, false, false, nil])
        #expect(found.map { $0.address.last } == [8, 9, 10, 12])
        for length in bytes.indices { #expect(Netlink.neighbours(in: Array(bytes.prefix(length))).count <= 4) }
    }

    @Test func whatKindALinkIs() {
        let body: [UInt8] = [0, 0, 1, 0, 7, 0, 0, 0] + [UInt8](repeating: 0, count: 8)
        let kind: [UInt8] = [16, 0, 18, 0, 11, 0, 1, 0] + Array("bridge".utf8) + [0, 0]
        let bytes: [UInt8] = [48, 0, 0, 0, 16, 0, 2, 0] + [UInt8](repeating: 0, count: 8) + body + kind
        #expect(Netlink.kinds(in: bytes) == [7: "bridge"])
        let port: [UInt8] =
            [40, 0, 0, 0, 16, 0, 2, 0] + [UInt8](repeating: 0, count: 8) + body + [8, 0, 10, 0, 9, 0, 0, 0]
        #expect(Netlink.kinds(in: port) == [7: "bridge"])
    }
}
