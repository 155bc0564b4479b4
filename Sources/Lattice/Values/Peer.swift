package import LatticeCore

/// The identity of a peer: its public key. Its text is 64 hexadecimal digits.
public struct PeerID: Hashable, Codable, LosslessStringConvertible, Sendable {
    package let core: LatticeCore.PeerID

    init(_ core: LatticeCore.PeerID) {
        self.core = core
    }

    /// - Parameter description: 64 hexadecimal digits.
    /// - Returns: `nil` for any other text.
    public init?(_ description: String) {
        guard let core = LatticeCore.PeerID(hex: description) else { return nil }
        self.core = core
    }

    /// 64 hexadecimal digits, in lower case.
    public var description: String { core.hex }

    /// - Throws: `DecodingError` for a text that is not an id.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let id = PeerID(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "the id of a peer has 64 hexadecimal digits")
        }
        self = id
    }

    /// Encodes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// A peer that has proven its key.
///
/// Two values are equal if their ids are: a name is a claim, and a peer that changes it stays the same peer.
public struct Peer: Identifiable, Hashable, Sendable, CustomStringConvertible {
    /// Its public key.
    public let id: PeerID
    /// What the peer calls itself, 1–63 bytes. Several peers may use one name.
    public let name: String

    init(_ id: LatticeCore.PeerID, name: String) {
        (self.id, self.name) = (PeerID(id), name)
    }

    /// The name, safe to print, and four letters of the key that tell peers of one name apart: `bob#k7f3`.
    public var description: String { "\(DisplayText.isolated(name))#\(id.core.short)" }

    /// Whether the ids are equal.
    public static func == (left: Peer, right: Peer) -> Bool { left.id == right.id }

    /// Hashes the id.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }
}

/// A host and a port at which a peer listens. Its text is `HOST:PORT`, or `[IPV6]:PORT`.
public struct PeerAddress: Hashable, LosslessStringConvertible, Sendable {
    let core: LatticeCore.PeerAddress

    init(_ core: LatticeCore.PeerAddress) {
        self.core = core
    }

    /// - Parameters:
    ///   - host: a numeric IPv4 or IPv6 address, or a host name, at most 255 bytes.
    ///   - port: TCP, 1–65535.
    /// - Returns: `nil` for a host or a port that cannot be.
    public init?(host: String, port: UInt16) {
        self.init(host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)")
    }

    /// - Parameter description: such as `192.168.1.7:4000` or `[fe80::1%eth0]:4000`.
    /// - Returns: `nil` for any other text.
    public init?(_ description: String) {
        do throws(PeerAddressError) {
            core = try LatticeCore.PeerAddress(parsing: description)
        } catch {
            return nil
        }
    }

    /// The address or the name of the host.
    public var host: String { core.host }
    /// TCP, 1–65535.
    public var port: UInt16 { core.port }
    /// `HOST:PORT`, or `[IPV6]:PORT`.
    public var description: String { core.description }
}

/// Whether a peer can be reached.
public enum PeerState: Hashable, Sendable {
    /// It was seen, and no way to it is known.
    case notConnected
    /// A link to it is being made.
    case connecting
    /// A way to it is known, over one or more links. After the loss of a link, peers behind it count as connected for as long
    /// as the mesh expects them to be reached over others; meanwhile, sending to them may throw
    /// ``LatticeError/Code/noRoute``.
    case connected
}

/// How a peer stands.
public struct PeerStatus: Hashable, Sendable {
    /// The peer. Its name is the newest one known.
    public let peer: Peer
    /// Whether it can be reached.
    public let state: PeerState
    /// Links on the way to it: 1 for a neighbour; `nil` unless it is connected.
    public let hops: Int?
    /// How long a neighbour's last answer over its link took, from 0 on: there, back, and what waited before it in the queues of
    /// the link. `nil` until the first answer, and unless there is a link with it. It is measured when a link is made and every
    /// ten seconds. A new value alone is no update in ``Session/peerUpdates``; ``Session/peers`` has the newest.
    public let roundTrip: Duration?
    /// Why it is not connected; `nil` if it is, if it said goodbye, or if nothing is known.
    public let reason: LatticeError?
}
