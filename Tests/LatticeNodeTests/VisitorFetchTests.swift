import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire
import Testing

@testable import LatticeNode

/// Visitors fetch files, stop that, and use up their day.
@Suite(.timeLimit(.minutes(5))) struct VisitorFetchTests {
    private static let megabyte: Int64 = 1 << 20
    private static let day = WallTime(milliseconds: 1_800_000_000_000)

    /// A node that knows of a file of somebody who is away, and two visitors.
    private func camp(bytes: Int64 = 40 << 20, _ work: (Chatter, Guest, Guest, String) async throws -> Void)
        async throws
    {
        let here = try await Chatter(try Home("ann"), knows: true)
        let away = Identity.generate()
        let name = try #require(BlobName(root: Bytes32(words: (1, 2, 3, 4)), size: bytes))
        let body = ManifestBody(
            name, name: try #require(FileName("map.pdf")), type: try #require(MediaType("application/pdf")))
        let manifest = away.sign(
            Record(
                kind: .manifest, author: away.peer, created: HybridTime(wallTime: Clocks.machine()),
                lifetimeSeconds: 86_400, topic: Array("#lobby".utf8), body: body.body))
        _ = try await here.store.insert([manifest], at: Clocks.machine())
        try await here.run {
            let (bob, carol) = (try await here.admit("bob"), try await here.admit("carol"))
            for guest in [bob, carol] { try await guest.join() }
            try await work(here, bob, carol, manifest.id.hex)
        }
    }

    private func isFetched(_ file: String, _ guest: Guest) async throws -> Bool {
        let file = try await guest.visitor.perform(ShowFile(file))
        return [.coming, .waiting].contains(file.state)
    }

    @Test func aVisitorStopsWhatTheyBegan() async throws {
        try await camp { here, bob, carol, file in
            #expect(try await bob.visitor.perform(GetFile(file, into: nil)).mayStop)
            #expect(try await isFetched(file, carol))
            #expect(try await !carol.visitor.perform(ShowFile(file)).mayStop)
            await #expect(throws: RequestError.ownerOnly) { try await carol.visitor.perform(CancelFile(file)) }
            #expect(try await isFetched(file, bob))
            let stopped = try await bob.visitor.perform(CancelFile(file))
            #expect(stopped.state == .shared && !stopped.mayStop)
            #expect(try await !isFetched(file, carol))
            // Nothing is under way that could be stopped.
            #expect(try await carol.visitor.perform(CancelFile(file)).state == .shared)
        }
    }

    @Test func whatOthersWantGoesOn() async throws {
        try await camp { here, bob, carol, file in
            _ = try await bob.visitor.perform(GetFile(file, into: nil))
            #expect(try await !carol.visitor.perform(GetFile(file, into: nil)).mayStop)
            #expect(try await carol.visitor.perform(ShowFile(file)).mayStop)
            let left = try await bob.visitor.perform(CancelFile(file))
            #expect([.coming, .waiting].contains(left.state) && !left.mayStop)
            await #expect(throws: RequestError.ownerOnly) { try await bob.visitor.perform(CancelFile(file)) }
            _ = try await here.node.perform(GetFile(file, into: nil))
            #expect(try await here.node.perform(ShowFile(file)).mayStop)
            _ = try await carol.visitor.perform(CancelFile(file))
            #expect(try await isFetched(file, carol))
            #expect(try await here.node.perform(CancelFile(file)).state == .shared)
        }
    }

    @Test func whatDidNotComeDoesNotCount() async throws {
        try await camp(bytes: 60 << 20) { here, bob, carol, file in
            for _ in 0..<6 {
                _ = try await bob.visitor.perform(GetFile(file, into: nil))
                _ = try await bob.visitor.perform(CancelFile(file))
            }
            // Somebody who wants it, too, does not pay, so nothing is given back either.
            for _ in 0..<4 {
                _ = try await bob.visitor.perform(GetFile(file, into: nil))
                _ = try await carol.visitor.perform(GetFile(file, into: nil))
                _ = try await bob.visitor.perform(CancelFile(file))
                _ = try await carol.visitor.perform(CancelFile(file))
            }
            await #expect(throws: RequestError.filesOfDayFull(bytesMax: VisitorFiles.dayBytesMax)) {
                try await bob.visitor.perform(GetFile(file, into: nil))
            }
            #expect(try await !isFetched(file, bob))
        }
    }

    @Test func theSumOfADayOutlastsARestart() async throws {
        let home = try Home("ann")
        let (bob, dave) = (PeerID(Bytes32(words: (1, 0, 0, 0))), PeerID(Bytes32(words: (2, 0, 0, 0))))
        let before = try await Chatter(home)
        try await before.run {
            for _ in 0..<4 { try await before.node.take(63 * Self.megabyte, of: bob, at: Self.day) }
            await before.node.giveBack(Self.megabyte, of: bob, takenAt: Self.day)
        }
        let after = try await Chatter(home)
        try await after.run {
            let full = RequestError.filesOfDayFull(bytesMax: VisitorFiles.dayBytesMax)
            await #expect(throws: full) { try await after.node.take(6 * Self.megabyte, of: bob, at: Self.day) }
            try await after.node.take(5 * Self.megabyte, of: bob, at: Self.day)
            await #expect(throws: full) { try await after.node.take(1, of: bob, at: Self.day) }
            try await after.node.take(63 * Self.megabyte, of: dave, at: Self.day)
            let next = WallTime(milliseconds: Self.day.milliseconds + 86_400_000)
            try await after.node.take(63 * Self.megabyte, of: bob, at: next)
        }
    }
}

extension Node {
    fileprivate func take(_ count: Int64, of visitor: PeerID, at now: WallTime) async throws(RequestError) {
        try await FileHandlers.service(on: self).visitorDays.take(count, of: visitor, at: now)
    }

    fileprivate func giveBack(_ count: Int64, of visitor: PeerID, takenAt date: WallTime) async {
        await blobs?.visitorDays.giveBack(count, of: visitor, takenAt: date)
    }
}
