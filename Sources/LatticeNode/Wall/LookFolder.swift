import Glibc

/// Where a store of nothing lies while somebody looks at one that is not there. To make that one would leave a trace of a look: a
/// mistyped passphrase or mesh would be taken for one that is in use.
// Safety: mkdtemp(3) writes into an array of its own, of the length of its text.
struct LookFolder: Sendable {
    private let path: String

    var storePath: String { "\(path)/none.sqlite" }

    /// - Returns: `nil` where none can be made.
    init?() {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        // Six of them at the end is where mkdtemp puts what makes the name one of a kind.
        let unique = String(repeating: "X", count: 6)
        var template = Array("\(base.hasPrefix("/") ? base : "/tmp")/lattice-look-\(unique)".utf8CString)
        let isMade = template.withUnsafeMutableBufferPointer { $0.baseAddress.map { mkdtemp($0) != nil } ?? false }
        guard isMade else { return nil }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    func remove() {
        for ending in ["", "-wal", "-shm"] { unlink(storePath + ending) }
        rmdir(path)
    }
}
