import Foundation
import NIOCore
import Testing

@testable import Lattice
@testable import LatticeTesting

/// Whole sessions that meet without sockets.
@Suite(.timeLimit(.minutes(10))) struct InMemoryTests {
    @Test func twoSessionsFindEachOtherAndTalk() async throws {
        let network = InMemoryNetwork(seed: 1)
        try await Meeting.of(["ada", "bob"], on: network) { sessions in
            let (ada, bob) = (sessions[0], sessions[1])
            let peer = try await Meeting.peer(bob, of: ada)
            #expect(peer.name == "bob")
            try await ada.send("hello".utf8, to: [peer])
            let message = try await Meeting.next(bob)
            #expect(String(decoding: message.bytes, as: UTF8.self) == "hello")
            #expect(try await message.peer == ada.me)
            #expect(message.hops == 1)
            try await bob.send([1, 2, 3], to: [message.peer])
            #expect(try await Meeting.next(ada).bytes == [1, 2, 3])
        }
    }

    @Test func muchGoesThroughAStreamUnharmed() async throws {
        let network = InMemoryNetwork(seed: 2)
        let content = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
        try await Meeting.of(["ada", "bob"], on: network) { sessions in
            let (ada, bob) = (sessions[0], sessions[1])
            let peer = try await Meeting.peer(bob, of: ada)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    let stream = try await ada.openStream(named: "copy", to: peer)
                    try await stream.write(content)
                    try await stream.finish()
                    for try await bytes in stream.inbound { Issue.record("\(bytes.count) bytes came back") }
                }
                for await stream in bob.streams {
                    var all: [UInt8] = []
                    for try await bytes in stream.inbound { all += bytes }
                    #expect(all == content)
                    try await stream.finish()
                    break
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func sixteenSessionsAreOneMesh() async throws {
        let network = InMemoryNetwork(seed: 3)
        try await Meeting.of((1...16).map { "peer\($0)" }, on: network) { sessions in
            try await Meeting.complete(sessions)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for session in sessions.dropFirst() {
                    let events = try await session.records.events
                    group.addTask {
                        for await event in events {
                            if case .line(let line) = event, line.text == "hello, all" { return }
                        }
                        throw Meeting.Ended()
                    }
                }
                _ = try await sessions[0].records.say("hello, all")
                try await group.waitForAll()
            }
        }
    }

    @Test func oneSeedMakesTheSameIdsAndAnotherOneOthers() async throws {
        let first = try await ids(["ada", "bob"], seed: 4)
        #expect(try await ids(["eve", "dan"], seed: 4) == first)
        #expect(Set(try await ids(["ada", "bob"], seed: 5) + first).count == 4)
    }

    private func ids(_ names: [String], seed: UInt64) async throws -> [PeerID] {
        var ids: [PeerID] = []
        try await Meeting.of(names, on: InMemoryNetwork(seed: seed)) { sessions in
            for session in sessions { ids.append(try await session.me.id) }
        }
        return ids
    }

    @Test func aFolderKeepsItsIdentityOnAnyNetwork() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lattice-\(UUID().uuidString)")
        defer {
            do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) }
        }
        var ids: [PeerID] = []
        for seed in [6, 7] as [UInt64] {
            let network = InMemoryNetwork(seed: seed)
            try await Meeting.of(["ada"], on: network, { $0.storage = .folder(folder) }) { sessions in
                ids.append(try await sessions[0].me.id)
            }
        }
        #expect(ids.count == 2 && ids[0] == ids[1])
    }

    // MARK: - Who reaches whom

    @Test func aPartitionAndItsHealingAreSeen() async throws {
        let network = InMemoryNetwork(seed: 8)
        try await Meeting.of(["ada", "bob"], on: network) { sessions in
            try await Meeting.complete(sessions)
            let (ada, bob) = (sessions[0], sessions[1])
            network.partition([[try await ada.me.id], [try await bob.me.id]])
            let toBob = try await Meeting.status(of: bob, for: ada) { $0.state != .connected }.peer
            try await Meeting.status(of: ada, for: bob) { $0.state != .connected }
            await expect(.noRoute) { try await ada.send([1], to: [toBob]) }
            network.heal()
            try await Meeting.complete(sessions)
            try await ada.send([2], to: [toBob])
            #expect(try await Meeting.next(bob).bytes == [2])
        }
    }

    /// Bytes are under way each time, and the way is open again before the event loop turns.
    @Test func aStreamGoesOnOverLinksThatBreakAndHealAtOnce() async throws {
        let network = InMemoryNetwork(seed: 17)
        let part = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
        try await Meeting.of(["ada", "bob"], on: network) { sessions in
            let (ada, bob) = (sessions[0], sessions[1])
            let peer = try await Meeting.peer(bob, of: ada)
            let me = try await ada.me.id
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    let stream = try await ada.openStream(named: "copy", to: peer)
                    for _ in 0..<5 {
                        try await stream.write(part)
                        let links = network.read { $0.connections.values.map(\.near) }
                        network.cut(me, peer.id)
                        network.heal()
                        try await network.eventLoop.submit {}.get()
                        #expect(links.count { $0.isActive } == 0)
                    }
                    try await stream.finish()
                    for try await bytes in stream.inbound { Issue.record("\(bytes.count) bytes came back") }
                }
                for await stream in bob.streams {
                    var all: [UInt8] = []
                    for try await bytes in stream.inbound { all += bytes }
                    #expect(all == (0..<5).flatMap { _ in part })
                    try await stream.finish()
                    break
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func withinAGroupAllGoesOn() async throws {
        let network = InMemoryNetwork(seed: 16)
        try await Meeting.of(["ada", "bob", "cleo", "dan"], on: network) { sessions in
            // Two that are linked reach each other whatever becomes of the others.
            try await Meeting.linked(sessions)
            let (ada, bob, cleo, dan) = (sessions[0], sessions[1], sessions[2], sessions[3])
            network.partition([[try await ada.me.id, try await bob.me.id]])
            try await ada.send([1], to: [try await Meeting.peer(bob, of: ada)])
            #expect(try await Meeting.next(bob).bytes == [1])
            try await dan.send([2], to: [try await Meeting.peer(cleo, of: dan)])
            #expect(try await Meeting.next(cleo).bytes == [2])
            // Between groups no link comes back before the healing.
            try await Meeting.status(of: cleo, for: ada) { $0.hops != 1 }
            try await Meeting.status(of: bob, for: dan) { $0.hops != 1 }
            network.heal()
            try await Meeting.linked(sessions)
        }
    }

    @Test func twoThatAreCutReachEachOtherOverAThird() async throws {
        let ids = try await ids(["ada", "bob", "relay"], seed: 9)
        let network = InMemoryNetwork(seed: 9)
        network.cut(ids[0], ids[1])
        try await Meeting.of(["ada", "bob", "relay"], on: network) { sessions in
            try await Meeting.complete(sessions)
            let (ada, bob) = (sessions[0], sessions[1])
            let far = try await Meeting.status(of: bob, for: ada) { $0.hops == 2 }
            #expect(far.peer.id == ids[1])
            try await ada.send([1], to: [far.peer])
            let message = try await Meeting.next(bob)
            #expect(message.bytes == [1] && message.hops == 2)
            network.heal()
            try await Meeting.status(of: bob, for: ada) { $0.hops == 1 }
            network.cut(ids[1], ids[0])
            try await Meeting.status(of: bob, for: ada) { $0.hops != 1 }
        }
    }

    @Test func aNetworkThatWasDividedBeforeKeepsSessionsApart() async throws {
        let network = InMemoryNetwork(seed: 10)
        try await Meeting.of(["ada", "bob"], on: network, { $0.discovery = .off }) { sessions in
            let (ada, bob) = (sessions[0], sessions[1])
            let address = try #require(network.address(of: try await bob.me.id))
            network.partition([[try await ada.me.id]])
            await expect(.timedOut) { try await ada.connect(to: address, timeout: .milliseconds(50)) }
            network.heal()
            #expect(try await ada.connect(to: address, timeout: .seconds(600)) == bob.me)
        }
    }

    @Test func anAddressIsThatOfASessionThatRuns() async throws {
        let network = InMemoryNetwork(seed: 11)
        var id: PeerID?
        try await Meeting.of(["ada"], on: network, { $0.port = 4_242 }) { sessions in
            let me = try await sessions[0].me.id
            id = me
            #expect(network.address(of: me)?.description == "10.0.0.1:4242")
            #expect(try await sessions[0].port == 4_242)
        }
        #expect(network.address(of: try #require(id)) == nil)
    }

    // MARK: - Finding

    @Test func aBrowserFindsAnAdvertiserAndInvitesIt() async throws {
        let network = InMemoryNetwork(seed: 12)
        try await Meeting.of(
            ["ada", "bob"], on: network,
            {
                $0.discovery = .manual
                $0.invitations = .ask
            }
        ) { sessions in
            let (ada, bob) = (sessions[0], sessions[1])
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    let advertiser = try Advertiser(bob, discoveryInfo: ["game": "chess"])
                    for try await invitation in advertiser.invitations {
                        #expect(invitation.context == [9])
                        try await invitation.accept()
                    }
                }
                var events = Browser(ada).events.makeAsyncIterator()
                guard case .found(let found)? = try await events.next() else { throw Meeting.Ended() }
                #expect(found.claimedName == "bob" && found.discoveryInfo == ["game": "chess"])
                #expect(ada.connectedPeers.isEmpty)
                #expect(try await Browser(ada).invite(found, context: [9], timeout: .seconds(600)) == bob.me)
                network.partition([[try await ada.me.id]])
                #expect(try await events.next() == .lost(found.id))
                network.heal()
                #expect(try await events.next() == .found(found))
                group.cancelAll()
                // Nobody is announced once the advertiser's loop has ended, at first perhaps without its info.
                var last: Browser.Event?
                while last != .lost(found.id), let event = try await events.next() { last = event }
                #expect(last == .lost(found.id))
            }
        }
    }

    @Test func aMeshWithAPassphraseMeets() async throws {
        let network = InMemoryNetwork(seed: 13)
        try await Meeting.of(["ada", "bob"], on: network, { $0.passphrase = "open sesame" }) { sessions in
            try await Meeting.complete(sessions)
        }
    }

    // MARK: - Time

    @Test func aMessageTakesItsLatency() async throws {
        let latency: Duration = .milliseconds(30)
        let network = InMemoryNetwork(
            seed: 14, conditions: InMemoryNetwork.Conditions(latency: latency...latency))
        try await Meeting.of(["ada", "bob"], on: network) { sessions in
            let (ada, bob) = (sessions[0], sessions[1])
            let peer = try await Meeting.peer(bob, of: ada)
            let start = ContinuousClock.now
            try await ada.send([1], to: [peer])
            let message = try await Meeting.next(bob)
            try await bob.send([2], to: [message.peer])
            _ = try await Meeting.next(ada)
            #expect(start.duration(to: .now) >= latency * 2)
            let roundTrip = await ada.board.first { $0[peer.id.core]?.roundTrip }
            #expect(try #require(roundTrip) >= latency * 2)
        }
    }

    @Test func aLinkCarriesWhatItMay() async throws {
        let network = InMemoryNetwork(
            seed: 15, conditions: InMemoryNetwork.Conditions(bytesPerSecond: 200_000))
        try await Meeting.of(["ada", "bob"], on: network) { sessions in
            let (ada, bob) = (sessions[0], sessions[1])
            let peer = try await Meeting.peer(bob, of: ada)
            let start = ContinuousClock.now
            let message = [UInt8](repeating: 5, count: 50_000)
            for _ in 0..<2 { try await ada.send(message, to: [peer]) }
            for _ in 0..<2 { #expect(try await Meeting.next(bob).bytes == message) }
            // The last byte leaves after half a second.
            #expect(start.duration(to: .now) >= .milliseconds(499))
        }
    }
}
