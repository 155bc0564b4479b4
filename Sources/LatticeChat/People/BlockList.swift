package import LatticeAPI
import LatticeCore

/// A block list as text that can be shared: on each line an id of 64 hexadecimal digits and a name; `#` begins a remark.
package struct BlockList: Hashable, Sendable {
    /// 4,096 people at 200 bytes, with room for remarks.
    package static let bytesMax = 1 << 20

    /// Each once, in the order of the list.
    package let entries: [BlockEntry]
    /// Lines that name nobody, counted from 1; and those beyond as many people as can be known.
    package let wrongLines: [Int]
    /// People who are listed more than once.
    package let repeated: Int

    package init(parsing text: String) {
        var entries: [BlockEntry] = []
        var seen: Set<PeerID> = []
        var again: Set<PeerID> = []
        var wrong: [Int] = []
        // A line ends with a line feed, whatever stands before it: "\r\n" is one `Character`.
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

    /// What is no name is no fault: it is the key that counts.
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
