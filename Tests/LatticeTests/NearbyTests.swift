import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import LatticeMesh
import LatticeNode
import Testing

@testable import Lattice

/// Sessions that find each other only as a test says, in place of mDNS.
@Suite struct NearbyTests {
    private func configuration(_ name: String, _ invitations: Configuration.Invitations = .ask) -> Configuration {
        var configuration = Configuration(name: name, mesh: "nearby")
        configuration.discovery = .manual
        configuration.invitations = invitations
        // Real multicast, if any, stays on this machine.
        configuration.interface = "lo"
        return configuration
    }

    private nonisolated(nonsending) func pair(
        _ invitations: Configuration.Invitations = .ask,
        _ body: nonisolated(nonsending) (_ ada: Session, _ bob: Session) async throws -> Void
    ) async throws {
        try await withSession(configuration("ada")) { ada in
            try await withSession(configuration("bob", invitations)) { bob in try await body(ada, bob) }
        }
    }

    private func sighting(of other: Session, _ info: [String] = []) async throws -> Sighting {
        Sighting(
            source: .embedded, peer: try await other.me.id.core.prefix, name: "claim",
            meshTag: Digest.meshTag(try MeshName("nearby")), address: try await Loopback.address(of: other).core,
            info: try DiscoveryInfo(info))
    }

    /// - Returns: `other`, as `session` has found it.
    private func find(_ other: Session, by session: Session, _ info: [String] = []) async throws -> FoundPeer {
        let sighting = try await sighting(of: other, info)
        try await session.running().node.discovered(.found(sighting))
        return try #require(FoundPeer(.peer(try await other.me.id.core.prefix), [sighting]))
    }

    @Test func nobodyIsLinkedBecauseItWasFound() async throws {
        try await pair(.automatic) { ada, bob in
            let found = try await find(bob, by: ada)
            var events = Browser(ada).events.makeAsyncIterator()
            #expect(try await events.next() == .found(found))
            #expect(ada.connectedPeers.isEmpty)
            #expect(try await Browser(ada).invite(found) == bob.me)
            #expect(ada.connectedPeers.map(\.name) == ["bob"])
        }
    }

    @Test func anInvitationBringsItsContextAndAcceptingConnects() async throws {
        try await pair { ada, bob in
            let found = try await find(bob, by: ada)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    let peer = try await Browser(ada).invite(found, context: "chess?".utf8, timeout: .seconds(30))
                    #expect(try await peer == bob.me)
                    try await ada.send([7], to: [peer])
                }
                let advertiser = try Advertiser(bob)
                var invitations = advertiser.invitations.makeAsyncIterator()
                let invitation = try #require(try await invitations.next())
                #expect(String(decoding: invitation.context, as: UTF8.self) == "chess?")
                #expect(try await invitation.peer == ada.me)
                try await invitation.accept()
                try await invitation.accept()
                #expect(bob.connectedPeers == [invitation.peer])
                for await message in bob.received {
                    #expect(message.bytes == [7])
                    break
                }
                try await group.waitForAll()
            }
        }
    }

    @Test(arguments: [Invitation.Refusal.declined, .busy, .full, .notAllowed])
    func theReasonOfANoArrives(_ refusal: Invitation.Refusal) async throws {
        try await pair { ada, bob in
            let found = try await find(bob, by: ada)
            async let answer = refusalOf { try await Browser(ada).invite(found, timeout: .seconds(30)) }
            let advertiser = try Advertiser(bob)
            var invitations = advertiser.invitations.makeAsyncIterator()
            let invitation = try #require(try await invitations.next())
            invitation.decline(refusal)
            #expect(await answer == refusal)
            await expect(.declined) { try await invitation.accept() }
            #expect(ada.connectedPeers.isEmpty)
        }
    }

    @Test func anInvitationThatIsDroppedIsDeclined() async throws {
        try await pair { ada, bob in
            let found = try await find(bob, by: ada)
            async let answer = refusalOf { try await Browser(ada).invite(found, timeout: .seconds(30)) }
            let advertiser = try Advertiser(bob)
            var invitations = advertiser.invitations.makeAsyncIterator()
            #expect(try await invitations.next() != nil)
            #expect(await answer == .declined)
        }
    }

    @Test func settingsThatForbidALinkRefuse() async throws {
        try await pair(.only([])) { ada, bob in
            let found = try await find(bob, by: ada)
            #expect(await refusalOf { try await Browser(ada).invite(found) } == .notAllowed)
        }
    }

    @Test func withoutAnAnswerInTimeTheInvitationIsTakenBack() async throws {
        try await pair { ada, bob in
            let found = try await find(bob, by: ada)
            let advertiser = try Advertiser(bob)
            await expect(.timedOut) { try await Browser(ada).invite(found, timeout: .milliseconds(500)) }
            // It may have come too late to be seen at all.
            async let second: Peer = Browser(ada).invite(found, timeout: .seconds(60))
            for try await invitation in advertiser.invitations {
                do throws(LatticeError) {
                    try await invitation.accept()
                    break
                } catch {
                    #expect(error.code == .timedOut)
                }
            }
            #expect(try await second == bob.me)
        }
    }

    /// An invitation that was taken back cannot answer a later one.
    @Test func anOldInvitationDoesNotAnswerTheNextOne() async throws {
        try await pair { ada, bob in
            let found = try await find(bob, by: ada)
            let advertiser = try Advertiser(bob)
            var invitations = advertiser.invitations.makeAsyncIterator()
            let first = Task { try await Browser(ada).invite(found, context: [1], timeout: .seconds(60)) }
            let old = try #require(try await invitations.next())
            first.cancel()
            await expect(.cancelled) { try await first.value }
            async let second: Peer = Browser(ada).invite(found, context: [2], timeout: .seconds(60))
            let new = try #require(try await invitations.next())
            #expect((old.context, new.context) == ([1], [2]))
            old.decline()
            await expect(.declined) { try await old.accept() }
            try await new.accept()
            #expect(try await second == bob.me)
        }
    }

    @Test func acceptingInVainFailsEachTime() async throws {
        try await pair { ada, bob in
            let found = try await find(bob, by: ada)
            let advertiser = try Advertiser(bob)
            var invitations = advertiser.invitations.makeAsyncIterator()
            let asking = Task { try await Browser(ada).invite(found, timeout: .seconds(60)) }
            let invitation = try #require(try await invitations.next())
            asking.cancel()
            await expect(.cancelled) { try await asking.value }
            for await update in bob.peerUpdates where update.state == .notConnected { break }
            for _ in 0..<2 { await expect(.timedOut) { try await invitation.accept() } }
        }
    }

    @Test func troubleOfDiscoveryIsThrownOnce() async throws {
        try await pair { ada, bob in
            var events = Browser(ada).events.makeAsyncIterator()
            let found = try await find(bob, by: ada)
            #expect(try await events.next() == .found(found))
            try await ada.running().node.discovered(.trouble(.noDaemon))
            await expect(.network) { _ = try await events.next() }
            let advertiser = try Advertiser(ada)
            var invitations = advertiser.invitations.makeAsyncIterator()
            await expect(.network) { _ = try await invitations.next() }
            try await ada.running().node.discovered(.lost(try await sighting(of: bob)))
            #expect(try await events.next() == .lost(found.id))
        }
    }

    @Test func cancellingTakesTheInvitationBack() async throws {
        try await pair { ada, bob in
            let found = try await find(bob, by: ada)
            let advertiser = try Advertiser(bob)
            var invitations = advertiser.invitations.makeAsyncIterator()
            let asking = Task { try await Browser(ada).invite(found, timeout: .seconds(60)) }
            let invitation = try #require(try await invitations.next())
            asking.cancel()
            await expect(.cancelled) { try await asking.value }
            for await update in bob.peerUpdates where update.state == .notConnected { break }
            await expect(.timedOut) { try await invitation.accept() }
        }
    }

    @Test func whoIsNotFoundCannotBeInvited() async throws {
        try await pair { ada, bob in
            let found = try #require(FoundPeer(.peer(try await bob.me.id.core.prefix), [try await sighting(of: bob)]))
            await expect(.noRoute) { try await Browser(ada).invite(found) }
            await expect(.tooLong) {
                try await Browser(ada).invite(found, context: [UInt8](repeating: 0, count: 1_025))
            }
            await expect(.invalid) { try await Browser(ada).invite(found, timeout: .seconds(86_401)) }
        }
    }

    @Test func onlyOneInvitationToAPeerWaits() async throws {
        try await pair { ada, bob in
            let found = try await find(bob, by: ada)
            let advertiser = try Advertiser(bob)
            var invitations = advertiser.invitations.makeAsyncIterator()
            async let first = Browser(ada).invite(found, timeout: .seconds(60))
            let invitation = try #require(try await invitations.next())
            await expect(.busy) { try await Browser(ada).invite(found) }
            try await invitation.accept()
            #expect(try await first == bob.me)
        }
    }

    @Test func theEndOfTheSessionEndsAnInvitation() async throws {
        try await pair { ada, bob in
            let found = try await find(bob, by: ada)
            let advertiser = try Advertiser(bob)
            var invitations = advertiser.invitations.makeAsyncIterator()
            async let first = refused(.closed) { try await Browser(ada).invite(found, timeout: .seconds(60)) }
            let invitation = try #require(try await invitations.next())
            await ada.close()
            #expect(await first)
            await expect(.closed) { try await Browser(ada).invite(found) }
            _ = invitation
        }
    }

    @Test func sixteenInvitationsWaitAndTheNextIsTurnedAway() throws {
        var board = NearbyBoard(isManual: true)
        let peers = (0..<17).map { _ in Identity.generate().peer }
        for (link, peer) in peers.enumerated() {
            board.note(.invited(peer, try PeerName("p"), context: [], on: LinkID(rawValue: UInt64(link))))
        }
        guard case .turnAway(let peer, let link) = board.takeOrder() else {
            Issue.record("nobody was turned away")
            return
        }
        #expect(peer == peers[16] && link == LinkID(rawValue: 16))
        // A peer that gave up does not wait any longer, and one that asks again waits once.
        board.note(.left(peers[0]))
        board.note(.invited(peers[1], try PeerName("p"), context: [1], on: LinkID(rawValue: 17)))
        var taken: [LatticeCore.PeerID] = []
        while case .element(let asked) = board.nextInvitation({ _ in true }) { taken.append(asked.peer) }
        #expect(taken == peers[2..<16] + [peers[1]])
        #expect(board.takeOrder().map { "\($0)" } == nil)
    }

    @Test func foundAndLostAreReported() async throws {
        try await pair { ada, bob in
            var events = Browser(ada).events.makeAsyncIterator()
            let first = try await find(bob, by: ada, ["game=chess"])
            #expect(first.discoveryInfo == ["game": "chess"] && first.claimedName == "claim")
            #expect(try await events.next() == .found(first))
            let second = try await find(bob, by: ada, ["game=go"])
            #expect(try await events.next() == .found(second))
            try await ada.running().node.discovered(.lost(try await sighting(of: bob, ["game=go"])))
            #expect(try await events.next() == .lost(first.id))
        }
    }

    @Test func sequencesEndWithTheSessionAndFailWithItsFailure() async throws {
        let ada = try Session(configuration("ada"))
        let advertiser = try Advertiser(ada)
        async let run: Void = ada.run()
        try await ada.waitUntilRunning()
        await ada.close()
        try await run
        for try await _ in advertiser.invitations { Issue.record("nobody invites") }
        for try await _ in Browser(ada).events { Issue.record("nobody is found") }
        let never = try Session(configuration("bob"))
        await never.close()
        await expect(.closed) { for try await _ in Browser(never).events {} }
        await expect(.closed) { for try await _ in try Advertiser(never).invitations {} }
    }

    @Test func theInfoHasRulesAndASessionHasOneAdvertiser() throws {
        let ada = try Session(configuration("ada"))
        for info in [["id": "x"], ["a=b": "c"], ["": "x"], ["k": String(repeating: "x", count: 300)]] {
            #expect(throws: LatticeError.self) { try Advertiser(ada, discoveryInfo: info) }
        }
        let advertiser = try Advertiser(ada, discoveryInfo: ["game": "chess"])
        #expect(throws: LatticeError.self) { try advertiser.update(discoveryInfo: ["txtvers": "2"]) }
        #expect(throws: LatticeError.self) { try Advertiser(ada) }
    }

    @Test func anAdvertiserLastsAsLongAsItsInvitations() throws {
        let ada = try Session(configuration("ada"))
        func reading() throws {
            let invitations = try Advertiser(ada, discoveryInfo: ["game": "chess"]).invitations
            #expect(throws: LatticeError.self) { try Advertiser(ada) }
            withExtendedLifetime(invitations) {}
        }
        try reading()
        _ = try Advertiser(ada)
    }

    /// Over real multicast on the loopback.
    @Test(.timeLimit(.minutes(5)))
    func anAdvertiserIsFoundAndInvited() async throws {
        try await pair { ada, bob in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    let advertiser = try Advertiser(bob, discoveryInfo: ["game": "chess"])
                    for try await invitation in advertiser.invitations {
                        try await invitation.accept()
                        try advertiser.update(discoveryInfo: ["game": "go"])
                    }
                }
                let id = FoundPeer.ID(target: .peer(try await bob.me.id.core.prefix))
                var isInvited = false
                var events = Browser(ada).events.makeAsyncIterator()
                while let event = try await events.next(), event != .lost(id) {
                    guard case .found(let found) = event, found.id == id else { continue }
                    #expect(found.claimedName == "bob")
                    if !isInvited {
                        #expect(found.discoveryInfo == ["game": "chess"])
                        #expect(try await Browser(ada).invite(found) == bob.me)
                        isInvited = true
                    } else if found.discoveryInfo == ["game": "go"] {
                        // Nobody announces bob any more, and the link stays.
                        group.cancelAll()
                    }
                }
                #expect(isInvited)
                #expect(ada.connectedPeers.map(\.name) == ["bob"])
            }
        }
    }
}

private func refused(_ code: LatticeError.Code, _ work: @Sendable () async throws -> Peer) async -> Bool {
    do {
        _ = try await work()
        return false
    } catch let error as LatticeError {
        return error.code == code
    } catch {
        return false
    }
}

private func refusalOf(_ work: @Sendable () async throws -> Peer) async -> Invitation.Refusal? {
    do {
        _ = try await work()
    } catch let error as LatticeError where error.code == .declined {
        return error.refusal
    } catch {
        Issue.record("\(error)")
    }
    return nil
}
