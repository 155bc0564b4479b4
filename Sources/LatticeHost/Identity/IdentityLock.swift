import LatticeCore
import LatticeCrypto
import LatticeSettings

enum IdentityLock {
    private static let triesMax = 3
    static let option = "--identity-passphrase-file"

    /// - Parameter file: the value of `--identity-passphrase-file`; it is only read if the identity is protected.
    static func opened(_ content: IdentityFile.Content, of name: PeerName, file: String?) throws(Failure)
        -> Identity
    {
        switch content {
        case .open(let identity): return identity
        case .sealed(let sealed):
            if let file {
                let passphrase = try PassphraseReader.read(file: file)
                return try open(sealed, passphrase)
            }
            return try asked(sealed, name)
        }
    }

    private static func asked(_ sealed: SealedIdentity, _ name: PeerName) throws(Failure) -> Identity {
        guard PassphraseReader.hasTerminal else {
            throw Failure(
                .failed,
                "the identity of \(DisplayText.isolated(name.text)) is protected by a passphrase, and there is no terminal to "
                    + "ask for it; use \(option) FILE")
        }
        for number in 1...triesMax {
            let passphrase = try PassphraseReader.ask("Passphrase of \(DisplayText.isolated(name.text)): ")
            do {
                return try sealed.open(passphrase)
            } catch .wrong where number < triesMax {
                Report.error("the passphrase is wrong; try again")
            } catch {
                throw Failure(.failed, error.description)
            }
        }
        preconditionFailure("the last try returns or throws")
    }

    private static func open(
        _ sealed: SealedIdentity, _ passphrase: borrowing SecretBytes
    ) throws(Failure) -> Identity {
        do {
            return try sealed.open(passphrase)
        } catch {
            throw Failure(.failed, error.description)
        }
    }

    /// Reads a new passphrase from a file, or twice from the terminal.
    static func new(file: String?) throws(Failure) -> SecretBytes {
        if let file { return try PassphraseReader.read(file: file) }
        guard PassphraseReader.hasTerminal else {
            throw Failure(.failed, "there is no terminal to ask for it; use --new-passphrase-file FILE")
        }
        let first = try PassphraseReader.ask("New passphrase: ")
        guard first.count > 0 else {
            throw Failure(.failed, "an empty passphrase protects nothing; nothing was changed")
        }
        let second = try PassphraseReader.ask("The same again: ")
        guard first.matches(second) else { throw Failure(.failed, "the two passphrases differ; nothing was changed") }
        return first
    }
}
