import LatticeCore
import LatticeCrypto
import LatticeWire

/// Signed chat lines of one room, over six days, each determined by its number.
struct BenchLines {
    let source: BenchPosts
    let count: Int
    let room: [UInt8]

    func records(_ numbers: Range<Int>) -> [VerifiedRecord] {
        concurrently(numbers, record)
    }

    private func record(_ number: Int) -> VerifiedRecord {
        var generator = SeededGenerator(seed: source.seed &* 1_000_003 &+ UInt64(number))
        let author = source.identities[Int.random(in: 0..<source.identities.count, using: &generator)]
        let age = Int64(count - number) * 518_400_000 / Int64(count)
        let text = source.words.text(&generator)
        return author.sign(
            Record(
                kind: .chat, author: author.peer,
                created: HybridTime(wallTime: WallTime(milliseconds: BenchPosts.filled.milliseconds - age)),
                lifetimeSeconds: 604_800, topic: room,
                body: ChatLine(style: .says, name: source.names[number % source.names.count], text: text).body))
    }
}
