import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire

/// A record that a program brought, on its way to an answer.
enum PutRecord: Sendable {
    case refused(RecordID?, RecordAnswer.Refusal)
    case known(RecordID, FeedMark)
    /// Its signature is its author's.
    case verified(VerifiedRecord)

    /// Decodes and verifies records away from the node's loop, on all cores.
    nonisolated static func judged(
        _ records: [[UInt8]], in store: Store, with verifier: CachingVerifier
    ) async throws(StoreError) -> [PutRecord] {
        var judged: [PutRecord?] = []
        var unknown: [(index: Int, record: SignedRecord, id: RecordID)] = []
        for bytes in records {
            switch decoded(bytes) {
            case .success(let record):
                unknown.append((judged.count, record, RecordID(Digest.blake2b256(record.bytes))))
                judged.append(nil)
            case .failure(let refused): judged.append(.refused(nil, refused.code))
            }
        }
        // The id covers all bytes: what is here has been verified.
        let (places, top) = try await store.feed.places(of: unknown.map(\.id))
        for (index, _, id) in unknown {
            guard let place = places[id] else { continue }
            judged[index] = .known(id, FeedMark(epoch: top.epoch, seq: place.seq))
        }
        unknown.removeAll { places[$0.id] != nil }
        for (put, result) in zip(unknown, await verifier.verifyAll(unknown.map(\.record))) {
            switch result {
            case .success(let record): judged[put.index] = .verified(record)
            case .failure: judged[put.index] = .refused(put.id, .signature)
            }
        }
        return judged.map { one in
            guard let one else { preconditionFailure("each record was refused, known or verified") }
            return one
        }
    }

    private struct Refused: Error {
        let code: RecordAnswer.Refusal
    }

    private static func decoded(_ bytes: [UInt8]) -> Result<SignedRecord, Refused> {
        guard bytes.count <= Record.bytesMax else { return .failure(Refused(code: .tooLarge)) }
        do {
            return .success(try SignedRecord(decoding: bytes[...]))
        } catch {
            return .failure(Refused(code: .form))
        }
    }
}

extension RecordCarrier {
    init(_ via: RecordVia) {
        switch via {
        case .nats: self = .nats
        case .mqtt: self = .mqtt
        case .other: self = .other
        }
    }
}

extension RecordVia {
    /// `nil` for the mesh.
    init?(_ carrier: RecordCarrier) {
        switch carrier {
        case .mesh: return nil
        case .nats: self = .nats
        case .mqtt: self = .mqtt
        case .other: self = .other
        }
    }
}

extension FeedPosition {
    init(_ mark: FeedMark) { self.init(epoch: mark.epoch, seq: mark.seq) }
}

extension FeedMark {
    init(_ position: FeedPosition) { self.init(epoch: position.epoch, seq: position.seq) }
}
