import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire
import Testing

@Suite struct HistoryTests {
    private let folder: Folder
    private let anna: Author
    private let bert: Author
    private let store: Store
    private static let room = Array("#park".utf8)
    private static let day: Int64 = 86_400_000

    init() throws {
        folder = try Folder()
        anna = try Author(1)
        bert = try Author(2)
        store = try folder.store(of: anna)
    }

    private func line(_ text: String, by author: Author, at milliseconds: Int64, lifetimeSeconds: UInt32 = 604_800)
        -> VerifiedRecord
    {
        author.say(
            .chat, topic: Self.room, body: ChatLine(style: .says, name: author.name, text: text).body, at: milliseconds,
            lifetimeSeconds: lifetimeSeconds)
    }

    private func texts(before: RecordID? = nil, limit: Int = 100, at now: WallTime = Morning.arrival) async throws
        -> [String]
    {
        try await store.history.lines(of: Self.room, before: before, limit: limit, at: now).lines.map {
            try $0.body.map { try ChatLine(decoding: $0).text } ?? "deleted"
        }
    }

    @Test func linesStandInTheOrderOfTheirDatesWhenTheyCameLater() async throws {
        let lines = [3, 1, 2].map { line("\($0)", by: bert, at: Morning.milliseconds + $0) }
        for one in lines { _ = try await store.insert([one], at: Morning.arrival) }
        _ = try await store.insert([bert.chat("0"), bert.post("no line")], at: Morning.arrival)
        #expect(try await texts() == ["0", "1", "2", "3"])
        #expect(try await store.history.lines(of: [1], limit: 10, at: Morning.arrival).lines.isEmpty)
    }

    @Test func aClockThreeDaysAheadStandsWhereItsWordsStandInTheTalk() async throws {
        // Bert's clock is ahead; who hears him answers behind him.
        let ahead = line("who is there", by: bert, at: Morning.milliseconds + 3 * Self.day)
        _ = try await store.insert([ahead], at: Morning.arrival)
        let answer = try await say("me")
        _ = try await store.insert([line("hm", by: bert, at: Morning.milliseconds + 1)], at: Morning.arrival)
        #expect(answer.record.created > ahead.record.created)
        #expect(try await texts() == ["hm", "who is there", "me"])
    }

    @Test func aClockAYearAheadCarriesNobodyAlong() async throws {
        let ahead = line("soon", by: bert, at: Morning.milliseconds + 365 * Self.day)
        _ = try await store.insert([ahead, line("before", by: bert, at: Morning.milliseconds)], at: Morning.arrival)
        #expect(try await store.ownClock().wallTime.milliseconds == Morning.milliseconds)
        let answer = try await say("now", at: Morning.after(seconds: 120))
        #expect(answer.record.created.wallTime == Morning.after(seconds: 120))
        #expect(try await texts(at: Morning.after(seconds: 120)) == ["before", "soon", "now"])
        let line = try #require(
            try await store.history.lines(of: Self.room, limit: 2, at: Morning.after(seconds: 120)).lines.first)
        #expect(line.id == ahead.id && line.date == Morning.arrival)
    }

    private func say(_ text: String, at wallTime: WallTime = Morning.arrival) async throws -> VerifiedRecord {
        let (identity, body) = (anna.identity, ChatLine(style: .says, name: anna.name, text: text).body)
        return try await store.write(at: wallTime, waits: false) {
            identity.sign(
                Record(
                    kind: .chat, author: identity.peer, created: $0, lifetimeSeconds: 604_800, topic: Self.room,
                    body: body))
        }.0
    }

    @Test func sevenDaysAheadIsTheEndOfWhatIsBelieved() async throws {
        let seen = Morning.arrival.milliseconds
        let lines = [
            line("believed", by: bert, at: seen + 7 * Self.day), line("not", by: bert, at: seen + 7 * Self.day + 1),
        ]
        _ = try await store.insert(lines, at: Morning.arrival)
        #expect(try await store.ownClock() == lines[0].record.created)
        #expect(try await texts() == ["not", "believed"])
    }

    @Test func pagesFollowOneAnotherWhateverComesMeanwhile() async throws {
        let lines = (0..<50).map { line("\($0)", by: bert, at: Morning.milliseconds + Int64($0 / 4) * 10) }
        _ = try await store.insert(lines, at: Morning.arrival)
        var read: [RecordID] = []
        var hasMore = true
        while hasMore {
            let page = try await store.history.lines(of: Self.room, before: read.first, limit: 7, at: Morning.arrival)
            read = page.lines.map(\.id) + read
            hasMore = page.hasMore
            _ = try await store.insert([line("new", by: bert, at: Morning.milliseconds + 1_000)], at: Morning.arrival)
        }
        let wanted = lines.sorted { ($0.record.created, $0.id) < ($1.record.created, $1.id) }.map(\.id)
        #expect(read == wanted)
    }

    @Test func expiredLinesAreLeftOutAndDeletedOnesHaveNoText() async throws {
        let short = line("short", by: bert, at: Morning.milliseconds, lifetimeSeconds: 600)
        let oops = line("oops", by: bert, at: Morning.milliseconds + 1)
        let last = line("last", by: bert, at: Morning.milliseconds + 2)
        _ = try await store.insert([short, oops, last, bert.delete(oops.id)], at: Morning.arrival)
        #expect(try await texts() == ["short", "deleted", "last"])
        #expect(try await texts(at: Morning.after(seconds: 601)) == ["deleted", "last"])
        // What stood at the end of a page may be taken back before the next is asked for.
        #expect(try await texts(before: oops.id) == ["short"])
        #expect(try await texts(before: anna.post("never told").id).isEmpty)
        let page = try await store.history.lines(of: Self.room, limit: 0, at: Morning.arrival)
        #expect(page.lines.isEmpty && page.hasMore)
    }

    @Test func aLineIsShownAsItsAuthorEditedItLast() async throws {
        let line = bert.chat("helo")
        let (first, second) = (bert.edit(line.id, bert.lineBody("hello")), bert.edit(line.id, bert.lineBody("hello!")))
        // Whatever came first.
        #expect(try await outcomes(second, line) == [.added, .added])
        #expect(try await texts() == ["hello!"])
        #expect(try await outcomes(first) == [.added])
        #expect(try await texts() == ["hello!"])
        let shown = try await store.history.lines(of: Self.room, limit: 1, at: Morning.arrival).lines
        #expect(shown.map(\.id) == [line.id] && shown.allSatisfy(\.isEdited))
        #expect(try await store.upkeep.check(verify: verified).faults == [])
    }

    @Test func nobodyElseEditsOrDeletesALine() async throws {
        let line = bert.chat("mine")
        let before = [anna.edit(line.id, anna.lineBody("ours")), anna.delete(line.id)]
        #expect(try await outcomes(before[0], before[1], line) == [.added, .added, .added])
        #expect(try await store.catalogue.known(before.map(\.id)).isEmpty)
        #expect(
            try await outcomes(anna.edit(line.id, anna.lineBody("ours")), anna.delete(line.id)) == [
                .refused("only the author may edit"), .refused("only the author may delete this"),
            ])
        #expect(try await texts() == ["mine"])
    }

    @Test func anEditOfALineIsALine() async throws {
        let line = bert.chat("mine")
        let early = bert.edit(line.id, bert.postBody("a post"))
        #expect(try await outcomes(early, line) == [.added, .added])
        #expect(try await store.catalogue.known([early.id]).isEmpty)
        let late = try await outcomes(bert.edit(line.id, [9, 9]))
        #expect(late == [.refused("\(WireError.outOfRange(field: "chat style"))")])
        #expect(try await texts() == ["mine"])
    }

    @Test func aDeletedLineIsGoneWithItsEdits() async throws {
        let line = bert.chat("a secret")
        let edits = [bert.edit(line.id, bert.lineBody("a secret!")), bert.edit(line.id, bert.lineBody("nothing"))]
        let deletion = bert.delete(line.id)
        #expect(try await outcomes(edits[0], line, deletion, edits[1]) == [.added, .added, .added, .erased])
        #expect(try await texts() == ["deleted"])
        #expect(try await store.catalogue.known(edits.map(\.id)).isEmpty)
        #expect(try await outcomes(line) == [.erased])
        let other = bert.chat("another")
        let changes = [bert.delete(other.id), bert.edit(other.id, bert.lineBody("more"))]
        #expect(try await outcomes(changes[0], changes[1], other) == [.added, .added, .erased])
        #expect(try await store.catalogue.known([changes[1].id]).isEmpty)
        #expect(try await store.upkeep.check(verify: verified).faults == [])
    }

    private func last(of room: [UInt8] = room, except authors: Set<PeerID> = [], at now: WallTime = Morning.arrival)
        async throws -> String?
    {
        let found = try await store.history.lastLines(of: [[1], room], except: authors, at: now)
        #expect(found.count == 2 && found[0] == nil)
        return try found[1].map { try $0.body.map { try ChatLine(decoding: $0).text } ?? "deleted" }
    }

    @Test func theLastLineOfARoomIsOneThatCounts() async throws {
        #expect(try await last() == nil)
        let first = line("first", by: anna, at: Morning.milliseconds)
        let short = line("short", by: bert, at: Morning.milliseconds + 1, lifetimeSeconds: 600)
        _ = try await store.insert([first, short], at: Morning.arrival)
        #expect(try await last() == "short")
        #expect(try await last(except: [bert.peer]) == "first")
        #expect(try await last(at: Morning.after(seconds: 601)) == "first")
        // A record that no chat can read hides nothing.
        let noise = bert.say(.chat, topic: Self.room, body: [0xFF], at: Morning.milliseconds + 2)
        _ = try await store.insert([noise, anna.edit(first.id, anna.lineBody("edited"))], at: Morning.arrival)
        #expect(try await last() == "short")
        #expect(try await last(except: [bert.peer]) == "edited")
        _ = try await store.insert([anna.delete(first.id)], at: Morning.arrival)
        #expect(try await last(except: [bert.peer]) == "deleted")
    }

    @Test func aFloodOfOneAuthorIsNotWalkedThrough() async throws {
        let flood = (1...256).map { line("\($0)", by: bert, at: Morning.milliseconds + Int64($0)) }
        let first = line("first", by: anna, at: Morning.milliseconds)
        _ = try await store.insert([first] + flood.dropLast(), at: Morning.arrival)
        #expect(try await last(except: [bert.peer]) == "first")
        _ = try await store.insert(flood.suffix(1), at: Morning.arrival)
        #expect(try await last(except: [bert.peer]) == nil)
        #expect(try await last() == "256")
    }

    /// A later version may allow to edit kinds that are unknown here.
    @Test func anEditOfAnUnknownKindIsKeptUntilItsTargetIsDeleted() async throws {
        let target = bert.say(RecordKind(rawValue: 400), body: [1])
        let edits = [bert.edit(target.id, [2]), anna.edit(target.id, [3])]
        #expect(try await outcomes(edits[0], target, edits[1]) == [.added, .added, .added])
        #expect(try await store.catalogue.known(edits.map(\.id)).count == 2)
        #expect(try await outcomes(bert.delete(target.id), bert.edit(target.id, [4])) == [.added, .erased])
        #expect(try await store.catalogue.known(edits.map(\.id)).isEmpty)
    }

    private func outcomes(_ records: VerifiedRecord...) async throws -> [InsertOutcome] {
        try await store.insert(records, at: Morning.arrival)
    }

    @Test func aMachineWithoutAClockIsNotMute() async throws {
        // It believes that it is 1970; everything that comes is ahead, and stands in the order of its coming.
        let morning1970 = WallTime(milliseconds: 60_000)
        _ = try await store.insert([line("first", by: bert, at: Morning.milliseconds + 5)], at: morning1970)
        _ = try await say("own", at: WallTime(milliseconds: 61_000))
        let outcomes = try await store.insert(
            [IncomingRecord(line("second", by: bert, at: Morning.milliseconds), ageSeconds: 3_600)],
            at: WallTime(milliseconds: 62_000))
        #expect(outcomes == [.added])
        // An age of an hour, a minute after the beginning of all dates.
        #expect(try await texts(at: WallTime(milliseconds: 62_000)) == ["second", "first", "own"])
    }
}
