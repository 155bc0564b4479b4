import LatticeCore
import Testing

@testable import LatticeDiscovery

@Suite("From announcements to sightings")
struct SightingTableTests {
    private var table = SightingTable(source: .system, ownPeer: PeerPrefix(0xA))

    private mutating func seen(_ instance: ServiceInstance, _ answer: InstanceAnswer) -> [DiscoveryEvent] {
        var events: [DiscoveryEvent] = []
        table.seen(instance, answer, into: &events)
        return events
    }

    private mutating func gone(_ instance: ServiceInstance) -> [DiscoveryEvent] {
        var events: [DiscoveryEvent] = []
        table.gone(instance, into: &events)
        return events
    }

    @Test mutating func aPeerOnTwoInterfacesIsFoundOnceAndLostOnce() {
        let bob = sighting(peer: 0xB, name: "bob")
        #expect(seen(instance("bob", on: 1), answer(peer: 0xB)) == [.found(bob)])
        #expect(seen(instance("bob", on: 2), answer(peer: 0xB)) == [])
        #expect(seen(instance("bob", on: 2), answer(peer: 0xB)) == [])
        #expect(gone(instance("bob", on: 1)) == [])
        #expect(gone(instance("bob", on: 2)) == [.lost(bob)])
        #expect(gone(instance("bob", on: 2)) == [])
        #expect(seen(instance("bob", on: 2), answer(peer: 0xB)) == [.found(bob)])
    }

    @Test mutating func whatWeAnnounceOurselvesIsNotTold() {
        #expect(seen(instance("alice"), answer(peer: 0xA)) == [])
        #expect(table.peerCount == 0)
    }

    @Test mutating func aPeerBackOnAnotherPortIsLostAndFound() {
        _ = seen(instance("bob"), answer(peer: 0xB, port: 1))
        #expect(
            seen(instance("bob"), answer(peer: 0xB, port: 2)) == [
                .lost(sighting(peer: 0xB, name: "bob", port: 1)), .found(sighting(peer: 0xB, name: "bob", port: 2)),
            ])
    }

    @Test mutating func anotherMeshAtTheSameAddressIsNews() {
        _ = seen(instance("bob"), answer(peer: 0xB))
        #expect(
            seen(instance("bob"), answer(peer: 0xB, mesh: "00000001")) == [
                .lost(sighting(peer: 0xB, name: "bob")), .found(sighting(peer: 0xB, name: "bob", mesh: 1)),
            ])
    }

    @Test mutating func anotherNameIsNoNews() {
        _ = seen(instance("bob"), answer(peer: 0xB))
        #expect(seen(instance("robert"), answer(peer: 0xB)) == [])
        #expect(gone(instance("bob")) == [])
        #expect(gone(instance("robert")) == [.lost(sighting(peer: 0xB, name: "bob"))])
    }

    @Test mutating func whoIsSeenEarlyStaysInSightByTheNameThatWasProbedFor() {
        let early = instance("bob (000000000000000b)")
        #expect(seen(early, answer(peer: 0xB)) == [.found(sighting(peer: 0xB, name: "bob"))])
        #expect(seen(instance("bob"), answer(peer: 0xB)) == [])
        #expect(gone(early) == [])
        #expect(gone(instance("bob")) == [.lost(sighting(peer: 0xB, name: "bob"))])
    }

    /// A long name has no room in front of the id.
    @Test mutating func aNameThatWasCutIsToldWhole() {
        let (early, whole) = (instance("robe (000000000000000b)"), instance("robert"))
        #expect(seen(early, answer(peer: 0xB)) == [.found(sighting(peer: 0xB, name: "robe"))])
        #expect(
            seen(whole, answer(peer: 0xB)) == [
                .found(sighting(peer: 0xB, name: "robert")), .lost(sighting(peer: 0xB, name: "robe")),
            ])
        #expect(seen(early, answer(peer: 0xB)) == [])
        #expect(gone(early) == [])
        #expect(gone(whole) == [.lost(sighting(peer: 0xB, name: "robert"))])
    }

    @Test mutating func aNameThatBecomesAnotherPeersIsTakenFromTheFirst() {
        _ = seen(instance("bob"), answer(peer: 0xB))
        #expect(
            seen(instance("bob"), answer(peer: 0xC)) == [
                .lost(sighting(peer: 0xB, name: "bob")), .found(sighting(peer: 0xC, name: "bob")),
            ])
    }

    @Test mutating func theFifthAddressTakesThePlaceOfOneThatIsLost() {
        for host in 1...4 {
            #expect(seen(instance("bob \(host)"), answer(peer: 0xB, host: "10.0.0.\(host)")).count == 1)
        }
        #expect(seen(instance("bob 5"), answer(peer: 0xB, host: "10.0.0.5")) == [])
        #expect(
            gone(instance("bob 2")) == [
                .lost(sighting(peer: 0xB, name: "bob 2", host: "10.0.0.2")),
                .found(sighting(peer: 0xB, name: "bob 5", host: "10.0.0.5")),
            ])
    }

    @Test(arguments: [
        [("mesh", "feedbeef")], [("id", "0123456789abcdef")], [("id", "123"), ("mesh", "feedbeef")],
        [("id", "0123456789abcdeg"), ("mesh", "feedbeef")], [("id", "0123456789abcdef"), ("mesh", "feedbee")],
        [("id", ""), ("mesh", "")],
    ])
    mutating func aRecordThatIsNotOursIsPassedOverAndCounted(pairs: [(String, String)]) {
        _ = seen(instance("bob"), answer(peer: 0xB))
        let odd = InstanceAnswer(txt: TXTRecord(pairs), address: PeerAddress(host: "10.0.0.1", port: 1))
        #expect(seen(instance("printer"), odd) == [])
        #expect(seen(instance("bob"), odd) == [.lost(sighting(peer: 0xB, name: "bob"))])
        #expect(table.refusedCount == 2)
    }

    @Test mutating func portZeroIsNoAddress() {
        #expect(seen(instance("bob"), answer(peer: 0xB, port: 0)) == [])
    }

    @Test mutating func morePeersThanTheLimitAreRefused() {
        for peer in 1...SightingTable.peerCountMax {
            _ = seen(instance("peer \(peer)"), answer(peer: UInt64(peer) << 8))
        }
        #expect(table.peerCount == SightingTable.peerCountMax)
        #expect(seen(instance("one more"), answer(peer: 0xB)) == [])
        #expect(gone(instance("peer 7")).count == 1)
        #expect(seen(instance("one more"), answer(peer: 0xB)) == [.found(sighting(peer: 0xB, name: "one more"))])
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    mutating func whatIsToldAlwaysAddsUp(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var told: Set<Sighting> = []
        var events: [DiscoveryEvent] = []
        for _ in 0..<300 {
            let which = instance("n\(Int.random(in: 0..<40, using: &generator))")
            if Int.random(in: 0..<3, using: &generator) == 0 {
                table.gone(which, into: &events)
            } else {
                let host = "10.0.0.\(Int.random(in: 0..<6, using: &generator))"
                let peer = UInt64.random(in: 0xA...0xE, using: &generator)
                let mesh = Bool.random(using: &generator) ? "feedbeef" : "00000001"
                table.seen(which, answer(peer: peer, mesh: mesh, host: host), into: &events)
            }
            apply(&events, to: &told)
            let perPeer = Dictionary(grouping: told, by: \.peer)
            #expect(perPeer.values.allSatisfy { $0.count <= SightingTable.addressCountMax })
            #expect(Set(told.map { "\($0.peer as PeerPrefix?) \($0.address)" }).count == told.count)
            #expect(!told.contains { $0.peer == PeerPrefix(0xA) })
        }
        table.clear(into: &events)
        apply(&events, to: &told)
        #expect(told.isEmpty)
        #expect(table.peerCount == 0)
    }

    private func apply(_ events: inout [DiscoveryEvent], to told: inout Set<Sighting>) {
        for event in events {
            switch event {
            case .found(let sighting): #expect(told.insert(sighting).inserted)
            case .lost(let sighting): #expect(told.remove(sighting) != nil)
            case .running, .stopped, .trouble, .recovered, .chosen: Issue.record("a table tells of sightings only")
            }
        }
        events = []
    }
}
