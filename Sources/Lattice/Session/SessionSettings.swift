import FoundationEssentials
import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import LatticeNode

/// A configuration whose values are checked.
struct SessionSettings: Sendable {
    private static let addressesMax = 64
    private static let passphraseBytesMax = 1_024
    /// Where lines are said if no room is named.
    static let lobby = "#lobby"

    let name: PeerName
    let mesh: MeshName
    let configuration: Configuration
    /// In place of the machine's.
    let network: (any SubstituteNetwork)?

    /// - Parameter network: called once the configuration is found to be right.
    init(
        _ configuration: Configuration, on network: () -> (any SubstituteNetwork)? = { nil }
    ) throws(LatticeError) {
        do throws(NameError) {
            name = try PeerName(configuration.name)
            mesh = try MeshName(configuration.mesh)
        } catch {
            throw LatticeError(.invalid, error.description)
        }
        if let passphrase = configuration.passphrase {
            guard (1...Self.passphraseBytesMax).contains(passphrase.utf8.count) else {
                throw LatticeError(.invalid, "a passphrase has 1 to \(Self.passphraseBytesMax) bytes")
            }
        }
        guard configuration.addresses.count <= Self.addressesMax else {
            throw LatticeError(.invalid, "at most \(Self.addressesMax) addresses are dialled")
        }
        if case .folder(let url) = configuration.storage, !url.isFileURL {
            throw LatticeError(.invalid, "the folder of a session is a file URL")
        }
        self.configuration = configuration
        self.network = network()
    }

    /// - Returns: `nil` for an open mesh. Takes 64 MiB for a tenth of a second.
    func meshKey() throws(LatticeError) -> MeshKey? {
        guard let passphrase = configuration.passphrase else { return nil }
        do throws(MeshKeyError) {
            return try MeshKey(passphrase: SecretBytes(copying: Array(passphrase.utf8)), mesh: mesh)
        } catch {
            throw LatticeError(.storage, "\(error)")
        }
    }

    func node(_ kept: KeptParts) throws(LatticeError) -> NodeConfiguration {
        let lobby = try Self.room(Self.lobby)
        var node = NodeConfiguration(identity: kept.identity, name: name, rooms: [lobby], mesh: mesh)
        node.meshKey = kept.meshKey
        node.archive = kept.archive
        node.people = kept.people
        // Private messages are the program's, not the library's.
        node.hasMail = false
        // Nor are photos.
        node.photos.fetchesUnasked = false
        node.machine.network = network
        node.port = configuration.port
        node.interface = configuration.interface
        node.given = configuration.addresses.map(\.core)
        node.discovery =
            switch configuration.discovery {
            case .automatic, .manual: .auto
            case .off: .off
            }
        node.announced.isManual = configuration.discovery == .manual
        switch configuration.invitations {
        case .automatic: node.invitations.policy = .auto
        case .ask:
            node.invitations.policy = .ask
            node.invitations.vouched = true
            node.invitations.answerTime = .seconds(30)
        case .none: node.invitations.policy = .none
        case .only(let peers):
            node.invitations.policy = .contacts
            node.invitations.contacts = Set(peers.map(\.core))
        }
        return node
    }

    static func room(_ text: String) throws(LatticeError) -> RoomName {
        do throws(NameError) {
            return try RoomName(text)
        } catch {
            throw LatticeError(.invalid, error.description)
        }
    }
}
