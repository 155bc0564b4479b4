import ArgumentParser
import LatticeHost

/// Whether the mesh is closed, and where its passphrase comes from: never from the arguments, which everybody on the machine sees.
struct ClosedMeshOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Closed mesh: read its passphrase from the first line of this file ('-' is standard input).",
            valueName: "file"))
    var passphraseFile: String?

    @Flag(help: "Closed mesh: ask for its passphrase.")
    var passphrase = false

    func validate() throws {
        guard !passphrase || passphraseFile == nil else {
            throw ValidationError("use --passphrase or --passphrase-file, not both")
        }
    }

    var choice: ClosedMeshChoice { ClosedMeshChoice(passphraseFile: passphraseFile, passphrase: passphrase) }
}
