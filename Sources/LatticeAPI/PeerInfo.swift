package import LatticeCore

package struct PeerInfo: Hashable, Sendable, Codable {
    /// Absent while the peer is only sighted.
    package var id: PeerID?
    package var prefix: PeerPrefix?
    /// As announced; not yet made safe for a screen.
    package var name: String
    package var state: PeerState
    /// Number of links to it: 0 at this very node, 1 for a neighbour; absent if no route is known.
    package var hops: Int?
    @InSeconds package var roundTrip: Duration?
    package var address: PeerAddress?
    package var source: Sighting.Source?
    /// The neighbour through which it is reached, if it is not a neighbour itself.
    package var via: PeerID?
    package var isHere: Bool
    package var rooms: [RoomName]
    /// Why it is not connected, if known.
    package var reason: LinkEnding?
    /// The host whose node it uses, by that node's own word; `nil` if it has its own node or nothing is known.
    package var host: PeerID?
    /// The away text that the peer announced, which may be empty; `nil` if it is not away.
    package var away: String?
    /// Time since the last line of this peer that the node heard in a public room; `nil` if it has heard none.
    @InSeconds package var idle: Duration?
    /// What its node announces about itself, each as `role=kitchen`. Made safe for a screen; it proves nothing.
    @OrNone package var info: [String]

    package init(
        id: PeerID?, prefix: PeerPrefix?, name: String, state: PeerState, hops: Int? = nil, roundTrip: Duration? = nil,
        address: PeerAddress? = nil, source: Sighting.Source? = nil, via: PeerID? = nil, isHere: Bool = false,
        rooms: [RoomName] = [], reason: LinkEnding? = nil, host: PeerID? = nil,
        away: String? = nil, idle: Duration? = nil, info: [String] = []
    ) {
        _info = OrNone(wrappedValue: info)
        self.id = id
        self.prefix = prefix
        self.name = name
        self.state = state
        self.hops = hops
        self.roundTrip = roundTrip
        self.address = address
        self.source = source
        self.via = via
        self.isHere = isHere
        self.rooms = rooms
        self.reason = reason
        self.host = host
        self.away = away
        self.idle = idle
    }
}

/// The route of a probe and its round-trip time.
package struct ProbeInfo: Hashable, Sendable {
    package struct Stop: Hashable, Sendable, Codable {
        package let id: PeerID
        package let name: PeerName

        package init(id: PeerID, name: PeerName) {
            self.id = id
            self.name = name
        }
    }

    package let roundTrip: Duration
    /// Starts with ourselves and ends with the probed peer.
    package let path: [Stop]

    package init(roundTrip: Duration, path: [Stop]) {
        self.roundTrip = roundTrip
        self.path = path
    }
}

extension ProbeInfo: Codable {
    private enum Field: String, CodingKey {
        case roundTrip
        case path
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        let roundTrip = try fields.decode(InSeconds.self, forKey: .roundTrip)
        self.init(
            roundTrip: roundTrip.wrappedValue ?? .zero, path: try fields.decode([Stop].self, forKey: .path))
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Field.self)
        try fields.encode(InSeconds(wrappedValue: roundTrip), forKey: .roundTrip)
        try fields.encode(path, forKey: .path)
    }
}
