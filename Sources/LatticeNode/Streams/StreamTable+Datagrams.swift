import LatticeCore
import OrderedCollections

// Which streams have the keys of datagrams: those of messages.
extension StreamTable {
    /// Streams of one peer whose keys are tried: one that each side has opened, and those of a program that ended unnoticed.
    private static let openingMax = 4

    /// The newest: a peer that began again has no other.
    func cipherToSeal(for peer: PeerID) -> StreamCipher? {
        streams.values.filter { $0.key.peer == peer && $0.sealsDatagrams }.max { $0.number < $1.number }?.cipher
    }

    /// The ciphers of the newest streams, the newest first.
    func ciphersToOpen(from peer: PeerID) -> [StreamCipher] {
        let streams = streams.values.filter { $0.key.peer == peer && $0.opensDatagrams }
        return streams.sorted { $0.number > $1.number }.prefix(Self.openingMax).map(\.cipher)
    }
}
