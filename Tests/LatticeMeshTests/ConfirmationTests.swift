import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

/// An own record is confirmed by an answer of a neighbour that was sent it, and of no other.
@Suite struct ConfirmationTests {
    /// Three places, the first two taken.
    private func fixture() throws -> Fixture {
        var fixture = try Fixture(activeMax: 3)
        for rank in UInt8(1)...2 { try fixture.connect(rank, on: UInt64(rank)) }
        return fixture
    }

    /// Every link in this list answers its ping.
    private func answer(_ pings: [(nonce: UInt64, link: LinkID)], on links: [LinkID], by fixture: inout Fixture) {
        for ping in pings where links.contains(ping.link) {
            _ = fixture.handle(.received(ping.link, .pong(nonce: ping.nonce)))
        }
    }

    @Test func onlyWhoIsPushedToIsAskedToConfirm() throws {
        var fixture = try fixture()
        _ = fixture.handle(.received(2, .prune(of: nil)))
        _ = fixture.handle(.submitted(try fixture.record(by: 100)))
        #expect(fixture.handle(.flushWanted).pings.map(\.link) == [1])
    }

    @Test func theAnswerOfALinkThatWasOnlyToldConfirmsNothing() throws {
        var fixture = try fixture()
        _ = fixture.handle(.received(2, .prune(of: nil)))
        // Both are pinged for their silence, after the record was sent to one of them.
        fixture.now = fixture.now.advanced(by: MeshLimit.pingAfterSilence)
        _ = fixture.handle(.submitted(try fixture.record(by: 100)))
        let pings = fixture.handle(.woke, after: MeshLimit.pingAfterSilence).pings
        #expect(Set(pings.map(\.link)).isSubset(of: [1, 2]))
        answer(pings, on: [2], by: &fixture)
        #expect(fixture.mesh.broadcast.outbox.count == 1)
    }

    @Test func aLinkThatIsPrunedAfterwardsStillConfirms() throws {
        var fixture = try fixture()
        _ = fixture.handle(.submitted(try fixture.record(by: 100)))
        _ = fixture.handle(.received(1, .prune(of: nil)))
        let pings = fixture.handle(.flushWanted).pings
        #expect(pings.map(\.link) == [1, 2])
        answer(pings, on: [1], by: &fixture)
        #expect(fixture.mesh.broadcast.outbox.count == 0)
    }

    @Test func aLinkThatIsPushedToSinceThenConfirmsOnlyWhatCameSince() throws {
        var fixture = try fixture()
        _ = fixture.handle(.received(2, .prune(of: nil)))
        _ = fixture.handle(.submitted(try fixture.record(by: 100)))
        _ = fixture.handle(.received(2, .graft(Graft(ids: []))))
        _ = fixture.handle(.submitted(try fixture.record(by: 100)))
        let pings = fixture.handle(.woke, after: MeshLimit.pingAfterSilence).pings
        answer(pings, on: [2], by: &fixture)
        #expect(fixture.mesh.broadcast.outbox.count == 2)
        answer(pings, on: [1], by: &fixture)
        #expect(fixture.mesh.broadcast.outbox.count == 0)
    }

    @Test func whatNobodyCanConfirmAnyMoreGoesOutAgain() throws {
        var fixture = try fixture()
        _ = fixture.handle(.received(2, .prune(of: nil)))
        let record = try fixture.record(by: 100)
        _ = fixture.handle(.submitted(record))
        _ = fixture.handle(.linkClosed(1, .broken("reset")))
        let effects = fixture.handle(.flushWanted)
        #expect(effects.forwarded.map(\.links) == [[2]] && effects.forwarded.map(\.record) == [record.id])
        #expect(effects.pings.map(\.link) == [2])
        answer(effects.pings, on: [2], by: &fixture)
        #expect(fixture.mesh.broadcast.outbox.count == 0)
    }

    /// Lines are in no outbox on disk: only of those that waited somebody wants to know that they are out.
    @Test func ofLinesThoseThatWaitedAreToldToBeConfirmed() throws {
        var fixture = try Fixture(activeMax: 3)
        let waited = [try fixture.record(by: 100), try fixture.record(by: 100, kind: .post)]
        for record in waited { _ = fixture.handle(.submitted(record)) }
        try fixture.connect(1, on: 1)
        let atOnce = [try fixture.record(by: 100), try fixture.record(by: 100, kind: .post)]
        for record in atOnce { _ = fixture.handle(.submitted(record)) }
        var confirmed: [RecordID] = []
        for _ in 0..<2 {
            guard let ping = fixture.handle(.flushWanted, after: MeshLimit.pingAfterSilence).pings.first else {
                continue
            }
            for case .confirmed(let ids) in fixture.handle(.received(1, .pong(nonce: ping.nonce))) { confirmed += ids }
        }
        #expect(fixture.mesh.broadcast.outbox.count == 0)
        #expect(confirmed == [waited[0].id, waited[1].id, atOnce[1].id])
    }

    /// A new link is sent what is unconfirmed; that says nothing of the links that were there.
    @Test func whatGoesOutAgainOnANewLinkIsConfirmedByNoOlderOne() throws {
        var fixture = try fixture()
        _ = fixture.handle(.received(2, .prune(of: nil)))
        let record = try fixture.record(by: 100)
        _ = fixture.handle(.submitted(record))
        _ = fixture.handle(.linkClosed(1, .broken("reset")))
        _ = fixture.handle(.received(2, .graft(Graft(ids: []))))
        #expect(try fixture.connect(3, on: 3).forwarded.map(\.record) == [record.id])
        let pings = fixture.handle(.woke, after: MeshLimit.pingAfterSilence).pings
        #expect(pings.map(\.link) == [2, 3])
        answer(pings, on: [2], by: &fixture)
        #expect(fixture.mesh.broadcast.outbox.count == 1)
        answer(pings, on: [3], by: &fixture)
        #expect(fixture.mesh.broadcast.outbox.count == 0)
    }
}
