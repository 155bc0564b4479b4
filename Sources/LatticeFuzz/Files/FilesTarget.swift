import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeCrypto
import LatticeNode

extension FuzzTarget {
    static let files = FuzzTarget(
        "files",
        "identities, people and lists of the blocked as texts: one meaning has one text, and what is read is read again",
        inputBytesMax: 1_500
    ) { bytes throws(BrokenProperty) in
        var source = ByteSource(bytes)
        switch source.byte() % 5 {
        case 0: try FilesTrial.identity(source.all())
        case 1: try FilesTrial.identity(FilesTrial.checked(source.all()))
        case 2: try FilesTrial.sealed(source.all())
        case 3: try FilesTrial.people(String(decoding: source.all(), as: UTF8.self))
        default: try FilesTrial.blocked(String(decoding: source.all(), as: UTF8.self))
        }
    }
}

private enum FilesTrial {
    /// Adds the checksum that the lines require; a fuzzer cannot guess it.
    static func checked(_ text: [UInt8]) -> [UInt8] {
        text + Array("check \(Digest.blake2b256(text).hex)\n".utf8)
    }

    static func identity(_ text: [UInt8]) throws(BrokenProperty) {
        do {
            let identity = try IdentityText.read(text)
            try hold(IdentityText.write(identity) == text, "an identity has two texts")
        } catch let error as BrokenProperty {
            throw error
        } catch {
            try ScreenOracle.check("\(error)", of: "a fault of an identity")
        }
        try sealed(text)
    }

    static func sealed(_ text: [UInt8]) throws(BrokenProperty) {
        for text in [text, checked(text)] {
            guard let identity = accepted({ try SealedIdentity(reading: text) }) else { continue }
            try hold(identity.text == text, "a sealed identity has two texts")
        }
    }

    static func people(_ text: String) throws(BrokenProperty) {
        let (known, _) = KnownPeople.read(text)
        let again = KnownPeople.read(known.text)
        try hold(again.damaged.isEmpty, "a line that was written cannot be read")
        try hold(again.0 == known, "people are read as others")
        for person in known.all { _ = Naming.meant(by: person.name?.text ?? "", among: known.all) }
    }

    static func blocked(_ text: String) throws(BrokenProperty) {
        let list = BlockList(parsing: text)
        try hold(Set(list.entries.map(\.id)).count == list.entries.count, "somebody stands twice in a list")
        let lines = text.utf8.count { $0 == UInt8(ascii: "\n") } + 1
        try hold(list.wrongLines.allSatisfy((1...lines).contains), "a wrong line that does not exist")
        try hold(list.entries.count + list.wrongLines.count <= lines, "more people than lines")
    }
}
