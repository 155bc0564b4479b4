import Glibc
package import LatticeAPI
package import LatticeCore
package import LatticeCrypto
package import LatticeNode
package import LatticeSettings

/// Where what runs for a folder is in another mesh than the one that a command goes by: whoever types it thinks of the mesh that
/// they see.
package enum MeshElsewhere {
    /// Before a command writes or shows anything.
    ///
    /// - Parameters:
    ///   - isSaid: whether an option says which mesh is meant.
    ///   - isForPrograms: whether the answer is objects.
    ///   - onlyShows: whether it only shows what is kept of the mesh.
    /// - Throws: `Failure` where something would be written to a mesh that nobody named. To have it read by strangers cannot be
    ///   taken back.
    package static func check(
        isSaid: Bool, isReadOnly: Bool, isForPrograms: Bool, onlyShows: Bool, _ mesh: MeshName, key: MeshKey?,
        in directory: DataDirectory
    ) throws(Failure) {
        if let closed = closed(mesh, key: key, in: directory) {
            guard isReadOnly else { throw Failure(.unavailable, closed) }
            if onlyShows, !isForPrograms { Report.remark(closed) }
        }
        let wish = RunningNode.Wish.mesh(mesh, closed: key?.storeTag)
        guard !isSaid, let note = directory.listening(), !note.isBrief, !wish.isMet(by: note) else {
            return
        }
        let (own, there) = (DisplayText.isolated(mesh.text), note.meshOptions)
        let runs = "the lattice running as \(DisplayText.isolated(directory.name.text)) is in \(note.shownMesh)"
        guard isReadOnly else {
            throw Failure(
                .unavailable,
                "\(runs); say which mesh you mean: add \(there) for that one, or --mesh \(own) for "
                    + "\(key == nil ? "the open" : "this") one")
        }
        if onlyShows, !isForPrograms {
            Report.remark("\(runs), but this shows mesh \(own); add \(there) to see that one")
        }
    }

    /// - Returns: in which mesh something runs for a folder that is not the wished one; `nil` where nothing does.
    package static func shown(_ wish: RunningNode.Wish, in directory: DataDirectory) -> String? {
        guard let note = directory.listening(), !note.isBrief, !wish.isMet(by: note) else { return nil }
        return note.shownMesh
    }

    /// Before what runs for a folder is shown.
    ///
    /// - Parameter mesh: the one that it has to be in; `nil` is any.
    /// - Throws: `Failure` where it is in another.
    package static func check(_ me: Me, isIn mesh: MeshName?, in directory: DataDirectory) throws(Failure) {
        guard let mesh, mesh != me.mesh else { return }
        throw Failure(
            .unavailable,
            "the lattice running as \(DisplayText.isolated(directory.name.text)) is in \(shown(me, in: directory)); remove "
                + "--mesh to use it, or start one in \(DisplayText.isolated(mesh.text)) with another --name")
    }

    /// In which mesh what runs for a folder is, where that is not the settled open one.
    package static func tell(_ me: Me, in directory: DataDirectory) throws {
        let isUsual = me.mesh == (try SettledMesh.name(nil)) && directory.listening()?.isClosed != true
        if !isUsual { Report.remark("in \(shown(me, in: directory))") }
    }

    private static func shown(_ me: Me, in directory: DataDirectory) -> String {
        directory.listening()?.shownMesh ?? "mesh \(DisplayText.isolated(me.mesh.text))"
    }

    /// As `check`, for what goes on and is not to be refused: a chat, or a watch.
    package static func tellOfClosed(_ mesh: MeshName, key: MeshKey?, in directory: DataDirectory) {
        closed(mesh, key: key, in: directory).map(Report.remark)
    }

    /// A closed mesh and the open one of its name have nothing in common, and whoever forgets the passphrase means the closed one.
    ///
    /// - Returns: what to say where this person was only ever in the closed one, or is in it now.
    package static func closed(_ mesh: MeshName, key: MeshKey?, in directory: DataDirectory) -> String? {
        guard key == nil else { return nil }
        let isIn = directory.listening().map { $0.isClosed && $0.mesh == mesh && !$0.isBrief } ?? false
        do {
            guard isIn || access(directory.storePath(of: mesh), F_OK) != 0, try !directory.storeTags(of: mesh).isEmpty
            else { return nil }
        } catch {
            return nil  // Whoever opens the store says what is wrong with the folder.
        }
        return
            "the mesh \(DisplayText.isolated(mesh.text)) is closed here; add --passphrase, or "
            + "--passphrase-file FILE"
    }
}
