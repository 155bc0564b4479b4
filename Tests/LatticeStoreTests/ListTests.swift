import GRDB
import LatticeCore
import LatticeStore
import LatticeWire
import Testing

/// Timelines, comments, people and short ids.
@Suite struct ListTests {
    @Test func theTimelineIsMineAndThoseIFollowNewestFirst() async throws {
        for seed in 1...5 as ClosedRange<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let shelf = try Shelf(seed: seed)
            let things = (0..<300).map { _ in
                Shelf.Thing(
                    kind: Bool.random(using: &generator) ? .post : .event,
                    author: Int.random(in: 0..<8, using: &generator),
                    date: Shelf.now.milliseconds - Int64.random(in: 0..<40, using: &generator),
                    expires: Shelf.now.milliseconds + Int64.random(in: -1..<5, using: &generator),
                    state: Int.random(in: 0..<8, using: &generator) == 0 ? 1 : 0)
            }
            try shelf.put(things)
            for author in [2, 3, 5] { try shelf.react(.follow, by: 0, to: Shelf.peer(author).key) }
            try shelf.react(.follow, by: 0, to: Shelf.peer(7).key, holds: false)
            let expected = things.enumerated().filter {
                [0, 2, 3, 5].contains($1.author) && $1.state == 0 && $1.expires > Shelf.now.milliseconds
            }.map { (-$1.date, -Int64($0 + 1)) }.sorted { $0 < $1 }.map { -$0.1 }
            var seqs: [Int64] = []
            var mark: TimeMark?
            while true {
                let page = try await shelf.store.timeline.items(at: Shelf.now, limit: 7, before: mark)
                seqs += page.map(\.seq)
                mark = page.last?.mark
                if page.count < 7 { break }
            }
            #expect(seqs == expected)
        }
    }

    /// The same as by a list that is sorted here, page by page.
    @Test(arguments: [false, true])
    func eventsThatAreNotOverComeFirstAndThenThoseThatAre(isAttending: Bool) async throws {
        for seed in 1...5 as ClosedRange<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let shelf = try Shelf(seed: seed)
            let (now, hour) = (Shelf.now.milliseconds, Int64(3_600_000))
            let things = (0..<120).map { _ in
                let starts = now + Int64.random(in: -6..<6, using: &generator) * hour
                let length: Int64? = Bool.random(using: &generator) ? Int64.random(in: 0..<5, using: &generator) : nil
                return Shelf.Thing(
                    kind: Int.random(in: 0..<6, using: &generator) == 0 ? .post : .event,
                    author: Int.random(in: 1..<4, using: &generator),
                    expires: now + Int64.random(in: -1..<9, using: &generator),
                    state: Int.random(in: 0..<8, using: &generator) == 0 ? 1 : 0, starts: starts,
                    ends: length.map { starts + $0 * hour })
            }
            let ids = try shelf.put(things)
            var attended: Set<Int> = []
            for index in things.indices where Int.random(in: 0..<3, using: &generator) > 0 {
                let holds = Bool.random(using: &generator)
                try shelf.react(.attendance, by: 2, to: ids[index].hash, holds: holds)
                if holds { attended.insert(index) }
            }
            let meant = things.indices.filter { index in
                let thing = things[index]
                return thing.kind == .event && thing.state == 0 && thing.expires > now
                    && (isAttending ? attended.contains(index) : thing.author == 2)
            }
            func isOver(_ index: Int) -> Bool {
                (things[index].ends ?? (things[index].starts ?? 0) + 3 * hour) <= now
            }
            func key(_ index: Int) -> (Int64, Int) { (things[index].starts ?? 0, index) }
            let coming = meant.filter { !isOver($0) }.sorted { key($0) < key($1) }
            let past = meant.filter(isOver).sorted { key($0) > key($1) }
            #expect(!coming.isEmpty && !past.isEmpty)
            var found: [StoredItem] = []
            var mark: EventReader.Mark?
            while true {
                let page = try await shelf.store.events.events(
                    of: Shelf.peer(2), isAttending: isAttending, at: Shelf.now, limit: 4, after: mark)
                found += page
                guard page.count == 4, let last = page.last, let starts = last.starts else { break }
                mark = EventReader.Mark(isPast: last.isPast, start: TimeMark(date: starts, seq: last.seq))
            }
            #expect(found.map(\.id) == (coming + past).map { ids[$0] })
            #expect(found.map(\.isPast) == coming.map { _ in false } + past.map { _ in true })
        }
    }

    @Test func commentsAreOldestFirstAndOfTooManyTheNewest() async throws {
        let shelf = try Shelf()
        let post = try shelf.put([Shelf.Thing()])[0]
        let dates = [5, 3, 9, 1, 7] as [Int64]
        let ids = try shelf.put(dates.map { Shelf.Thing(kind: .comment, date: $0, parent: post) })
        let all = try await shelf.store.items.comments(of: post, at: Shelf.now, limit: 10)
        #expect(all.map(\.id) == [ids[3], ids[1], ids[0], ids[4], ids[2]])
        #expect(all.allSatisfy { $0.parent == post })
        let newest = try await shelf.store.items.comments(of: post, at: Shelf.now, limit: 2)
        #expect(newest.map(\.id) == [ids[4], ids[2]])
    }

    @Test func whatIsAPostACommentOrNeitherIsToldByItsId() async throws {
        let shelf = try Shelf()
        let post = try shelf.put([Shelf.Thing(state: 1)])[0]
        let comment = try shelf.put([Shelf.Thing(kind: .comment, parent: post)])[0]
        let unknown = RecordID(Bytes32(words: (1, 2, 3, 4)))
        let parents = try await shelf.store.items.parents(of: [comment, unknown, post])
        let known: [RecordID: RecordID?] = [post: nil, comment: post]
        #expect(parents == known)
        #expect(try await shelf.store.items.parents(of: []).isEmpty)
        #expect(try await shelf.store.outbox.newest() == nil)
        for seq in [2, 1] {
            try await shelf.rows.write { try $0.execute(sql: "INSERT INTO outbox VALUES (?)", arguments: [seq]) }
        }
        #expect(try await shelf.store.outbox.newest() == 2)
    }

    @Test func whatOthersDidIsNewestFirst() async throws {
        let shelf = try Shelf()
        let post = try shelf.put([Shelf.Thing()])[0]
        let comment = try shelf.put([Shelf.Thing(kind: .comment, author: 2, date: 10, parent: post)])[0]
        try shelf.react(.like, by: 3, to: post.hash, date: 20)
        try shelf.react(.follow, by: 4, to: Shelf.owner.key, date: 5)
        try await shelf.rows.write { database in
            try database.execute(
                sql: """
                    INSERT INTO activity SELECT seq, (
                      SELECT p.seq FROM peer p JOIN reaction x ON x.target = p.key WHERE x.kind = 7),
                      date, kind, iif(kind = 7, NULL, 1) FROM record WHERE kind <> 4
                    """)
        }
        let all = try await shelf.store.notifications.newest(at: Shelf.now, limit: 10).notifications
        #expect(all.map(\.kind) == [.like, .comment, .follow])
        #expect(all.map(\.by.peer) == [3, 2, 4].map(Shelf.peer))
        #expect(all.map(\.item?.id) == [post, post, nil])
        #expect(all.map(\.comment?.id) == [nil, comment, nil])
        let (second, next) = try await shelf.store.notifications.newest(at: Shelf.now, limit: 1, before: all[0].mark)
        #expect(second.map(\.kind) == [.comment] && next == second.first?.mark)
    }

    @Test func aShortIdIsAsLongAsItsNeighboursMakeIt() async throws {
        let shelf = try Shelf()
        let ids = ["1234560", "1234561", "12", "f"].compactMap { digits in
            Bytes32(hex: digits + String(repeating: "0", count: 64 - digits.count)).map(RecordID.init)
        }
        try shelf.put(ids.map { Shelf.Thing(id: $0) })
        #expect(try await shelf.store.items.short(of: ids) == ["1234560", "1234561", "120000", "f00000"])
        #expect(try await shelf.store.items.ids(withPrefix: "12345", limit: 5) == [ids[0], ids[1]])
        #expect(try await shelf.store.items.ids(withPrefix: "1234561", limit: 5) == [ids[1]])
        #expect(try await shelf.store.items.ids(withPrefix: "F", limit: 5) == [ids[3]])
        for nothing in ["", "xyz", "12 ", "é", String(repeating: "1", count: 65)] {
            #expect(try await shelf.store.items.ids(withPrefix: nothing, limit: 5).isEmpty)
        }
    }

    @Test func peopleAreFoundByWhatStandsForThem() async throws {
        let shelf = try Shelf()
        try shelf.put((0..<4).map { Shelf.Thing(author: $0) })
        try shelf.profile(2, name: "Bob")
        try shelf.react(.follow, by: 0, to: Shelf.peer(3).key)
        try shelf.react(.follow, by: 2, to: Shelf.peer(3).key, date: 9)
        let store = shelf.store
        let bob = Shelf.peer(2)
        for text in ["bob", "Bob#\(bob.short)", bob.short, "#\(bob.short)", String(bob.hex.prefix(8)), bob.hex] {
            #expect(try await store.people.matching(text, at: Shelf.now, limit: 9).map(\.peer) == [bob], "\(text)")
        }
        #expect(try await store.people.matching("name1", at: Shelf.now, limit: 9).map(\.peer) == [Shelf.peer(1)])
        for text in ["", "#", "bob#yyyy", "name2", String(bob.hex.prefix(5))] {
            #expect(try await store.people.matching(text, at: Shelf.now, limit: 9).isEmpty, "\(text)")
        }
        let stranger = Shelf.peer(77)
        #expect(try await !store.people.person(stranger, at: Shelf.now).isFollowedByOwner)
        // Somebody may be followed before anything of theirs comes.
        try shelf.react(.follow, by: 0, to: stranger.key)
        let person = try await store.people.person(stranger, at: Shelf.now)
        #expect(person.isFollowedByOwner && person.followers == 1 && person.name == nil)
        #expect(try await store.people.matching(stranger.hex, at: Shelf.now, limit: 9).map(\.peer) == [stranger])
        let followed = try await store.people.person(Shelf.peer(3), at: Shelf.now)
        #expect(followed.isFollowedByOwner && followed.followers == 2 && followed.posts == 1)
        #expect(followed.name == "name3")
        #expect(try await store.people.person(stranger, at: Shelf.now).name == nil)
        #expect(try await store.people.following() == [Shelf.peer(3)])
        #expect(try await store.people.all(at: Shelf.now, limit: 9).map(\.peer).prefix(2) == [Shelf.peer(3), bob])
        let followers = try await store.people.who(
            .follow, RecordID(Shelf.peer(3).key), at: Shelf.now, limit: 9)
        #expect(followers.map(\.peer) == [bob, Shelf.owner])
    }
}
