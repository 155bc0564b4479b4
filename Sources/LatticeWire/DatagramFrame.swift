package import LatticeCore

/// Bytes between the programs of two peers that may be lost: `route sequence:varint age:varint octets`. Nobody stores, repeats
/// or confirms them.
package struct DatagramFrame: Hashable, Sendable {
    /// Bytes that a program gives at most. Longer ones would hold up others on a slow link.
    package static let payloadBytesMax = 8_192
    /// After this long a datagram says nothing new. In milliseconds, over all queues on its way.
    package static let ageMax: UInt32 = 500
    /// The tag of ChaCha20-Poly1305.
    package static let tagBytes = 16

    /// `nil` for a neighbour.
    package let route: DataRoute?
    /// Counts up: with a route, for each key; without one, for each link.
    package let sequence: UInt64
    /// How long it has waited in the queues of all peers so far, as they say. It may be older.
    package let ageMilliseconds: UInt32
    /// What the program gave; with a route, sealed for its target.
    package let octets: [UInt8]

    package init(route: DataRoute?, sequence: UInt64, ageMilliseconds: UInt32, octets: [UInt8]) {
        precondition(
            octets.count <= Self.octetsMax(isRouted: route != nil), "a longer one is refused where it is given")
        self.route = route
        self.sequence = sequence
        self.ageMilliseconds = ageMilliseconds
        self.octets = octets
    }

    static func octetsMax(isRouted: Bool) -> Int { payloadBytesMax + (isRouted ? tagBytes : 0) }

    /// The same after another wait.
    package func aged(_ ageMilliseconds: UInt32) -> DatagramFrame {
        DatagramFrame(route: route, sequence: sequence, ageMilliseconds: ageMilliseconds, octets: octets)
    }

    /// What is sealed along with the octets: no peer can pass it off as another's.
    package static func authenticated(from: PeerID, to: PeerID) -> [UInt8] {
        var writer = ByteWriter(reserving: 82)
        writer.fixed(Array("lattice datagram/1".utf8))
        writer.fixed(from.key)
        writer.fixed(to.key)
        return writer.bytes
    }
}
