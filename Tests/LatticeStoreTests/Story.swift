import LatticeCore
import LatticeStore
import LatticeWire

/// A random set of records of four people who post, comment, like, change their minds, and meddle with one another's.
struct Story {
    let authors: [Author]
    private(set) var records: [VerifiedRecord] = []
    private var dice: SeededGenerator

    init(seed: UInt64, records count: Int = 120) throws {
        authors = try (1...4).map { try Author($0) }
        dice = SeededGenerator(seed: seed)
        while records.count < count { records.append(next()) }
    }

    /// Another order of the same.
    mutating func shuffled() -> [VerifiedRecord] {
        records.shuffled(using: &dice)
    }

    private mutating func next() -> VerifiedRecord {
        let author = authors[Int.random(in: 0..<authors.count, using: &dice)]
        let word = ["tree", "lake", "Brücke", "noon", "chair"][Int.random(in: 0..<5, using: &dice)]
        switch Int.random(in: 0..<30, using: &dice) {
        case 28...29: return place(by: author, word)
        case 0...3: return author.say(.post, body: author.postBody(word, somewhere(), photo()))
        case 4: return author.say(.event, body: author.eventBody(word, photo()), lifetimeSeconds: 3_600)
        case 5: return author.chat(word)
        case 6: return author.profile(word, photo())
        case 7...9: return author.comment(word, on: anything())
        case 10...12: return author.like(anything(), holds: Bool.random(using: &dice))
        case 13: return author.attend(anything(), holds: Bool.random(using: &dice))
        case 14:
            return author.follow(authors[Int.random(in: 0..<4, using: &dice)].peer, holds: Bool.random(using: &dice))
        case 15...18: return edit(by: author, word)
        case 19 where records.count.isMultiple(of: 2): return author.card(word)
        case 19 where records.count.isMultiple(of: 3):
            return author.crossing(Bool.random(using: &dice) ? ["#park"] : nil)
        case 19: return author.say(RecordKind(rawValue: 400), topic: anything().hash.bytes, body: [1, 2])
        case 24...26:
            let emoji = ["👍", "🎉", "❤️"][Int.random(in: 0..<3, using: &dice)]
            return author.react(emoji, to: anything(), holds: Int.random(in: 0..<4, using: &dice) > 0)
        case 27:
            let pinned: PinBody.Pinned =
                switch Int.random(in: 0..<3, using: &dice) {
                case 0: .nothing
                case 1: .line(anything())
                default: .text(word)
                }
            return author.pin(pinned)
        case 20: return author.say(.post, body: [7])
        default: return deletion(by: author)
        }
    }

    /// Some are part of another, and some may be edited by somebody else.
    private mutating func place(by author: Author, _ word: String) -> VerifiedRecord {
        let others = authors.filter { $0.peer != author.peer && Bool.random(using: &dice) }
        return author.say(
            .place, topic: Bool.random(using: &dice) ? anything().hash.bytes : [],
            body: author.placeBody(word, editors: others.map(\.peer)), lifetimeSeconds: 3_600)
    }

    /// One of three, or none.
    private mutating func photo() -> BodyPhoto? {
        guard Bool.random(using: &dice) else { return nil }
        return Morning.photo(UInt64.random(in: 1...3, using: &dice), alt: Bool.random(using: &dice) ? "a tree" : nil)
    }

    private mutating func somewhere() -> Place {
        Morning.place(
            latitudeE7: .random(in: -900_000_000...900_000_000, using: &dice),
            longitudeE7: .random(in: -1_800_000_000...1_799_999_999, using: &dice))
    }

    /// Mostly something that is said here, now and then what nobody said.
    private mutating func anything() -> RecordID {
        guard let one = records.randomElement(using: &dice), Int.random(in: 0..<10, using: &dice) > 0 else {
            return authors[0].post("never told").id
        }
        return one.id
    }

    private mutating func edit(by author: Author, _ word: String) -> VerifiedRecord {
        let bodies = [
            author.postBody("\(word) again", somewhere(), photo()), CommentBody(name: author.name, text: word).body,
            author.eventBody("\(word) again", photo()), author.lineBody("\(word) again"),
            author.placeBody("\(word) again"), [9, 9],
        ]
        let kinds: [RecordKind] = [.post, .comment, .event, .chat, .place]
        // A place may be of somebody who named this author.
        if let own = records.filter({ ($0.author == author.peer || $0.kind == .place) && kinds.contains($0.kind) })
            .randomElement(using: &dice), Int.random(in: 0..<4, using: &dice) > 0
        {
            let body = kinds.firstIndex(of: own.kind).map { bodies[$0] } ?? []
            return author.edit(own.id, body, lifetimeSeconds: .random(in: 1_800...7_200, using: &dice))
        }
        return author.edit(anything(), bodies[Int.random(in: 0..<6, using: &dice)])
    }

    private mutating func deletion(by author: Author) -> VerifiedRecord {
        let comments = records.filter { $0.kind == .comment }
        if let comment = comments.randomElement(using: &dice), Bool.random(using: &dice) {
            // By its author, or by that of what it is about, if that is known.
            let isOwn = Bool.random(using: &dice)
            let parent = isOwn ? comment : records.first { $0.id.hash.bytes == comment.record.topic }
            let mayDelete = authors.first { $0.peer == parent?.author } ?? author
            return mayDelete.delete(comment.id)
        }
        let lines = records.filter { $0.kind == .chat && $0.author == author.peer }
        if let line = lines.randomElement(using: &dice), Int.random(in: 0..<4, using: &dice) == 0 {
            return author.delete(line.id)
        }
        return author.delete(anything())
    }
}
