import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire
import Testing

@Suite struct InsertTests {
    let folder: Folder
    let anna: Author
    let bert: Author
    let store: Store

    init() throws {
        folder = try Folder()
        anna = try Author(1)
        bert = try Author(2)
        store = try folder.store(of: anna)
    }

    private func insert(_ records: VerifiedRecord...) async throws -> [InsertOutcome] {
        try await store.insert(records, at: Morning.arrival)
    }

    @Test func whatIsHereIsKnown() async throws {
        let post = bert.post("hello")
        #expect(try await insert(post, post) == [.added, .known])
        #expect(try await insert(post) == [.known])
    }

    @Test func whatCouldNotBeShownIsRefused() async throws {
        let outcomes = try await insert(
            bert.say(.chat, topic: Array("#park".utf8), body: [0, 1, 97, 9]),
            bert.say(.chat, topic: Array("#a b".utf8), body: [0, 1, 97, 1, 98]),
            bert.say(.chat, topic: [0xFF], body: [0, 1, 97, 1, 98]), bert.say(.post, body: [1]),
            bert.say(.post, topic: [1], body: bert.postBody("x")),
            bert.say(.like, topic: [1], body: [1]), bert.say(.profile, topic: [1], body: [0]),
            bert.say(.deletion, topic: [UInt8](repeating: 0, count: 32), body: [1]))
        #expect(outcomes.allSatisfy { if case .refused = $0 { true } else { false } })
        #expect(try await store.upkeep.stats(at: Morning.arrival).records == 0)
    }

    @Test func onlyTheNewestLikeStands() async throws {
        let post = anna.post("a bench")
        let (like, unlike) = (bert.like(post.id), bert.like(post.id, holds: false))
        #expect(try await insert(post, unlike, like) == [.added, .added, .superseded])
        #expect(try dump(folder.path).contains { $0.hasPrefix("activity") } == false)
        #expect(try await insert(bert.like(post.id)) == [.added])
        #expect(try dump(folder.path).contains { $0.hasPrefix("activity") })
    }

    @Test func whatIsOverWhenItComesIsNotKept() async throws {
        let post = bert.post("gone", at: Morning.milliseconds - 100_000_000, lifetimeSeconds: 60)
        #expect(try await insert(post) == [.expired])
    }

    @Test func presenceIsNotKept() async throws {
        let presence = bert.say(.presence, body: Presence(isHere: true, name: bert.name, rooms: []).body)
        #expect(try await insert(presence) == [.ignored])
    }

    @Test func whatWasTakenBackDoesNotComeAgain() async throws {
        let post = bert.post("oops")
        #expect(try await insert(post, bert.delete(post.id), post) == [.added, .added, .erased])
        #expect(try dump(folder.path).joined().contains("oops") == false)
    }

    @Test func whatIsTakenBackBeforeItComesNeverShows() async throws {
        let post = bert.post("oops")
        #expect(try await insert(bert.delete(post.id), post, post) == [.added, .erased, .erased])
        #expect(try dump(folder.path).joined().contains("oops") == false)
    }

    @Test func nobodyElseMayTakeBackOrEdit() async throws {
        let post = anna.post("mine")
        let outcomes = try await insert(post, bert.delete(post.id), bert.edit(post.id, bert.postBody("ours")))
        #expect(
            outcomes == [.added, .refused("only the author may delete this"), .refused("only the author may edit")])
    }

    @Test func anAuthorMayTakeBackACommentOnTheirPost() async throws {
        let post = anna.post("mine")
        let comment = bert.comment("rude", on: post.id)
        #expect(try await insert(comment, anna.delete(comment.id), post) == [.added, .added, .added])
        #expect(try dump(folder.path).joined().contains("rude") == false)
    }

    @Test func thatItsAuthorTookACommentBackGoesBeforeThatAnotherDid() async throws {
        let post = anna.post("mine")
        let comment = bert.comment("rude", on: post.id)
        #expect(
            try await insert(post, comment, anna.delete(comment.id), bert.delete(comment.id)) == [
                .added, .added, .added, .added,
            ])
        let item = try #require(try await store.items.item(comment.id, at: Morning.arrival))
        #expect(item.state == .deletedByAuthor && item.text == "")
        let other = bert.comment("ruder", on: post.id)
        #expect(try await insert(other, anna.delete(other.id)) == [.added, .added])
        #expect(try await store.items.item(other.id, at: Morning.arrival)?.state == .deletedByParentAuthor)
    }

    @Test func whatWasTakenBackDoesNotComeAgainWhenItsPlaceIsGone() async throws {
        let post = bert.post("oops", lifetimeSeconds: 600)
        #expect(try await insert(post, bert.delete(post.id)) == [.added, .added])
        #expect(try await store.upkeep.expire(at: Morning.after(seconds: 700)) == 1)
        // The deletion waits again, among what has a share of its own.
        #expect(try dump(folder.path).contains { $0.hasPrefix("usage_kind: 2|11|1|") })
        #expect(try await insert(post) == [.erased])
        #expect(try dump(folder.path).contains { $0.hasPrefix("usage_kind: 0|11|1|") })
        #expect(try await store.upkeep.check(verify: verified).faults == [])
    }

    @Test func anEditThatMakesAnEventLaterMakesItLast() async throws {
        let event = bert.event("picnic", lifetimeSeconds: 60 * 60)
        let edit = bert.edit(event.id, bert.eventBody("long picnic"), lifetimeSeconds: 86_400)
        #expect(try await insert(event, edit) == [.added, .added])
        #expect(try await store.upkeep.expire(at: Morning.after(seconds: 7_200)) == 0)
        #expect(try await store.upkeep.expire(at: Morning.after(seconds: 90_000)) == 2)
        #expect(try await store.upkeep.stats(at: Morning.arrival).records == 0)
    }

    @Test func ownDatesGrowWhateverTheClockDoes() async throws {
        let anna = try Author(1)
        var dates: [HybridTime] = []
        for second in [10, 5, 5, 20] as [Int64] {
            let other = try folder.store(of: anna)
            let (record, outcome) = try await other.write(at: Morning.after(seconds: second), waits: true) {
                [identity = anna.identity] in
                identity.sign(
                    Record(
                        kind: .chat, author: identity.peer, created: $0, lifetimeSeconds: 3_600,
                        topic: Array("#park".utf8),
                        body: [0, 1, 97, 1, 98]))
            }
            #expect(outcome == .added)
            dates.append(record.record.created)
        }
        #expect(dates == dates.sorted() && Set(dates).count == 4)
        let waiting = try await store.outbox.waiting(limit: 10, after: nil)
        #expect(waiting.map(\.record.record.created) == dates)
        #expect(try await store.outbox.waiting(limit: 10, after: waiting[1].seq).count == 2)
    }

    @Test func whatIsConfirmedWaitsNoMore() async throws {
        let (record, _) = try await store.write(at: Morning.arrival, waits: true) {
            [identity = anna.identity, name = anna.name] in
            identity.sign(
                Record(
                    kind: .profile, author: identity.peer, created: $0, lifetimeSeconds: 3_600, topic: [],
                    body: ProfileBody(name: name, about: "", colour: nil).body))
        }
        #expect(try await store.upkeep.stats(at: Morning.arrival).waiting == 1)
        try await store.outbox.confirmed([record.id])
        #expect(try await store.outbox.waiting(limit: 10, after: nil).isEmpty)
    }

    @Test func settingsStay() async throws {
        try await store.set("here", "40.7,-74")
        try await store.set("here", "41,-74")
        #expect(try await folder.store(of: anna).setting("here") == "41,-74")
        try await store.set("here", nil)
        #expect(try await store.setting("here") == nil)
    }

    @Test func anotherWritersWorkIsNoticed() async throws {
        let other = try folder.store(of: anna)
        let before = try await store.changeCount()
        _ = try await insert(bert.post("own"))
        #expect(try await store.changeCount() == before)
        _ = try await other.insert([bert.post("other")], at: Morning.arrival)
        #expect(try await store.changeCount() != before)
    }

    @Test func theFilesTellThatNobodyHasWritten() async throws {
        let other = try folder.store(of: anna)
        _ = try await other.insert([bert.post("one")], at: Morning.arrival)
        var files = store.fileMarks
        for word in ["two", "three", "four"] {
            #expect(try await store.outbox.waiting(limit: 1, after: nil).isEmpty)
            #expect(store.fileMarks == files, "reading is not writing")
            _ = try await other.insert([bert.post(word)], at: Morning.arrival)
            #expect(store.fileMarks != files, "\(word)")
            files = store.fileMarks
        }
        #expect(FileMark(path: "\(folder.path).none") == nil)
    }
}
