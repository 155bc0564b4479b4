import ArgumentParser
import LatticeChat
import LatticeCore
import LatticeCrypto
import LatticeNode
import LatticeSettings
import LatticeWire

/// `lattice join`
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

extension InvitationLink {
    /// What the link says, as options of a chat would.
    func apply(to configuration: inout NodeConfiguration, options: NetworkOptions) throws(Failure) {
        guard options.mesh == nil || options.mesh == mesh else {
            throw Failure(.usage, "this link is for the mesh \(DisplayText.isolated(mesh.text)); remove --mesh")
        }
        guard access == .passphrase || !options.closed.isSaid else {
            throw Failure(.usage, "this link needs no passphrase; remove the option")
        }
        configuration.mesh = mesh
        configuration.given = addresses + configuration.given
        if let inviter {
            for address in addresses { configuration.expected[address] = inviter }
        }
        switch access {
        case .open: configuration.meshKey = nil
        case .key(let key): configuration.meshKey = MeshKey(master: SecretBytes(copying: key.bytes))
        case .passphrase:
            // What is settled is the passphrase of the mesh that is settled.
            let settings = Settings.current
            let isSettled = settings.value(.mesh, Arguments.meshName) == mesh && !options.closed.passphrase
            let file = options.closed.passphraseFile ?? (isSettled ? settings.text(.passphraseFile) : nil)
            let isSaid = options.closed.isSaid || file == nil
            configuration.meshKey = try settings.blaming(.passphraseFile, unless: isSaid) { () throws(Failure) in
                try ClosedMeshOptions.key(of: mesh, file: file)
            }
        }
    }
}

extension String {
    /// Without the white space that copying leaves at the ends.
    fileprivate var trimmed: Substring {
        let body = drop(while: \.isWhitespace)
        return body.lastIndex { !$0.isWhitespace }.map { body[...$0] } ?? ""
    }
}
