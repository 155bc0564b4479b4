import Glibc
import LatticeCore
import LatticeDiscovery

/// Queries everybody nearby, collects the replies, and tests whether multicast comes back. Announces nothing.
enum ListeningProbe {
    struct Outcome: Sendable {
        var echoes: [EchoFact] = []
        var port = ResponderFact.Port.shared
        var collector = SightingCollector()
    }

    /// IPv4 and IPv6 on eight interfaces; a guess at the most that personal machines have.
    private static let earsMax = 16
    /// Replies come within a fraction of a second (RFC 6762 section 6), but Wi-Fi loses packets.
    private static let askAgainAfter: Duration = .milliseconds(700)
    /// Limit on datagrams read before the clock is checked again.
    private static let datagramsPerTurnMax = 64

    /// One interface and address family.
    private final class Ear {
        let interface: InterfaceFact
        let isV6: Bool
        let hearing: MulticastSocket
        let asking: MulticastSocket
        let token: DNSName
        var echo: EchoFact.Outcome = .lost

        init(_ interface: InterfaceFact, isV6: Bool, port: UInt16, token: DNSName) throws(SocketFault) {
            self.interface = interface
            self.isV6 = isV6
            self.token = token
            hearing = try MulticastSocket(interface: interface.index, isV6: isV6, port: port, joins: true)
            asking = try MulticastSocket(interface: interface.index, isV6: isV6, port: 0, joins: false)
        }
    }

    /// Blocks the calling thread.
    ///
    /// - Parameters:
    ///   - interfaces: the interfaces to use.
    ///   - own: addresses of this machine.
    static func run(_ interfaces: [InterfaceFact], own: Set<String>, for time: Duration) -> Outcome {
        var outcome = Outcome()
        var ears: [Ear] = []
        for (interface, isV6) in ways(interfaces) {
            open(interface, isV6: isV6, into: &ears, &outcome)
        }
        let start = MonotonicClock.now()
        let end = start.advanced(by: time)
        var askAt = start
        while true {
            let now = MonotonicClock.now()
            guard now < end else { break }
            if askAt <= now {
                for ear in ears { ask(ear, outcome.collector, isShared: outcome.port == .shared) }
                askAt = now.advanced(by: askAgainAfter)
            }
            hear(ears, until: min(askAt, end), own: own, into: &outcome)
        }
        outcome.echoes += ears.map { EchoFact(interface: $0.interface.name, isV6: $0.isV6, outcome: $0.echo) }
        return outcome
    }

    private static func ways(_ interfaces: [InterfaceFact]) -> [(InterfaceFact, isV6: Bool)] {
        let all = interfaces.flatMap { interface -> [(InterfaceFact, isV6: Bool)] in
            // mDNS over IPv6 does not work on loopback.
            let hasV6 = !interface.v6.isEmpty && interface.kind != .loopback
            return (interface.v4.isEmpty ? [] : [(interface, false)]) + (hasV6 ? [(interface, true)] : [])
        }
        return Array(all.prefix(earsMax))
    }

    /// If the mDNS port is taken, another port can still test multicast.
    private static func open(
        _ interface: InterfaceFact, isV6: Bool, into ears: inout [Ear], _ outcome: inout Outcome
    ) {
        var dice = SystemRandomNumberGenerator()
        let token = DNSName(text: "lattice-doctor-\(String(dice.next(), radix: 36)).local")
        for port in [MulticastSocket.port, 0] {
            do throws(SocketFault) {
                ears.append(try Ear(interface, isV6: isV6, port: port, token: token))
                return
            } catch {
                if error.code == EADDRINUSE, port > 0 {
                    outcome.port = .held
                } else if port > 0 {
                    outcome.port = .refused(error.text)
                } else {
                    outcome.echoes.append(
                        EchoFact(interface: interface.name, isV6: isV6, outcome: .refused(error.text)))
                }
            }
        }
    }

    private static func ask(_ ear: Ear, _ collector: SightingCollector, isShared: Bool) {
        do throws(SocketFault) {
            if ear.echo != .heard {
                try ear.asking.send(DNSMessage.query([(ear.token, .a)]), port: ear.hearing.boundPort)
            }
            // Replies to the mDNS port are multicast; replies to another port come back to it alone (RFC 6762 section
            // 6.7).
            try (isShared ? ear.hearing : ear.asking).send(DNSMessage.query(collector.questions))
            if case .refused = ear.echo { ear.echo = .lost }
        } catch {
            if ear.echo != .heard { ear.echo = .refused(error.text) }
        }
    }

    private static func hear(_ ears: [Ear], until time: Instant, own: Set<String>, into outcome: inout Outcome) {
        var polled = ears.flatMap { [$0.hearing.descriptor, $0.asking.descriptor] }
            .map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let milliseconds = MonotonicClock.milliseconds(until: time, from: MonotonicClock.now())
        guard poll(&polled, nfds_t(polled.count), milliseconds) > 0 else { return }
        for ear in ears {
            for socket in [ear.hearing, ear.asking] {
                for _ in 0..<datagramsPerTurnMax {
                    guard let (bytes, host) = socket.receive() else { break }
                    take(bytes, from: host, by: ear, own: own, into: &outcome)
                }
            }
        }
    }

    private static func take(
        _ bytes: [UInt8], from host: String, by ear: Ear, own: Set<String>, into outcome: inout Outcome
    ) {
        do throws(DNSMessage.Fault) {
            let message = try DNSMessage(parsing: bytes)
            if message.questions.contains(ear.token) { ear.echo = .heard }
            outcome.collector.heard(message, from: host, scope: ear.interface.name, isOwn: own.contains(host))
        } catch {
            return  // A stranger's packet that is not mDNS.
        }
    }
}
