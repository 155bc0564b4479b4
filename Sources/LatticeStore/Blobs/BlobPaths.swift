import LatticeCore
import LatticeWire

/// Where the files of blobs are.
struct BlobPaths: Sendable {
    let folder: String

    /// - Parameter storePath: of the SQLite file. Each store has its own folder: several meshes share one data directory.
    init(beside storePath: String) {
        let ending = ".sqlite"
        let path = DatabaseFile.plainPath(storePath)
        folder = "\(path.hasSuffix(ending) ? String(path.dropLast(ending.utf8.count)) : path).blobs"
    }

    var lock: String { "\(folder)/lock" }
    var parts: String { "\(folder)/part" }
    var new: String { "\(folder)/new" }

    private func digits(_ name: BlobName) -> String { name.root.hex }

    func completeFolder(_ name: BlobName) -> String { "\(folder)/\(digits(name).prefix(2))" }
    func complete(_ name: BlobName) -> String { "\(completeFolder(name))/\(digits(name).dropFirst(2))-\(name.size)" }
    func part(_ name: BlobName) -> String { "\(parts)/\(digits(name))-\(name.size)" }
    func new(_ number: Int) -> String { "\(new)/\(number)" }
    /// The path of a blob that is being removed.
    func aside(_ name: BlobName) -> String { "\(new)/gone-\(digits(name))-\(name.size)" }

    static let treeEnding = ".tree"
    static let mapEnding = ".map"

    /// The nodes of the blob at `path`.
    static func tree(_ path: String) -> String { path + treeEnding }
    /// Which pieces of the part at `path` are here.
    static func map(_ path: String) -> String { path + mapEnding }
}
