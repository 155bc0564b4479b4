import ArgumentParser
import LatticeChat
import LatticeCommands
import LatticeNode
import LatticeSettings
import LatticeWire

struct JoinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Join a mesh with a link from 'lattice invite', and chat.",
        discussion: """
            Put the link in quotes, because the shell treats & specially. If the link of a closed mesh holds no key, you are \
            asked for the passphrase. Everything else works as in 'lattice chat'.

            For example:

              lattice join 'lattice://join/camp?v=1&at=192.168.1.7:40899'
              lattice join - < link.txt
            """)

    @Argument(help: ArgumentHelp("The link; '-' reads it from standard input.", valueName: "link"))
    var link: String

    @OptionGroup var chat: ChatCommand

    func validate() throws {
        let passphrases = [chat.network.closed.passphraseFile, chat.person.identityPassphraseFile]
        guard link != "-" || !passphrases.contains("-") else {
            throw ValidationError(
                "standard input can hold the link or a passphrase, not both; put one into a file, or use --passphrase")
        }
    }

    func run() async throws {
        let text = link == "-" ? readLine() ?? "" : link
        let parsed: InvitationLink
        do {
            parsed = try InvitationLink(parsing: text.trimmed)
        } catch {
            throw Failure(.usage, error.description)
        }
        guard !parsed.isOver(at: Surroundings.present()) else {
            throw Failure(.failed, "this link has expired; ask for a new one (or correct this machine's clock)")
        }
        try await chat.run(by: parsed)
    }
}

extension String {
    fileprivate var trimmed: Substring {
        let body = drop(while: \.isWhitespace)
        return body.lastIndex { !$0.isWhitespace }.map { body[...$0] } ?? ""
    }
}
