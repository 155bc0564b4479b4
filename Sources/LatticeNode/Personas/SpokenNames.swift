import LatticeAPI
import LatticeCore

/// Finds which personas a line names, at a cost that does not grow with their number.
struct SpokenNames {
    private var names: [PeerID: PeerName] = [:]
    /// By the first word of their names; empty for a name without one.
    private var byWord: [Substring: Set<PeerID>] = [:]

    mutating func set(_ name: PeerName?, of id: PeerID) {
        guard names[id] != name else { return }
        if let before = names[id] {
            let word = Self.word(of: before)
            byWord[word]?.remove(id)
            if byWord[word]?.isEmpty == true { byWord[word] = nil }
        }
        names[id] = name
        if let name { byWord[Self.word(of: name), default: []].insert(id) }
    }

    func named(in text: String) -> [PeerID] {
        let words = Set(Mention.words(of: text) + [""])
        return words.flatMap { byWord[$0] ?? [] }.filter { id in
            names[id].map { Mention.isIn(text, of: $0) } ?? false
        }
    }

    private static func word(of name: PeerName) -> Substring { Mention.words(of: name.text).first ?? "" }
}
