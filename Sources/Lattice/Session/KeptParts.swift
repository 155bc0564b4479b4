import FoundationEssentials
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeNode

/// What a session keeps in its folder; in memory, only who it is.
struct KeptParts: Sendable {
    let identity: Identity
    let meshKey: MeshKey?
    let archive: Archive?
    let people: PeopleBook?
    private let lock: FolderLock?

    init(_ settings: SessionSettings) throws(LatticeError) {
        meshKey = try settings.meshKey()
        guard case .folder(let url) = settings.configuration.storage else {
            (identity, archive, people, lock) = (settings.network?.identity ?? .generate(), nil, nil, nil)
            return
        }
        do {
            let directory = try DataDirectory(name: settings.name, directory: url.path)
            let lock = try directory.hold()
            guard case .open(let identity) = try directory.identityFile.contentOrCreate().0 else {
                throw LatticeError(.storage, "the identity in \(url.path) is sealed with a passphrase of its own")
            }
            let archive = try StoreSession.openArchive(
                directory: directory, identity: identity, mesh: settings.mesh, meshKey: meshKey,
                textClustersMax: PostLimit.textClustersRange.upperBound)
            (self.identity, self.archive, self.people, self.lock) = (identity, archive, directory.people, lock)
        } catch let error as LatticeError {
            throw error
        } catch let error as RequestError {
            throw LatticeError(.storage, LogMessages.message(error))
        } catch {
            throw LatticeError(.storage, "the folder \(url.path) cannot be used: \(error)")
        }
    }

    /// Closes the store, and leaves the folder to the next session.
    func close() {
        archive?.close()
        lock?.release()
    }
}
