import LatticeConcurrency
import LatticeCore
import Logging
import Testing

@testable import LatticeDiscovery

/// The real stack, kept to the loopback interface so that nothing reaches a network.
@Suite("Over real multicast on loopback")
struct LoopbackTests {
    private func discovery(_ name: String, peer: UInt64, port: UInt16, mode: DiscoveryMode) throws -> Discovery {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let advertisement = try advertisement(name, peer: peer, port: port)
        return Discovery(mode: mode, interface: "lo", advertisement: advertisement, logger: logger)
    }

    @Test(.timeLimit(.minutes(10)))
    func twoPeersOfOneNameFindEachOtherAndTakeLeave() async throws {
        // Chosen anew for each run, so that two runs at once on one machine do not meet.
        var generator = SystemRandomNumberGenerator()
        let peer = UInt64.random(in: 1...UInt64.max / 2, using: &generator)
        let stays = try discovery("alice", peer: peer, port: 4_001, mode: .embedded)
        let leaves = try discovery("alice", peer: peer + 1, port: 4_002, mode: .embedded)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await stays.run() }
            let guest = Task { await leaves.run() }
            for await event in leaves.events {
                guard case .found(let sighting) = event, sighting.peer == PeerPrefix(peer) else { continue }
                #expect(sighting.address == PeerAddress(host: "127.0.0.1", port: 4_001))
                break
            }
            for await event in stays.events {
                guard case .found(let sighting) = event, sighting.peer == PeerPrefix(peer + 1) else { continue }
                guest.cancel()
                break
            }
            await guest.value
            for await event in stays.events {
                guard case .lost(let sighting) = event, sighting.peer == PeerPrefix(peer + 1) else { continue }
                #expect(sighting.address == PeerAddress(host: "127.0.0.1", port: 4_002))
                break
            }
            group.cancelAll()
        }
    }

    /// The one who is found never probes for a name.
    @Test(.timeLimit(.minutes(10)))
    func whoIsAnnouncedEarlyIsFoundByThatAlone() throws {
        var generator = SystemRandomNumberGenerator()
        let peer = UInt64.random(in: 1...UInt64.max / 2, using: &generator)
        let index = try #require(InterfaceReader.read().first { $0.name == "lo" }).index
        let loopback = PublishedAddress(
            interface: index, address: InterfaceAddress(family: .v4, text: "127.0.0.1"))
        func order(_ name: String, _ peer: UInt64, port: UInt16) throws -> Order {
            let advertisement = try advertisement(name, peer: peer, port: port)
            return Order(
                advertisement: advertisement, interface: .only(name: "lo", index: index), addresses: [loopback])
        }
        let alice = Orders(try order("alice", peer, port: 4_001))
        let advertised = alice.take().advertisement
        DedicatedThread.start {
            defer { alice.end.wake() }
            let host = advertised.hostLabel(attempt: 0)
            do throws(AvahiError) {
                let stack = try AvahiStack(hostLabel: host, interface: "lo", wakeDescriptor: alice.news.descriptor)
                try stack.publish(loopback, hostName: host + ".local")
                try stack.announce(EarlyAnnouncement(advertised, host: DNSName(text: host + ".local"), by: .embedded))
                while !alice.take().isEnding { _ = try stack.iterate(milliseconds: -1) }
            } catch {
                Issue.record("\(error.reason)")
            }
        }
        defer {
            alice.change { $0.isEnding = true }
            alice.end.wait(millisecondsMax: -1)
        }
        let bob = Orders(try order("bob", peer + 1, port: 4_002))
        let station = try EmbeddedStation(bob.take(), wakeDescriptor: bob.news.descriptor)
        var found: (ServiceInstance, InstanceAnswer)?
        while found == nil {
            for case .seen(let instance, let answer) in try station.iterate()
            where answer.txt == advertised.txt { found = (instance, answer) }
        }
        #expect(found?.0.name == "alice [\(advertised.peer)]")
        #expect(found?.1.address == PeerAddress(host: "127.0.0.1", port: 4_001))
    }

    @Test(.timeLimit(.minutes(10)))
    func switchedOffItFindsNothingAndEnds() async throws {
        let off = try discovery("alice", peer: 1, port: 4_000, mode: .off)
        let run = Task { await off.run() }
        run.cancel()
        await run.value
        for await event in off.events { Issue.record("unexpected \(event)") }
    }
}
