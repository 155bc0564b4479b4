package import ArgumentParser
package import LatticeHost

/// Options of a closed mesh. The passphrase never comes from the arguments, which everybody on the machine can see.
package struct ClosedMeshOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Closed mesh: read its passphrase from the first line of this file ('-' is standard input).",
            valueName: "file"))
    package var passphraseFile: String?

    @Flag(help: "Closed mesh: ask for its passphrase.")
    package var passphrase = false

    package init() {}

    package func validate() throws {
        guard !passphrase || passphraseFile == nil else {
            throw ValidationError("use --passphrase or --passphrase-file, not both")
        }
    }

    package var choice: ClosedMeshChoice { ClosedMeshChoice(passphraseFile: passphraseFile, passphrase: passphrase) }
}
