package import LatticeAPI
import LatticeCore

/// A block list as text for sharing: each line has an id of 64 hexadecimal digits and a name; `#` starts a comment.
package struct BlockList: Hashable, Sendable {
    /// 4,096 people at 200 bytes, plus comments.
    package static let bytesMax = 1 << 20

    /// Without repetitions, in the order of the list.
    package let entries: [BlockEntry]
    /// Line numbers, from 1, of invalid lines and of lines beyond the number of people that can be known.
    package let wrongLines: [Int]
    /// How many people are listed more than once.
    package let repeated: Int

    package init(parsing text: String) {
        var entries: [BlockEntry] = []
        var seen: Set<PeerID> = []
        var again: Set<PeerID> = []
        var wrong: [Int] = []
        // Split at line feed bytes: "\r\n" is a single `Character`.
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let content = String(Substring(line.prefix { $0 != UInt8(ascii: "#") })).trimming()
            if content.isEmpty { continue }
            let key = content.prefix { !$0.isWhitespace }
            guard let peer = PeerID(hex: key), entries.count < KnownLimit.peopleMax else {
                wrong.append(index + 1)
                continue
            }
            guard seen.insert(peer).inserted else {
                again.insert(peer)
                continue
            }
            entries.append(BlockEntry(id: peer, name: Self.name(content.dropFirst(key.count).trimming())))
        }
        self.entries = entries
        wrongLines = wrong
        repeated = again.count
    }

    /// An invalid name is ignored: only the key counts.
    private static func name(_ text: Substring) -> PeerName? {
        do {
            return try PeerName(String(text))
        } catch {
            return nil
        }
    }

    package static func text(_ people: [KnownPerson]) -> String {
        people.map { person in
            let name = (person.petname ?? person.name).map { " \($0.text)" } ?? ""
            let since = person.blocked.map { " # blocked \(RFC3339.string($0).prefix(10))" } ?? ""
            return "\(person.id.hex)\(name)\(since)\n"
        }.joined()
    }
}
