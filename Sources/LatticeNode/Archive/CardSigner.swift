package import LatticeCore
import LatticeStore
import LatticeWire
import Logging

/// Whose card of the mesh counts, as people write it: a key, or an invitation link that has one.
package enum CardSigner {
    package enum Fault: Error, Equatable, CustomStringConvertible {
        case neither
        case badLink(String)
        case linkWithoutCard

        package var description: String {
            switch self {
            case .neither:
                "a mesh card is named by the key of its signer, 64 hexadecimal digits, or by an invitation link"
            case .badLink(let reason): reason
            case .linkWithoutCard: "this invitation link names no card of the mesh; ask for a new link"
            }
        }
    }

    package static func parse(_ text: String) throws(Fault) -> PeerID {
        if let peer = PeerID(hex: text.lowercased()) { return peer }
        guard text.contains(":") else { throw .neither }
        let link: InvitationLink
        do {
            link = try InvitationLink(parsing: text)
        } catch {
            throw .badLink(error.description)
        }
        guard let card = link.card else { throw .linkWithoutCard }
        return card
    }
}

extension Archive {
    /// Remembered, so that a later start without a link takes the card of the same person.
    ///
    /// - Parameter signer: `nil` leaves it as it was.
    func takeCard(of signer: PeerID?, _ logger: Logger) async {
        guard let signer else { return }
        do {
            try await store.cards.take(signer)
        } catch {
            logger.warning("cannot remember whose card of the mesh counts", metadata: ["error": "\(error)"])
        }
    }
}
