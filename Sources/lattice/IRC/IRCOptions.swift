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

    @Option(
        help: ArgumentHelp("Its key (PEM), in a file that nobody else can read.", valueName: "file"))
    var ircTlsKey: String?

    var choice: IRCChoice {
        IRCChoice(
            .init(
                prefix: "--irc-", listen: "--irc", address: irc, serverName: ircServerName,
                passwordFile: ircPasswordFile, certificate: ircTlsCertificate, key: ircTlsKey))
    }
}
