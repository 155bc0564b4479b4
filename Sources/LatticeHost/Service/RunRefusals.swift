import LatticeCore
import LatticeCrypto
import LatticeNode
package import LatticeSettings

/// Errors with which `lattice run` would refuse to start, found by its own checks. What depends on other programs, such
/// as a port in use, is not checked.
package enum RunRefusals {
    package static func found(_ person: PersonChoice, _ network: NetworkChoice, _ irc: IRCChoice) -> [Failure] {
        var found: [Failure] = []
        func look(_ check: () throws -> Void) -> Bool {
            do {
                try check()
                return true
            } catch let failure as Failure {
                found.append(failure)
            } catch {
                found.append(Failure(.usage, "\(error)"))
            }
            return false
        }
        // Files that do not go together need not be read.
        if look(irc.check) { _ = look { _ = try irc.front() } }
        _ = look(network.checkInterface)
        _ = look(network.closed.checkFile)
        _ = look(person.checkPassphraseFile)
        return found
    }
}

extension NetworkChoice {
    /// Finds errors before an identity is created or loaded, and not after it.
    ///
    /// - Throws: `Failure` for a missing interface or an unusable file.
    package func check() throws(Failure) {
        try checkInterface()
        try closed.checkFile()
    }

    func checkInterface() throws(Failure) {
        let settings = Settings.current
        guard let name = interface ?? settings.text(.interface) else { return }
        do {
            try NodeConfiguration.check(interface: name)
        } catch {
            throw Failure(.failed, "\(settings.called(.interface)): \(error)")
        }
    }
}

extension PersonChoice {
    /// Like `ClosedMeshChoice.checkFile`; no file is read for an unprotected identity.
    func checkPassphraseFile() throws {
        let directory = try directory(isReadOnly: true)
        guard let file = passphraseFile, file != "-" else { return }
        do {
            guard case .sealed = try directory.identityFile.content() else { return }
        } catch .missing {
            return  // The first start creates an unprotected identity.
        } catch {
            throw Failure(.failed, error.description)
        }
        let isSaid = identityPassphraseFile != nil
        _ = try Settings.current.blaming(.identityPassphraseFile, unless: isSaid) { () throws(Failure) in
            try PassphraseReader.read(file: file)
        }
    }
}
