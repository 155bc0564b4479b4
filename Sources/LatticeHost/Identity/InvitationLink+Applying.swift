import LatticeCore
import LatticeCrypto
package import LatticeNode
package import LatticeSettings
package import LatticeWire

extension InvitationLink {
    /// Applies the link to the configuration, as the options of a chat would be.
    package func apply(to configuration: inout NodeConfiguration, options: NetworkChoice) throws(Failure) {
        guard options.mesh == nil || options.mesh == mesh else {
            throw Failure(.usage, "this link is for the mesh \(DisplayText.isolated(mesh.text)); remove --mesh")
        }
        guard access == .passphrase || !options.closed.isSaid else {
            throw Failure(.usage, "this link needs no passphrase; remove the option")
        }
        configuration.mesh = mesh
        configuration.given = addresses + configuration.given
        // An option is newer than the link, a setting is of another mesh.
        configuration.invitations.card = options.meshCard ?? card
        if let inviter {
            for address in addresses { configuration.expected[address] = inviter }
        }
        switch access {
        case .open: configuration.meshKey = nil
        case .key(let key): configuration.meshKey = MeshKey(master: SecretBytes(copying: key.bytes))
        case .passphrase:
            // A configured passphrase belongs to the configured mesh.
            let settings = Settings.current
            let isSettled = settings.value(.mesh, Arguments.meshName) == mesh && !options.closed.passphrase
            let file = options.closed.passphraseFile ?? (isSettled ? settings.text(.passphraseFile) : nil)
            let isSaid = options.closed.isSaid || file == nil
            configuration.meshKey = try settings.blaming(.passphraseFile, unless: isSaid) { () throws(Failure) in
                try ClosedMeshChoice.key(of: mesh, file: file)
            }
        }
    }
}
