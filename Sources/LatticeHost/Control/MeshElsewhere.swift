import Glibc
package import LatticeAPI
package import LatticeCore
package import LatticeCrypto
package import LatticeNode
package import LatticeSettings

/// The running node of a folder may be in a different mesh than the command's. The person who types the command has the mesh
/// in mind that they see.
package enum MeshElsewhere {
    /// Runs before a command writes or shows anything.
    ///
    /// - Parameters:
    /// - isSaid: whether an option names the mesh.
    /// - isForPrograms: whether the output is JSON.
    /// - onlyShows: whether the command only reads the mesh's records.
    /// - Throws: `Failure` if the command would write to a mesh that nobody named. Once strangers can read a record, that
    ///   cannot be undone.
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

    /// - Returns: the mesh of the folder's running node if it is not the wanted one; `nil` otherwise.
    package static func shown(_ wish: RunningNode.Wish, in directory: DataDirectory) -> String? {
        guard let note = directory.listening(), !note.isBrief, !wish.isMet(by: note) else { return nil }
        return note.shownMesh
    }

    /// Runs before the running node is shown.
    ///
    /// - Parameter mesh: the mesh it must be in; `nil` is any.
    /// - Throws: `Failure` if it is in another.
    package static func check(_ me: Me, isIn mesh: MeshName?, in directory: DataDirectory) throws(Failure) {
        guard let mesh, mesh != me.mesh else { return }
        throw Failure(
            .unavailable,
            "the lattice running as \(DisplayText.isolated(directory.name.text)) is in \(shown(me, in: directory)); remove "
                + "--mesh to use it, or start one in \(DisplayText.isolated(mesh.text)) with another --name")
    }

    /// Remarks on the running node's mesh, unless it is the configured open one.
    package static func tell(_ me: Me, in directory: DataDirectory) throws {
        let isUsual = me.mesh == (try SettledMesh.name(nil)) && directory.listening()?.isClosed != true
        if !isUsual { Report.remark("in \(shown(me, in: directory))") }
    }

    private static func shown(_ me: Me, in directory: DataDirectory) -> String {
        directory.listening()?.shownMesh ?? "mesh \(DisplayText.isolated(me.mesh.text))"
    }

    /// Like `check`, but only remarks: for a chat or a watch, which goes on.
    package static func reportClosed(_ mesh: MeshName, key: MeshKey?, in directory: DataDirectory) {
        closed(mesh, key: key, in: directory).map(Report.remark)
    }

    /// A closed mesh and the open one of its name share nothing. A person who forgets the passphrase means the closed one.
    ///
    /// - Returns: the remark if this person has only ever been in the closed one, or is in it now.
    package static func closed(_ mesh: MeshName, key: MeshKey?, in directory: DataDirectory) -> String? {
        guard key == nil else { return nil }
        let isIn = directory.listening().map { $0.isClosed && $0.mesh == mesh && !$0.isBrief } ?? false
        do {
            guard isIn || access(directory.storePath(of: mesh), F_OK) != 0, try !directory.storeTags(of: mesh).isEmpty
            else { return nil }
        } catch {
            return nil  // Opening the store reports problems with the folder.
        }
        return
            "the mesh \(DisplayText.isolated(mesh.text)) is closed here; add --passphrase, or "
            + "--passphrase-file FILE"
    }
}
