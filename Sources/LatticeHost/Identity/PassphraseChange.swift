import LatticeCore
package import LatticeCrypto
import LatticeNode
package import LatticeSettings

/// A change of the passphrase, while no other process uses the folder.
package struct PassphraseChange {
    private let file: IdentityFile
    private let name: PeerName
    private let content: IdentityFile.Content
    private let passphraseFile: String?

    package init(_ person: PersonChoice) throws {
        ProcessSecrecy.begin()
        let directory = try person.directory()
        do {
            try PersonChoice.checkSomebodyIsThere(directory, "nothing was changed")
            try directory.claim()
            content = try directory.identityFile.content()
        } catch let error as DataDirectoryError {
            guard case .inUse = error else { throw Failure(.failed, error.description) }
            throw Failure(.unavailable, "\(error.toEndFirst); nothing was changed")
        } catch let error as Failure {
            throw error
        } catch {
            throw Failure(.failed, "\(error)")
        }
        file = directory.identityFile
        name = directory.name
        passphraseFile = person.passphraseFile
    }

    package func unprotected() throws(Failure) -> Identity {
        guard case .open(let identity) = content else {
            throw Failure(
                .failed, "the identity already has a passphrase; to change it: lattice passphrase change")
        }
        return identity
    }

    package func protected() throws(Failure) -> Identity {
        guard case .sealed = content else {
            throw Failure(.failed, "the identity has no passphrase; to set one: lattice passphrase set")
        }
        return try IdentityLock.opened(content, of: name, file: passphraseFile)
    }

    package func seal(_ identity: Identity, newFile: String?) throws(Failure) {
        let passphrase = try IdentityLock.new(file: newFile)
        let sealed: SealedIdentity
        do {
            sealed = try SealedIdentity(sealing: identity, under: passphrase)
        } catch {
            throw Failure(.failed, error.description)
        }
        try put(identity, under: sealed)
    }

    package func put(_ identity: Identity, under sealed: SealedIdentity?) throws(Failure) {
        do {
            try file.replace(with: identity, under: sealed)
        } catch {
            throw Failure(.failed, error.description)
        }
    }
}
