import ArgumentParser
import LatticeCommands
import LatticeHost
import LatticeNode

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
            let change = try PassphraseChange(person.choice)
            try change.seal(try change.unprotected(), newFile: new.newPassphraseFile)
            Report.remark("the identity is now protected; if you forget the passphrase, nobody can recover it")
        }
    }

    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "change", abstract: "Change the passphrase.")
        @OptionGroup(title: CommonOptions.title) var person: PersonOptions
        @OptionGroup var new: NewPassphraseOptions

        func run() async throws {
            let change = try PassphraseChange(person.choice)
            try change.seal(try change.protected(), newFile: new.newPassphraseFile)
            Report.remark("the passphrase was changed; copies of the old file still open with the old one")
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove the passphrase.")
        @OptionGroup(title: CommonOptions.title) var person: PersonOptions

        func run() async throws {
            let change = try PassphraseChange(person.choice)
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
