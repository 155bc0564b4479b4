import Glibc

/// Holds an empty temporary store while somebody looks at one that does not exist. Making the real one would leave a trace: a
/// mistyped passphrase or mesh would look like one in use.
// Safety: mkdtemp(3) writes into an array of its own, of the length of its text.
struct LookFolder: Sendable {
    private let path: String

    var storePath: String { "\(path)/none.sqlite" }

    /// - Returns: `nil` if none can be made.
    init?() {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        // mkdtemp replaces six trailing Xs with a unique suffix.
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
