import LatticeCore
import LatticeMesh
import LatticeWire

extension Presence {
    /// Whether others accept a presence with these rooms.
    static func fits(_ name: PeerName, _ rooms: [RoomName]) -> Bool {
        rooms.count <= roomsMax && Presence(isHere: true, name: name, rooms: rooms).fits
    }

    /// Whether others accept this presence.
    var fits: Bool { body.count <= MeshLimit.presenceBytesMax }
}
