import ArgumentParser
import LatticeCore

/// `lattice run --irc …`
struct IRCOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Let IRC clients in there, each as somebody of its own; only on this machine unless TLS and a password are set.",
            valueName: "host:port"),
        transform: IRCFront.address)
    var irc: PeerAddress?

    @Option(
        help: ArgumentHelp("What the IRC server calls itself. (default: lattice.local)", valueName: "name"),
        transform: IRCFront.name)
    var ircServerName: String?

    @Option(
        help: ArgumentHelp("IRC clients say the first line of this file as their password (PASS).", valueName: "file"))
    var ircPasswordFile: String?

    @Option(help: ArgumentHelp("IRC clients come by TLS, with this certificate (PEM).", valueName: "file"))
    var ircTlsCertificate: String?

    @Option(help: ArgumentHelp("Its key (PEM).", valueName: "file"))
    var ircTlsKey: String?

    func validate() throws {
        let choice = choice
        guard choice.address == nil else { return try choice.check(prefix: "irc-") }
        guard choice == IRCChoice() else {
            throw ValidationError("without --irc nobody comes by IRC; say where, as in --irc 127.0.0.1:6667")
        }
    }

    private var choice: IRCChoice {
        IRCChoice(
            address: irc, serverName: ircServerName, passwordFile: ircPasswordFile, certificate: ircTlsCertificate,
            key: ircTlsKey
        ).settled
    }

    /// - Returns: `nil` if nobody is to come by IRC.
    func front() throws -> IRCFront? { try choice.front() }
}
