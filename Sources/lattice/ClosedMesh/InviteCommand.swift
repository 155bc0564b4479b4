import ArgumentParser
import LatticeChat
import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import LatticeNode
import LatticeWire

/// `lattice invite`
struct InviteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Print a link and a QR code by which somebody comes into your mesh, also where mDNS does not pass.",
        discussion: """
            It names the mesh, the addresses of the chat that runs here and your id, which whoever dials checks. The \
            passphrase of a closed mesh is never in it; --with-key puts the key made of it in: whoever has that link is in.

            For example:

              lattice invite
              lattice invite --address camp.example.org:4000 --days 2
              lattice invite --mesh camp --passphrase --with-key
            """)

    @OptionGroup var person: PersonOptions

    @Option(
        help: ArgumentHelp("Which mesh. (default: that of the chat that runs, or lattice)", valueName: "mesh"),
        transform: Arguments.meshName)
    var mesh: MeshName?

    @OptionGroup var closed: ClosedMeshOptions

    @Option(
        help: ArgumentHelp("Where you are reached, instead of what is found; several times.", valueName: "host:port"),
        transform: Arguments.address)
    var address: [PeerAddress] = []

    @Flag(help: "Put the key of a closed mesh into the link: no passphrase is asked for.")
    var withKey = false

    @Option(
        help: ArgumentHelp("The link counts for so many days, 1 to 365.", valueName: "n"),
        transform: Arguments.number(1...365, "--days"))
    var days: Int?

    @Flag(help: "Draw the QR code in ASCII, also where standard output is no terminal.")
    var ascii = false

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        guard !withKey || closed.isClosed else {
            throw ValidationError("--with-key needs the passphrase: add --passphrase-file or --passphrase")
        }
        guard address.count <= InvitationLink.addressesMax else {
            throw ValidationError("a link names at most \(InvitationLink.addressesMax) addresses")
        }
    }

    func run() throws {
        let directory = try person.directory(isReadOnly: true)
        PersonOptions.tellOfNew(directory)
        let inviter = try person.identity(in: directory).peer
        let wanted = mesh ?? Settings.current.value(.mesh, Arguments.meshName)
        let running = directory.listening().flatMap { $0.mesh == wanted ?? $0.mesh ? $0 : nil }
        let name = try wanted ?? running?.mesh ?? MeshName("lattice")
        let door = try access(to: name, running, in: directory)
        try show(try fitting(name, door, try addresses(of: running), inviter))
        if withKey {
            Report.remark(
                "whoever has this link is in and reads everything, for as long as the passphrase stays the same")
        }
    }

    private func access(
        to mesh: MeshName, _ running: ListeningNote?, in directory: DataDirectory
    ) throws(Failure) -> InvitationLink.Access {
        if withKey, let key = try closed.key(of: mesh) {
            // A link to a chat that does not let in whoever has it helps nobody.
            guard !address.isEmpty || running == nil || running?.keyTag == key.storeTag else {
                throw Self.otherPassphrase
            }
            ClosedMeshOptions.compare(key, of: mesh, in: directory)
            return .key(key.exported())
        }
        if closed.isClosed, let running, address.isEmpty {
            let key = try closed.key(of: mesh)
            guard running.keyTag == key?.storeTag else { throw Self.otherPassphrase }
        }
        return closed.isClosed || running?.isClosed == true ? .passphrase : .open
    }

    private static let otherPassphrase = Failure(
        .failed,
        "the chat that runs here has another passphrase, or none; give that one, or with --address say where one runs that has "
            + "this")

    private func addresses(of running: ListeningNote?) throws(Failure) -> [PeerAddress] {
        guard address.isEmpty else { return address }
        guard let running else {
            throw Failure(
                .unavailable,
                "no chat of yours runs in this mesh whose address could be named; start one ('lattice chat'), or name "
                    + "where you will be reached: --address HOST:PORT")
        }
        let found = LocalAddresses.reachable(port: running.port)
        guard !found.isEmpty else {
            throw Failure(
                .unavailable,
                "this machine has no address that others reach; join a network, or use --address HOST:PORT")
        }
        return found
    }

    /// A machine with many addresses names those that fit.
    private func fitting(
        _ mesh: MeshName, _ access: InvitationLink.Access, _ addresses: [PeerAddress], _ inviter: PeerID
    ) throws(Failure) -> InvitationLink {
        let until = days.map { UInt64(max(0, Surroundings.present().milliseconds / 1_000)) + UInt64($0) * 86_400 }
        do {
            return try InvitationLink(
                mesh: mesh, access: access, addresses: Array(addresses.prefix(InvitationLink.addressesMax)),
                inviter: inviter, until: until)
        } catch {
            throw Failure(.failed, "\(error); name fewer addresses, or shorter ones")
        }
    }

    private func show(_ link: InvitationLink) throws {
        guard !json else {
            let members = [("event", JSONLine.Value.text("invite")), ("link", .text(link.text))]
            return try Report.output("\(JSONLine(members).description)\n")
        }
        try Report.output("\(link.text)\n")
        let context = Surroundings.ofShell()
        // Data alone goes into a pipe.
        guard context.isTerminal || ascii, let code = QRCode(link.text) else { return }
        let ink = QRCode.Ink(isASCII: ascii || !context.isUTF8, hasColor: context.hasColor)
        try Report.output(code.lines(ink).map { "\($0)\n" }.joined())
    }
}
