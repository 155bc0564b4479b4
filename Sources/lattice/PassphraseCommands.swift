import ArgumentParser
import LatticeChat
import LatticeCommands
import LatticeCore
import LatticeCrypto
import LatticeHost
import LatticeNode
import LatticeSettings

/// `lattice passphrase`
struct PassphraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passphrase",
        abstract: "Protect your identity with a passphrase.",
        discussion: """
            Without the passphrase, a copy of your identity file is useless. Each command that acts for you then asks for it \
            on the terminal, or reads it with --identity-passphrase-file. A forgotten passphrase cannot be recovered. It does \
            not encrypt stored messages.

            For example:
              lattice passphrase set --name alice
              lattice passphrase change
              lattice passphrase remove --identity-passphrase-file secret.txt
            """,
        subcommands: [Set.self, Change.self, Remove.self])

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Set a passphrase.")
        @OptionGroup(title: CommonOptions.title) var person: PersonOptions
        @OptionGroup var new: NewPassphraseOptions

        func run() async throws {
            let change = try PassphraseChange(person)
            try change.seal(try change.unprotected(), new)
            Report.remark("the identity is now protected; if you forget the passphrase, nobody can recover it")
        }
    }

    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "change", abstract: "Change the passphrase.")
        @OptionGroup(title: CommonOptions.title) var person: PersonOptions
        @OptionGroup var new: NewPassphraseOptions

        func run() async throws {
            let change = try PassphraseChange(person)
            try change.seal(try change.protected(), new)
            Report.remark("the passphrase was changed; copies of the old file still open with the old one")
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove the passphrase.")
        @OptionGroup(title: CommonOptions.title) var person: PersonOptions

        func run() async throws {
            let change = try PassphraseChange(person)
            try change.put(try change.protected(), under: nil)
            Report.remark("the passphrase was removed; anybody who gets the identity file can act as you")
        }
    }
}

struct NewPassphraseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read the new passphrase from the first line of this file, which no other user can read.", valueName: "file"
        ))
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
        let directory = try person.choice.directory()
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
        passphraseFile = person.choice.passphraseFile
    }

    func unprotected() throws(Failure) -> Identity {
        guard case .open(let identity) = content else {
            throw Failure(
                .failed, "the identity already has a passphrase; to change it: lattice passphrase change")
        }
        return identity
    }

    func protected() throws(Failure) -> Identity {
        guard case .sealed = content else {
            throw Failure(.failed, "the identity has no passphrase; to set one: lattice passphrase set")
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
