import LatticeCore
import LatticeMesh
import LatticeWire

extension Presence {
    /// Whether others accept a presence with these rooms.
    static func fits(_ name: PeerName, _ rooms: [RoomName]) -> Bool {
        rooms.count <= roomsMax && Presence(isHere: true, name: name, rooms: rooms).fits
    }

    /// Whether others accept this presence, whatever its renewal time is when it is announced.
    var fits: Bool {
        var longest = self
        longest.renewalSeconds = Self.renewalSecondsRange.lowerBound
        return longest.body.count <= MeshLimit.presenceBytesMax
    }
}
