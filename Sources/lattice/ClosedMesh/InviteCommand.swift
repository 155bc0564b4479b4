import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCommands
import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import LatticeHost
import LatticeNode
import LatticeSettings
import LatticeWire

struct InviteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Print a link and a QR code that let somebody join your mesh.",
        discussion: """
            The link holds the mesh, the addresses of your running chat and your id, which the other side checks. It also \
            works where mDNS does not. It never holds the passphrase of a closed mesh; with --with-key it holds the key made \
            from it, and anybody with that link can join. The link also names the person whose card of the mesh your node uses; see \
            'lattice mesh'.

            For example:

              lattice invite
              lattice invite --address camp.example.org:4000 --days 2
              lattice invite --mesh camp --passphrase --with-key
            """)

    @OptionGroup(title: CommonOptions.title) var person: PersonOptions

    @Option(
        help: ArgumentHelp("The mesh. (default: that of your running chat, or lattice)", valueName: "mesh"),
        transform: Arguments.meshName)
    var mesh: MeshName?

    @OptionGroup var closed: ClosedMeshOptions

    @Option(
        help: ArgumentHelp(
            "An address where others reach you, instead of the detected ones; repeatable.", valueName: "host:port"),
        transform: Arguments.address)
    var address: [PeerAddress] = []

    @Flag(help: "Put the key of a closed mesh into the link, so that it needs no passphrase.")
    var withKey = false

    @Option(
        help: ArgumentHelp("How many days the link is valid, 1 to 365.", valueName: "n"),
        transform: Arguments.number(1...365, "--days"))
    var days: Int?

    @Flag(help: "Draw the QR code in ASCII, even if standard output is not a terminal.")
    var ascii = false

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        guard !withKey || closed.choice.isClosed else {
            throw ValidationError("--with-key needs the passphrase: add --passphrase-file or --passphrase")
        }
        guard address.count <= InvitationLink.addressesMax else {
            throw ValidationError("a link holds at most \(InvitationLink.addressesMax) addresses; give fewer")
        }
    }

    func run() async throws {
        let directory = try person.choice.directory(isReadOnly: true)
        PersonChoice.reportNew(directory)
        let inviter = try person.choice.identity(in: directory).peer
        let wanted = mesh ?? Settings.current.value(.mesh, Arguments.meshName)
        let running = directory.listening().flatMap { $0.mesh == wanted ?? $0.mesh ? $0 : nil }
        let name = try wanted ?? running?.mesh ?? MeshName("lattice")
        // Asked for once, and only if it is needed.
        let isKeyNeeded = closed.choice.isClosed && (withKey || running != nil && address.isEmpty)
        let key = isKeyNeeded ? try closed.choice.key(of: name) : nil
        let door = try access(to: name, key, running, in: directory)
        let card = await MeshCardKey(directory: directory, person: person.choice, mesh: name, running: running)
            .signer(isClosed: closed.choice.isClosed, key: key)
        try show(try fitting(name, door, try addresses(of: running), inviter, card: card))
        if withKey {
            Report.remark(
                "anybody with this link can join and read everything until the passphrase changes")
        }
    }

    private func access(
        to mesh: MeshName, _ key: MeshKey?, _ running: ListeningNote?, in directory: DataDirectory
    ) throws(Failure) -> InvitationLink.Access {
        if withKey, let key {
            // A link is useless if the chat does not accept those who have it.
            guard !address.isEmpty || running == nil || running?.keyTag == key.storeTag else {
                throw Self.otherPassphrase
            }
            ClosedMeshChoice.compare(key, of: mesh, in: directory)
            return .key(key.exported())
        }
        if closed.choice.isClosed, let running, address.isEmpty {
            guard running.keyTag == key?.storeTag else { throw Self.otherPassphrase }
        }
        return closed.choice.isClosed || running?.isClosed == true ? .passphrase : .open
    }

    private static let otherPassphrase = Failure(
        .failed,
        "your running chat has a different passphrase, or none; give that one, or use --address for a chat that has this one"
    )

    private func addresses(of running: ListeningNote?) throws(Failure) -> [PeerAddress] {
        guard address.isEmpty else { return address }
        guard let running else {
            throw Failure(
                .unavailable,
                "no chat of yours runs in this mesh, so the link has no address; start one ('lattice chat'), or give "
                    + "an address: --address HOST:PORT")
        }
        let found = LocalAddresses.reachable(port: running.port)
        guard !found.isEmpty else {
            throw Failure(
                .unavailable,
                "this machine has no address that others can reach; join a network, or use --address HOST:PORT")
        }
        return found
    }

    /// Uses as many of the machine's addresses as fit in the link.
    private func fitting(
        _ mesh: MeshName, _ access: InvitationLink.Access, _ addresses: [PeerAddress], _ inviter: PeerID,
        card: PeerID?
    ) throws(Failure) -> InvitationLink {
        let until = days.map { UInt64(max(0, Surroundings.present().milliseconds / 1_000)) + UInt64($0) * 86_400 }
        do {
            return try InvitationLink(
                mesh: mesh, access: access, addresses: Array(addresses.prefix(InvitationLink.addressesMax)),
                inviter: inviter, until: until, card: card)
        } catch {
            throw Failure(.failed, "\(error); give fewer or shorter addresses")
        }
    }

    private func show(_ link: InvitationLink) throws {
        guard !json else {
            let members = [("event", JSONLine.Value.text("invite")), ("link", .text(link.text))]
            return try Report.output("\(JSONLine(members).description)\n")
        }
        try Report.output("\(link.text)\n")
        let context = Surroundings.ofShell()
        // A pipe gets only data.
        guard context.isTerminal || ascii, let code = QRCode(link.text) else { return }
        let ink = QRCode.Ink(isASCII: ascii || !context.isUTF8, hasColor: context.hasColor)
        try Report.output(code.lines(ink).map { "\($0)\n" }.joined())
    }
}
