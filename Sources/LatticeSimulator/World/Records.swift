import LatticeCore
import LatticeMesh
import LatticeWire

struct SimulatedRecord {
    let verified: VerifiedRecord
    /// Bytes of the frame that carries it; TTL and hops never need a second byte.
    let frameBytes: Int
    /// Its number among the lines; `nil` for any other record.
    let track: Int?
    let author: Int
    /// In milliseconds.
    let saidAt: Int64
}

/// All records of a world by number, and the fate of those that are lines.
package struct Records {
    let registry: Registry
    private(set) var all: [SimulatedRecord] = []
    package private(set) var tracks: [RecordTrack] = []

    init(_ registry: Registry) {
        self.registry = registry
    }

    subscript(_ number: Int) -> SimulatedRecord { all[number] }

    func number(of id: RecordID) -> Int { registry.number(of: id) }

    /// Nobody in a simulation lies about identity, so the signature stays blank and the id is random.
    mutating func sign(_ record: Record, by peer: Int, track: Int?, at time: Int64) -> VerifiedRecord {
        let signed = SignedRecord(record, signature: [UInt8](repeating: 0, count: Record.signatureBytes))
        let verified = VerifiedRecord(assumingVerified: signed, id: registry.record(all.count))
        let frameBytes = Frame.recordFrameByteCount(timeToLive: 1, hops: 1, recordBytes: signed.bytes.count)
        all.append(
            SimulatedRecord(verified: verified, frameBytes: frameBytes, track: track, author: peer, saidAt: time))
        return verified
    }

    mutating func follow(_ track: RecordTrack) {
        tracks.append(track)
    }

    mutating func received(_ number: Int) {
        if let track = all[number].track { tracks[track].receptions += 1 }
    }

    mutating func sent(_ frames: Int, of track: Int) {
        tracks[track].frames += frames
    }

    mutating func suffered(_ mishaps: Int, track: Int) {
        tracks[track].mishaps += mishaps
    }

    mutating func show(_ track: Int, to peer: Int, hops: UInt8, at time: Int64) -> RecordTrack.Showing {
        tracks[track].show(at: peer, hops: hops, at: time)
    }

    func wasShown(_ track: Int, to peer: Int) -> Bool { tracks[track].shown(at: peer) != nil }

    mutating func died(_ peer: Int, withDisk: Bool) {
        for track in tracks.indices { tracks[track].died(peer, withDisk: withDisk) }
    }
}
