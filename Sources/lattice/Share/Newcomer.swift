import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import LatticeHost
import LatticeNode
import LatticeSettings
import LatticeWire
import Synchronization

/// How somebody goes on who has just got the program: with a link into the mesh, if one is needed or helps.
final class Newcomer: Sendable {
    private let person: PersonChoice
    private let directory: DataDirectory
    private let mesh: MeshName?
    private let usual: MeshName
    private let isClosed: Bool
    /// The exported key of a closed mesh.
    private let key: Bytes32?
    private let inviter = Mutex<PeerID?>(nil)
    private let card = Mutex<PeerID?>(nil)

    init(_ person: PersonChoice, mesh wanted: MeshName?, _ closed: ClosedMeshChoice, withKey: Bool) throws {
        self.person = person
        directory = try person.directory(isReadOnly: true, unnamed: .anyRunning)
        mesh = wanted ?? Settings.current.value(.mesh, Arguments.meshName)
        usual = try MeshName("lattice")
        isClosed = closed.isClosed
        let running = Self.running(in: directory, mesh)
        let name = mesh ?? running?.mesh ?? usual
        let meshKey = withKey ? try closed.key(of: name) : nil
        if let meshKey, let running, running.keyTag != meshKey.storeTag {
            throw Failure(.failed, "your running chat has a different passphrase, or none; give that one")
        }
        if let meshKey { ClosedMeshChoice.compare(meshKey, of: name, in: directory) }
        key = meshKey?.exported()
    }

    private static func running(in directory: DataDirectory, _ mesh: MeshName?) -> ListeningNote? {
        directory.listening().flatMap { !$0.isBrief && $0.mesh == mesh ?? $0.mesh ? $0 : nil }
    }

    /// Looks whose card of the mesh the link names.
    func lookForCard() async {
        guard let running = Self.running(in: directory, mesh) else { return }
        let found = await MeshCardKey(directory: directory, person: person, mesh: running.mesh, running: running)
            .signer(isClosed: isClosed, key: nil)
        card.withLock { $0 = found }
    }

    /// The words after `lattice`, as things stand now.
    func words() -> [String] {
        let running = Self.running(in: directory, mesh)
        let name = mesh ?? running?.mesh ?? usual
        let access = key.map(InvitationLink.Access.key) ?? (isClosed || running?.isClosed == true ? .passphrase : .open)
        let chat = name == usual ? ["chat"] : ["chat", "--mesh", name.text]
        guard running != nil || access != .open else { return chat }
        // A link with few addresses always fits.
        for count in [InvitationLink.addressesMax, 2, 0] {
            let addresses = running.map { LocalAddresses.reachable(port: $0.port).prefix(count) } ?? []
            do {
                let link = try InvitationLink(
                    mesh: name, access: access, addresses: Array(addresses), inviter: running.flatMap { _ in peer },
                    card: card.withLock(\.self))
                return ["join", link.text]
            } catch {
                continue
            }
        }
        return chat
    }

    /// Named in the link: a running node has an identity.
    private var peer: PeerID? {
        if let known = inviter.withLock(\.self) { return known }
        do {
            let peer = try person.peer(in: directory)
            inviter.withLock { $0 = peer }
            return peer
        } catch {
            return nil  // The link works without.
        }
    }
}
