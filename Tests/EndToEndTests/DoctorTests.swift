import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// Each cause for which nothing appears, provoked and recognised.
    @Suite(
        .timeLimit(.minutes(10)), .enabled(if: Lab.isPossible && Lab.has("nft"), "this needs root, iproute2, nftables"))
    struct DoctorTests {
        private static let embedded = ["--discovery", "embedded"]
        private static let port = ["--port", "4444"]

        /// Bob is announced on host b, at a port that is known, once somebody on host a sees him.
        private func bob(_ stage: Stage, _ arguments: [String] = []) async throws -> Peer {
            let bob = try stage.start("bob", on: "b", Self.embedded + Self.port + arguments)
            try await bob.ready()
            return bob
        }

        // MARK: - Nothing is in the way

        @Test func whoIsWellIsToldSoAndWhoIsAlone() async throws {
            try await inLab("pair") { stage, _ in
                let alone = try await stage.examine("alice", on: "a")
                #expect(alone.verdict == "alone" && alone.causes.isEmpty)
                #expect(alone.codes.contains("nothingRuns"))
                #expect(alone.state(of: "multicast") == "good")
                let bob = try await bob(stage)
                let alice = try stage.start("alice", on: "a", Self.embedded)
                try await alice.connected(to: bob)
                let well = try await stage.examine("alice", on: "a", until: [])
                #expect(well.verdict == "well" && well.causes.isEmpty, "\(well)")
                #expect(well.message.contains("bob"))
                #expect(["others", "peers", "node", "clock"].allSatisfy { well.state(of: $0) == "good" }, "\(well)")
            }
        }

        @Test func itChangesNothingAndNeedsNobody() async throws {
            try await inLab("pair") { stage, _ in
                let folder = "\(stage.folder)/nobody"
                _ = try await stage.examine("alice", on: "a", ["--data-dir", folder])
                #expect(!FileManager.default.fileExists(atPath: folder))
            }
        }

        // MARK: - The network

        @Test func noNetworkAndNoWay() async throws {
            try await inLab("pair") { stage, lab in
                let away = try await stage.examine("alice", on: "a", ["--peer", "192.0.2.1:4444"])
                #expect(away.causes == ["noWay"])
                #expect(away.message.contains("192.0.2.1:4444"))
                try await lab.run("a", "ip", "link", "set", "eth0", "down")
                let down = try await stage.examine("alice", on: "a")
                #expect(down.causes == ["noInterface"])
                #expect(down.message.contains("eth0"))
                let chosen = try await stage.examine("alice", on: "a", ["--interface", "eth7"])
                #expect(chosen.causes == ["interfaceMissing"])
                try await lab.run("a", "ip", "link", "set", "eth0", "multicast", "off", "up")
                let deaf = try await stage.examine("alice", on: "a")
                #expect(deaf.causes == ["noMulticast"])
            }
        }

        @Test func aNetworkWithoutARouterAndAVPN() async throws {
            try await inLab("pair") { stage, lab in
                try await lab.run("a", "ip", "addr", "flush", "dev", "eth0")
                try await lab.run("a", "ip", "addr", "add", "169.254.3.4/16", "dev", "eth0")
                #expect(try await stage.examine("alice", on: "a").causes == ["linkLocalOnly"])
                try await lab.run("a", "ip", "addr", "add", "10.77.1.1/24", "dev", "eth0")
                // A TUN device without a process that holds it has no carrier.
                let script =
                    "open(my $tun, '+<', '/dev/net/tun') or die; my $name = pack('a16 s x22', 'tun9', 0x1001); "
                    + "ioctl($tun, 0x400454ca, $name) or die; $| = 1; print \"ready\\n\"; <STDIN>"
                let tunnel = try stage.run(["perl", "-e", script], on: "a", isProgram: false)
                try await eventually("the tunnel is there") { tunnel.output.text == "ready\n" }
                try await lab.run("a", "ip", "addr", "add", "10.8.0.2/24", "dev", "tun9")
                try await lab.run("a", "ip", "link", "set", "tun9", "up")
                try await lab.run("a", "ip", "route", "add", "default", "dev", "tun9")
                #expect(try await stage.examine("alice", on: "a").causes == ["vpn"])
            }
        }

        @Test func aBridgeBetweenContainers() async throws {
            try await inLab("pair") { stage, lab in
                try await lab.run("a", "ip", "link", "set", "eth0", "down")
                try await lab.run("a", "ip", "link", "add", "docker9", "type", "bridge")
                try await lab.run("a", "ip", "link", "add", "one", "type", "veth", "peer", "name", "other")
                try await lab.run("a", "ip", "link", "set", "one", "master", "docker9", "up")
                try await lab.run("a", "ip", "link", "set", "other", "addrgenmode", "none", "up")
                try await lab.run("a", "ip", "addr", "add", "172.17.0.1/16", "dev", "docker9")
                try await lab.run("a", "ip", "link", "set", "docker9", "up")
                let found = try await stage.examine("alice", on: "a", until: ["bridgeOnly"])
                #expect(found.causes == ["bridgeOnly"], "\(found)")
            }
        }

        @Test(arguments: [("input", "multicastLost"), ("output", "multicastForbidden")])
        func aFirewallHereThatDropsMulticast(hook: String, expected: String) async throws {
            try await inLab("pair") { stage, lab in
                try await lab.filter("a", hook, "udp dport 5353 drop")
                let found = try await stage.examine("alice", on: "a")
                #expect(found.causes == [expected])
                #expect(found.findings[0].remedy?.contains("5353") == true)
            }
        }

        @Test func aFirewallThereIsToldFromNetworksThatKeepTheirDevicesApart() async throws {
            try await inLab("pair") { stage, lab in
                _ = try await bob(stage)
                try await lab.filter("b", "input", "tcp dport 4444 drop")
                let dropped = try await stage.examine("alice", on: "a", until: ["firewall"])
                #expect(dropped.causes == ["firewall"], "\(dropped)")
                #expect(dropped.message.contains("bob"))
                try await lab.run("b", "nft", "delete table inet doctor")
                try await lab.filter("b", "input", "tcp dport 4444 reject with icmpx type admin-prohibited")
                let rejected = try await stage.examine("alice", on: "a", until: ["firewall"])
                #expect(rejected.causes == ["firewall"], "\(rejected)")
                try await lab.run("b", "nft", "delete table inet doctor")
                let well = try await stage.examine("alice", on: "a", until: [])
                #expect(well.verdict == "well", "\(well)")
                // Nobody listens at that port any more.
                let closed = try await stage.examine(
                    "alice", on: "a", ["--peer", "10.77.1.2:4445"], until: ["closedPort"])
                #expect(closed.causes == ["closedPort"])
            }
        }

        @Test func clientIsolation() async throws {
            try await inLab("pair") { stage, lab in
                _ = try await bob(stage)
                // What is said to all passes, as many access points have it.
                try await lab.keepApart("b")
                let apart = try await stage.examine("alice", on: "a", until: ["isolated"])
                #expect(apart.causes == ["isolated"], "\(apart)")
                #expect(apart.message.contains("bob"))
            }
            try await inLab("pair") { stage, lab in
                // Nothing passes at all: a person names the address.
                try await lab.isolate("a", "b")
                let found = try await stage.examine(
                    "alice", on: "a", ["--peer", "10.77.1.2:4444"], until: ["isolated"])
                #expect(found.causes == ["isolated"], "\(found)")
            }
        }

        // MARK: - Who holds the mDNS port

        @Test func anotherStackThatKeepsThePortToItself() async throws {
            try await inLab("pair") { stage, _ in
                let script =
                    "my $s = IO::Socket::INET->new(LocalPort => 5353, Proto => 'udp') or die; $| = 1; print \"ready\\n\"; <STDIN>"
                let other = try stage.run(["perl", "-MIO::Socket::INET", "-e", script], on: "a", isProgram: false)
                try await eventually("the port is taken") { other.output.text == "ready\n" }
                let found = try await stage.examine("alice", on: "a")
                #expect(found.causes == ["mdnsPortHeld"])
                #expect(found.message.contains("perl"))
            }
        }

        @Test(.enabled(if: Lab.hasAvahi, "this needs avahi-daemon and dbus"))
        func aServiceOfTheMachineThatIsWellStoppedOrGone() async throws {
            try await inLab("pair") { stage, lab in
                try await lab.avahi("a", "start")
                let well = try await stage.examine("alice", on: "a")
                #expect(well.verdict == "alone" && well.state(of: "responder") == "good", "\(well)")
                let signal = "kill -$1 $(cut -d ' ' -f 1 \"${XDG_DATA_HOME%/home/data}/avahi.pid\")"
                try await lab.run("a", "sh", "-ec", signal, "sh", "STOP")
                let stopped = try await stage.examine("alice", on: "a")
                try await lab.run("a", "sh", "-ec", signal, "sh", "CONT")
                #expect(stopped.causes == ["daemonSilent"], "\(stopped)")
                try await lab.avahi("a", "stop")
                #expect(try await stage.examine("alice", on: "a").causes.isEmpty)
                let wanted = try await stage.examine("alice", on: "a", ["--discovery", "system"])
                #expect(wanted.causes == ["daemonAbsent"], "\(wanted)")
            }
        }

        @Test(.enabled(if: Lab.hasAvahi, "this needs avahi-daemon and dbus"))
        func aServiceOfTheMachineThatLeavesOutTheNetworkOrWantsNoOther() async throws {
            try await inLab("pair") { stage, lab in
                // The bus stays.
                try await lab.avahi("a", "start")
                try await lab.avahi("a", "stop")
                let path = "\(stage.folder)/avahi.conf"
                func daemon(_ settings: String) async throws -> Peer {
                    try "[server]\nenable-dbus=yes\n\(settings)\n".write(
                        toFile: path, atomically: true, encoding: .utf8)
                    let daemon = try stage.run(
                        [
                            "avahi-daemon", "-f", path, "--no-drop-root", "--no-chroot", "--no-rlimits",
                            "--no-proc-title",
                        ], as: "avahi", on: "a", isProgram: false)
                    try await eventually("the daemon is up") { daemon.error.text.contains("startup complete") }
                    return daemon
                }
                let shut = try await daemon("allow-interfaces=lo")
                let restricted = try await stage.examine("alice", on: "a")
                #expect(restricted.causes == ["daemonRestricted"], "\(restricted)")
                #expect(restricted.findings[0].remedy?.contains(path) == true)
                shut.child.send(SIGTERM)
                try await shut.exitCode()
                _ = try await daemon("disallow-other-stacks=yes")
                let alone = try await stage.examine("alice", on: "a", Self.embedded)
                #expect(alone.causes == ["daemonAlone"], "\(alone)")
                // Through the daemon itself all is well.
                #expect(try await stage.examine("alice", on: "a").causes.isEmpty)
            }
        }
    }
}
