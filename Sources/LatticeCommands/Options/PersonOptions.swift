package import ArgumentParser
package import LatticeCore
package import LatticeHost
import LatticeSettings

/// Options that choose the identity, shared by all commands about a person.
package struct PersonOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Your name; each name has its own identity. (default: the name that is running, else the last one used)",
            valueName: "name"),
        transform: Arguments.peerName)
    package var name: PeerName?

    @Option(help: ArgumentHelp("The folder of your identity and data, instead of one per name.", valueName: "dir"))
    var dataDir: String?

    @Option(
        help: ArgumentHelp(
            "Read the passphrase of your identity from the first line of this file ('-' is standard input), instead of asking.",
            valueName: "file"))
    package var identityPassphraseFile: String?

    @Option(
        help: ArgumentHelp(
            "The settings file, instead of ~/.config/lattice/config.json; see 'lattice config'.", valueName: "file"))
    var config: String?

    package init() {}

    package var choice: PersonChoice {
        PersonChoice(name: name, dataDir: dataDir, identityPassphraseFile: identityPassphraseFile)
    }
}
