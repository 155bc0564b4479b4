import ArgumentParser
import LatticeChat
import LatticeCore
import LatticeCrypto
import LatticeNode

/// `lattice passphrase`
struct PassphraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passphrase",
        abstract: "Put the file of your identity under a passphrase.",
        discussion: """
            Whoever copies the file without the passphrase cannot be you. Every command that acts for you then asks for it \
            on the terminal, or reads it with --identity-passphrase-file. A forgotten passphrase cannot be recovered. \
            What is kept in the stores is not under it.

            For example:
              lattice passphrase set --name alice
              lattice passphrase change
              lattice passphrase remove --identity-passphrase-file secret.txt
            """,
        subcommands: [Set.self, Change.self, Remove.self])

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Put an identity under a passphrase.")
        @OptionGroup var person: PersonOptions
        @OptionGroup var new: NewPassphraseOptions

        func run() async throws {
            let change = try PassphraseChange(person)
            try change.seal(try change.unprotected(), new)
            Report.remark("the identity is under a passphrase now; nobody can recover it for you")
        }
    }

    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "change", abstract: "Put it under another passphrase.")
        @OptionGroup var person: PersonOptions
        @OptionGroup var new: NewPassphraseOptions

        func run() async throws {
            let change = try PassphraseChange(person)
            try change.seal(try change.protected(), new)
            Report.remark("the identity is under the new passphrase now; copies of the old file open with the old one")
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Let the identity be used without a passphrase.")
        @OptionGroup var person: PersonOptions

        func run() async throws {
            let change = try PassphraseChange(person)
            try change.put(try change.protected(), under: nil)
            Report.remark("the identity is without a passphrase now; whoever gets its file can be you")
        }
    }
}

struct NewPassphraseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read the new passphrase from the first line of a file that nobody else can read.", valueName: "file"))
    var newPassphraseFile: String?
}

/// One change of the passphrase, while nobody else uses the folder.
struct PassphraseChange {
    private let file: IdentityFile
    private let name: PeerName
    private let content: IdentityFile.Content
    private let passphraseFile: String?

    init(_ person: PersonOptions) throws {
        ProcessSecrecy.begin()
        let directory = try person.directory()
        do {
            try PersonOptions.checkSomebodyIsThere(directory, "nothing was changed")
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

    func unprotected() throws(Failure) -> Identity {
        guard case .open(let identity) = content else {
            throw Failure(
                .failed, "the identity is under a passphrase already; 'lattice passphrase change' changes it")
        }
        return identity
    }

    func protected() throws(Failure) -> Identity {
        guard case .sealed = content else {
            throw Failure(.failed, "the identity is under no passphrase; 'lattice passphrase set' sets one")
        }
        return try IdentityLock.opened(content, of: name, file: passphraseFile)
    }

    func seal(_ identity: Identity, _ new: NewPassphraseOptions) throws(Failure) {
        let passphrase = try IdentityLock.new(file: new.newPassphraseFile)
        let sealed: SealedIdentity
        do {
            sealed = try SealedIdentity(sealing: identity, under: passphrase)
        } catch {
            throw Failure(.failed, error.description)
        }
        try put(identity, under: sealed)
    }

    func put(_ identity: Identity, under sealed: SealedIdentity?) throws(Failure) {
        do {
            try file.replace(with: identity, under: sealed)
        } catch {
            throw Failure(.failed, error.description)
        }
    }
}
