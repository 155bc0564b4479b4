import Glibc
import LatticeCore
import LatticeCrypto
import LatticeNode

/// Where what runs for a folder is in another mesh than the one that a command goes by: whoever types it thinks of the mesh that
/// they see.
enum MeshElsewhere {
    /// Before a command writes or shows anything.
    ///
    /// - Parameter onlyShows: whether it only shows what is kept of the mesh.
    /// - Throws: `Failure` where something would be written to a mesh that nobody named. To have it read by strangers cannot be
    ///   taken back.
    static func check(
        _ options: some WallOptions, onlyShows: Bool, _ mesh: MeshName, key: MeshKey?, in directory: DataDirectory
    ) throws(Failure) {
        if let closed = closed(mesh, key: key, in: directory) {
            guard options.isReadOnly else { throw Failure(.unavailable, closed) }
            if onlyShows, !options.json { Report.remark(closed) }
        }
        let wish = RunningNode.Wish.mesh(mesh, closed: key?.storeTag)
        guard !options.isMeshSaid, let note = directory.listening(), !note.isBrief, !wish.isMet(by: note) else {
            return
        }
        let (own, there) = (DisplayText.isolated(mesh.text), note.meshOptions)
        let runs = "what runs for \(DisplayText.isolated(directory.name.text)) is in \(note.shownMesh)"
        guard options.isReadOnly else {
            throw Failure(
                .unavailable,
                "\(runs), and nothing says which mesh this is for; add \(there) for that one, or --mesh \(own) for "
                    + "\(key == nil ? "the open" : "this") one")
        }
        if onlyShows, !options.json { Report.remark("\(runs), and this is of mesh \(own); \(there) shows that one") }
    }

    /// As `check`, for what goes on and is not to be refused: a chat, or a watch.
    static func tellOfClosed(_ mesh: MeshName, key: MeshKey?, in directory: DataDirectory) {
        closed(mesh, key: key, in: directory).map(Report.remark)
    }

    /// A closed mesh and the open one of its name have nothing in common, and whoever forgets the passphrase means the closed one.
    ///
    /// - Returns: what to say where this person was only ever in the closed one, or is in it now.
    static func closed(_ mesh: MeshName, key: MeshKey?, in directory: DataDirectory) -> String? {
        guard key == nil else { return nil }
        let isIn = directory.listening().map { $0.isClosed && $0.mesh == mesh && !$0.isBrief } ?? false
        do {
            guard isIn || access(directory.storePath(of: mesh), F_OK) != 0, try !directory.storeTags(of: mesh).isEmpty
            else { return nil }
        } catch {
            return nil  // Whoever opens the store says what is wrong with the folder.
        }
        return
            "what is kept here of the mesh \(DisplayText.isolated(mesh.text)) is of a closed one; add --passphrase, or "
            + "--passphrase-file FILE"
    }
}
