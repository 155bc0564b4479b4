import Glibc
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import LatticeGeo
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging
import Testing

@testable import LatticeNode

/// Records that a program brings from another network.
@Suite(.timeLimit(.minutes(10))) struct PutTests {
    private let author = Identity.generate()

    private func put(
        _ records: [VerifiedRecord], via: RecordVia = .nats, at chatter: Chatter
    ) async throws -> [RecordAnswer] {
        try await chatter.node.perform(RecordsPut(records.map(\.signed.bytes), via: via)).answers
    }

    /// A record that was made this long ago.
    private func record(
        _ kind: RecordKind = .chat, topic: String = "#lobby", body: [UInt8]? = nil, ago: Duration = .zero,
        lifetime: UInt32 = 86_400, by identity: Identity? = nil
    ) -> VerifiedRecord {
        let identity = identity ?? author
        let line = ChatLine(style: .says, name: ChatRig.name, text: "hello").body
        return identity.sign(
            Record(
                kind: kind, author: identity.peer,
                created: HybridTime(wallTime: Clocks.machine().shifted(by: .zero - ago)), lifetimeSeconds: lifetime,
                topic: Array(topic.utf8), body: body ?? line))
    }

    @Test func whatIsPutIsJudgedAsSupplied() async throws {
        let (near, far) = (try await Chatter(try Home("near")), try await Chatter(try Home("far")))
        let (live, late) = (record(), record(ago: .seconds(3_600)))
        try await near.run {
            try await far.run {
                try await near.meet(far)
                let answers = try await put([live, late], at: near)
                #expect(answers.map(\.outcome) == [.added, .added] && answers.map(\.id) == [live.id, late.id])
                let places = try await near.store.feed.places(of: [live.id, late.id])
                #expect(answers.map(\.position?.seq) == [live.id, late.id].map { places.places[$0]?.seq })
                for chatter in [near, far] {
                    try await eventually("both lines are shown") { chatter.lines.count == 2 }
                    #expect(Set(chatter.lines.map(\.record)) == [live.id, late.id])
                    #expect(chatter.lines.first { $0.record == late.id }?.isLate == true)
                    #expect(chatter.lines.first { $0.record == live.id }?.isLate == false)
                }
                #expect(near.lines.first { $0.record == live.id }?.hops == 1)
                #expect(near.lines.allSatisfy { $0.via == .nats } && far.lines.allSatisfy { $0.via == nil })
                let past = try await near.history()
                #expect(past.map(\.via) == [.nats, .nats])
                try await eventually("both are stored there") { try await far.count() == 2 }
            }
        }
        let mark = FeedMark(epoch: try await near.store.feed.top().epoch, seq: 0)
        let page = try await near.store.feed.page(
            after: mark, countMax: 9, bytesMax: 1 << 20, where: FeedFilter(notVia: .nats), at: Clocks.machine())
        #expect(page?.records.isEmpty == true, "both came over NATS")
    }

    @Test func aPostSaysThatItCameOverABridge() async throws {
        let chatter = try await Chatter(try Home("home"))
        try await chatter.run {
            let node = chatter.node
            let mine = try await node.perform(NewPost(text: "a bench", at: try .park()))
            let coordinate = try Coordinate.park()
            let body = PostBody(name: ChatRig.name, place: Place(coordinate), text: "a table", placeName: "").body
            let post = record(.post, topic: "", body: body)
            #expect(try await put([post], via: .mqtt, at: chatter).map(\.outcome) == [.added])
            #expect(try await node.perform(ShowItem(ItemReference(post.id.hex))).item.via == .mqtt)
            #expect(try await node.perform(ShowItem(ItemReference(mine.id.hex))).item.via == nil)
        }
    }

    @Test func eachRecordHasItsAnswer() async throws {
        let home = try Home("home")
        let chatter = try await Chatter(home)
        let good = record()
        var forged = record(ago: .seconds(1)).signed.bytes
        forged[forged.count - 1] ^= 1
        let presence = record(.presence, topic: "", body: [])
        let wrong = record(body: [0xFF])
        let old = record(ago: .seconds(7_200), lifetime: 3_600)
        try await chatter.run {
            let put = RecordsPut(
                [good.signed.bytes, good.signed.bytes, forged, [], [UInt8](repeating: 1, count: Record.bytesMax + 1)]
                    + [presence, wrong, old].map(\.signed.bytes))
            let answers = try await chatter.node.perform(put).answers
            let outcomes: [RecordAnswer.Outcome] = [.added, .added, .refused, .refused, .refused, .refused, .refused]
            #expect(answers.map(\.outcome) == outcomes + [.expired])
            #expect(answers.map(\.code) == [nil, nil, .signature, .form, .tooLarge, .unwanted, .form, nil])
            let again = try await chatter.node.perform(put).answers
            #expect(again.map(\.outcome).prefix(2) == [.known, .known] && again[0].position == answers[0].position)
            #expect(again.map(\.code) == answers.map(\.code))
            let have = try await chatter.node.perform(RecordsHave([good.id, wrong.id, old.id]))
            #expect(have == RecordsHave.Reply(have: [good.id], gone: []))
        }
        #expect(try await chatter.count() == 1)
    }

    @Test func ofABlockedAuthorNothingIsTaken() async throws {
        let chatter = try await Chatter(try Home("home"), knows: true)
        let (live, late) = (record(), record(ago: .seconds(3_600)))
        try await chatter.run {
            _ = try await chatter.node.perform(
                BlockPeople([BlockEntry(id: author.peer, name: ChatRig.name)]))
            let answers = try await put([live, late], at: chatter)
            #expect(answers.map(\.code) == [.blocked, .blocked])
            #expect(chatter.lines.isEmpty)
        }
        #expect(try await chatter.count() == 0)
    }

    @Test func whatWasDeletedIsGoneAndDoesNotComeBack() async throws {
        let chatter = try await Chatter(try Home("home"))
        let line = record(ago: .seconds(60))
        let deletion = author.sign(
            Record(
                kind: .deletion, author: author.peer, created: HybridTime(wallTime: Clocks.machine()),
                lifetimeSeconds: 86_400, topic: line.id.hash.bytes, body: []))
        try await chatter.run {
            #expect(try await put([line, deletion], at: chatter).map(\.outcome) == [.added, .added])
            #expect(try await put([line], at: chatter).map(\.outcome) == [.known])
            let have = try await chatter.node.perform(RecordsHave([line.id, deletion.id]))
            #expect(have == RecordsHave.Reply(have: [deletion.id], gone: [line.id]))
        }
    }

    private func profile(_ about: String, ago: Duration) -> VerifiedRecord {
        let body = ProfileBody(name: ChatRig.name, about: about, colour: Colour(rgb: 1), photo: nil).body
        return record(.profile, topic: "", body: body, ago: ago)
    }

    @Test func aNewerRecordOfItsAuthorReplacesIt() async throws {
        let chatter = try await Chatter(try Home("home"))
        let (old, new) = (profile("old", ago: .seconds(20)), profile("new", ago: .seconds(10)))
        let answers = try await chatter.run {
            let first = try await put([new], at: chatter)
            return first + (try await put([old], at: chatter))
        }
        #expect(answers.map(\.outcome) == [.added, .expired])
    }

    @Test func aNewerRecordOfTheSameRequestReplacesIt() async throws {
        let chatter = try await Chatter(try Home("home"))
        let both = [profile("old", ago: .seconds(20)), profile("new", ago: .seconds(10))]
        let answers = try await chatter.run { try await put(both, at: chatter) }
        #expect(answers.map(\.outcome) == [.expired, .added] && answers.map(\.code) == [nil, nil])
    }

    @Test func theQuotaHoldsForWhatIsPut() async throws {
        let home = try Home("home")
        // The chatter opens the same file; the quota is that of the store it is given.
        let store = try home.store(StoreQuota(bytes: 20_000, authorBytes: 4_000))
        var configuration = NodeConfiguration(
            identity: home.identity, name: home.name, rooms: [], mesh: try MeshName("synced"))
        configuration.discovery = .off
        configuration.archive = Archive(store: store, identity: home.identity, name: home.name)
        let node = try await Node(configuration, logger: .init(label: "test"))
        let lines = ChatRig.lines(40, by: author, bytes: 300)
        try await BareNodes(mesh: "synced").running([node]) {
            let answers = try await node.perform(RecordsPut(lines.map(\.signed.bytes))).answers
            #expect(answers.contains { $0.code == .quotaFull } && answers.contains { $0.outcome == .added })
        }
    }

    @Test func whatIsTooMuchAtOnceIsBusy() async throws {
        // A burst is four seconds' worth: one record of 58 KiB of an author.
        let chatter = try await Chatter(try Home("home"), rates: SpeechRates(origin: 16, link: 32))
        let large = (0..<10).map { number in
            record(.init(rawValue: 77), topic: "\(number)", body: [UInt8](repeating: 7, count: 59_000))
        }
        try await chatter.run {
            let answers = try await put(large, at: chatter)
            #expect(answers.map(\.outcome) == [.added] + Array(repeating: .refused, count: 9))
            #expect(answers.dropFirst().allSatisfy { $0.code == .busy && $0.seconds == 1 })
        }
    }

    @Test func moreThanFourRequestsAreBusy() async throws {
        let chatter = try await Chatter(try Home("home"))
        let id = record().id
        try await chatter.run {
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<4 {
                    // There is space for one more.
                    let answers = try await put([record(ago: .seconds(number))], at: chatter)
                    #expect(answers.map(\.outcome) == [.added])
                    let (begun, input) = AsyncStream<Never>.makeStream()
                    group.addTask { await chatter.node.waitsInVain(for: id, input) }
                    for await _ in begun {}
                }
                await #expect(throws: RequestError.feed(fault: .tooManyPuts(max: 4))) {
                    _ = try await put([record(ago: .seconds(9))], at: chatter)
                }
                await chatter.node.stop()
                for try await isLeft in group { #expect(isLeft) }
            }
        }
    }

    @Test func whatTheStoreCannotWriteIsBusy() async throws {
        let chatter = try await Chatter(try Home("home"))
        let path = chatter.home.path
        try await chatter.run {
            #expect(rename(path, path + "-away") == 0)
            var (refused, ago): (VerifiedRecord?, Int64) = (nil, 3_600)
            // A store looks once a second whether its file is still there.
            try await eventually("a refusal") {
                ago += 1
                let line = record(ago: .seconds(ago))
                do {
                    if try await put([line], at: chatter).map(\.code) == [.busy] { refused = line }
                } catch RequestError.store {
                    // What is here could not be read: the request as a whole failed, and the next one may get further.
                }
                return refused != nil
            }
            #expect(rename(path + "-away", path) == 0)
            let line = try #require(refused)
            try await eventually("it is taken") { try await put([line], at: chatter).map(\.outcome) == [.added] }
        }
    }

    @Test func aVisitorPutsNothing() async throws {
        let chatter = try await Chatter(try Home("home"))
        try await chatter.run {
            let visitor = try await chatter.admit("jonna").visitor
            await #expect(throws: RequestError.ownerOnly) {
                _ = try await visitor.perform(RecordsPut([record().signed.bytes]))
            }
            await #expect(throws: RequestError.ownerOnly) { _ = try await visitor.perform(RecordsSubscribe()) }
            await #expect(throws: RequestError.ownerOnly) { _ = try await visitor.perform(RecordsHave([record().id])) }
        }
    }

    @Test func whatIsOlderThanADayIsNotUrgent() {
        let now = Clocks.machine()
        for (hours, age) in [(0, SuppliedAge.live), (1, .late), (24, .late), (25, .old), (72, .old)] {
            let line = record(ago: .seconds(hours * 3_600))
            #expect(SuppliedAge(of: line, hours == 0 ? .live : .late, at: now) == age, "\(hours) hours")
        }
    }

    @Test func withoutAStoreNothingIsTaken() async throws {
        let chatter = try await Chatter(try Home("home"), keeps: false)
        _ = try await chatter.run {
            await #expect(throws: RequestError.store(fault: .missing)) { _ = try await put([record()], at: chatter) }
        }
    }

    @Test func aNodeThatStopsLeavesNoRequestWaiting() async throws {
        let chatter = try await Chatter(try Home("home"))
        let answers = try await chatter.run { try await put([record()], at: chatter) }
        #expect(answers.map(\.outcome) == [.added])
        await #expect(throws: RequestError.stopped(why: .stopping)) { _ = try await put([record()], at: chatter) }
    }

    @Test func aRequestInFlightEndsWithTheNode() async throws {
        let chatter = try await Chatter(try Home("home"))
        let id = record().id
        let (begun, input) = AsyncStream<Never>.makeStream()
        async let isLeft = chatter.node.waitsInVain(for: id, input)
        try await chatter.run { for await _ in begun {} }
        #expect(await isLeft)
    }
}

extension Node {
    /// A request that waits for a record whose outcome never comes.
    ///
    /// - Parameter begun: ends when it waits.
    /// - Returns: whether it ended without outcomes.
    fileprivate func waitsInVain(for id: RecordID, _ begun: AsyncStream<Never>.Continuation) async -> Bool {
        guard let put = ingest.supply.begin() else { preconditionFailure("there are not too many") }
        _ = ingest.supply.expect(id, via: .nats, for: put)
        begun.finish()
        return await ingest.supply.outcomes(of: put, on: self) == nil
    }
}
