import Glibc
import LatticeCore
import LatticeCrypto
import LatticeNode

/// Where what runs for a folder is in another mesh than the one that a command goes by: whoever types it thinks of the mesh that
/// they see.
enum MeshElsewhere {
    /// Before a command writes or shows anything.
    ///
    /// - Parameter isPast: whether it shows what is in the mesh.
    /// - Throws: `Failure` where something would be written to a mesh that nobody named. To have it read by strangers cannot be
    ///   taken back.
    static func check(
        _ options: some WallOptions, isPast: Bool, _ mesh: MeshName, key: MeshKey?, in directory: DataDirectory
    ) throws(Failure) {
        if isPast { tellOfClosed(mesh, key: key, in: directory) }
        let wish = RunningNode.Wish.mesh(mesh, closed: key?.storeTag)
        guard !options.isMeshSaid, let note = directory.listening(), !note.isBrief, !wish.isMet(by: note) else {
            return
        }
        let (own, closed) = (DisplayText.isolated(mesh.text), note.isClosed ? " --passphrase" : "")
        let there = "--mesh \(DisplayText.isolated(note.mesh.text))\(closed)"
        let runs = "what runs for \(DisplayText.isolated(directory.name.text)) is in \(note.shownMesh)"
        guard options.isReadOnly else {
            throw Failure(
                .unavailable,
                "\(runs), and nothing says which mesh this is for; add \(there) for that one, or --mesh \(own) for "
                    + "\(key == nil ? "the open" : "this") one")
        }
        if isPast, !options.json { Report.remark("\(runs), and this is of mesh \(own); \(there) shows that one") }
    }

    /// A closed mesh and the open one of its name have nothing in common: to show the empty one says nothing.
    private static func tellOfClosed(_ mesh: MeshName, key: MeshKey?, in directory: DataDirectory) {
        do {
            guard key == nil, access(directory.storePath(of: mesh), F_OK) != 0,
                try !directory.storeTags(of: mesh).isEmpty
            else { return }
        } catch {
            return  // Whoever opens the store says what is wrong with the folder.
        }
        Report.remark(
            "what is kept here of the mesh \(DisplayText.isolated(mesh.text)) is of a closed one; add --passphrase to see it"
        )
    }
}
