import ArgumentParser
import LatticeCore
import LatticeCrypto
import LatticeNode
import LatticeWire

/// `lattice join`
struct JoinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Come into a mesh by a link that 'lattice invite' printed, and talk.",
        discussion: """
            Put the link in quotes: a shell takes & for its own. If a closed mesh's link has no key, the passphrase is asked \
            for. Everything else is as with 'lattice chat'.

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
                "standard input holds one of them, the link or a passphrase; put the other into a file, or be asked for it: "
                    + "--passphrase")
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
            throw Failure(.failed, "this link counts no more; ask for a new one (or set this machine's clock right)")
        }
        try await chat.run(by: parsed)
    }
}

extension InvitationLink {
    /// What the link says, as options of a chat would.
    func apply(to configuration: inout NodeConfiguration, options: NetworkOptions) throws(Failure) {
        guard options.mesh == nil || options.mesh == mesh else {
            throw Failure(.usage, "this link is into the mesh \(DisplayText.isolated(mesh.text)); leave --mesh out")
        }
        guard access == .passphrase || !options.closed.isSaid else {
            throw Failure(.usage, "this link needs no passphrase; leave it out")
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
