import Glibc
import LatticeCore
package import LatticeCrypto
import LatticeNode
package import LatticeSettings

/// A key on its way from one machine to another.
package enum KeyTransfer {
    /// The identity under a passphrase: its own, or else a new one.
    package static func sealed(_ person: PersonChoice, newFile: String?) throws -> SealedIdentity {
        ProcessSecrecy.begin()
        let directory = try person.directory()
        try PersonChoice.checkSomebodyIsThere(directory, "nothing was exported")
        do {
            switch try directory.identityFile.content() {
            case .sealed(let sealed): return sealed
            case .open(let identity):
                return try SealedIdentity(sealing: identity, under: try IdentityLock.new(file: newFile))
            }
        } catch let error as Failure {
            throw error
        } catch {
            throw Failure(.failed, "\(error)")
        }
    }

    /// A key file that somebody brought. If others can read it, a remark warns.
    package static func content(of path: String) throws(Failure) -> IdentityFile.Content {
        ProcessSecrecy.begin()
        do {
            let content = try IdentityFile(path: path).content(isPrivate: false)
            var facts = stat()
            if stat(path, &facts) == 0, facts.st_mode & 0o077 != 0 {
                Report.remark("others can read \(DisplayText.safe(path)); remove it when you are done")
            }
            return content
        } catch .damaged(let path, let reason) {
            throw Failure(.failed, "\(DisplayText.safe(path)) is no key file: \(reason)")
        } catch {
            throw Failure(.failed, error.description)
        }
    }

    /// - Parameter remedy: what to do if something is there already.
    /// - Throws: `Failure` if something is there already, or nothing can be written.
    package static func create(at path: String, remedy: String, _ write: () throws(IdentityFileError) -> Void)
        throws(Failure)
    {
        do {
            try write()
        } catch .alreadyExists {
            throw Failure(
                .failed,
                "\(DisplayText.safe(path)) exists already, and nothing was changed; \(remedy)")
        } catch {
            throw Failure(.failed, error.description)
        }
    }
}
