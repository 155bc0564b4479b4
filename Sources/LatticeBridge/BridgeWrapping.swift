package import LatticeCore
import LatticeCrypto
package import LatticeWire

/// How a mesh's records look to a broker.
package protocol BridgeWrapping: Sendable {
    var names: BridgeNames { get }

    func parcel(of record: SignedRecord, id: RecordID) -> BridgeParcel

    /// - Returns: the bytes of a record, which nobody has judged yet; `nil` if the payload is none of this mesh's bridges.
    func opened(_ message: BrokerMessage) -> [UInt8]?

    func parcel(of piece: BridgePiece) -> BridgeParcel

    /// - Returns: `nil` if the payload is no piece of this mesh's bridges.
    func openedPiece(_ message: BrokerMessage) -> BridgePiece?

    /// The id of the parcel of a piece.
    func id(of piece: BridgePiece) -> String
}

/// A closed mesh: brokers learn sizes, times and which site sent what, and no contents.
package struct SealedWrapping: BridgeWrapping {
    package let names: BridgeNames
    private let seal: BridgeSeal

    /// - Parameter key: the mesh's bridge key.
    package init(key: Bytes32) {
        seal = BridgeSeal(key: SecretBytes(copying: key.bytes))
        names = BridgeNames(tag: seal.tag)
    }

    package func parcel(of record: SignedRecord, id: RecordID) -> BridgeParcel {
        let id = seal.id(of: id).hex
        let subject = names.subject(BridgeSpan(of: record.record), nil, key: id)
        return BridgeParcel(subject: subject, id: id, payload: seal.sealed(record.bytes, subject: subject))
    }

    package func opened(_ message: BrokerMessage) -> [UInt8]? {
        seal.opened(message.payload, subject: message.subject)
    }

    package func id(of piece: BridgePiece) -> String { seal.id(of: piece.id).hex }

    package func parcel(of piece: BridgePiece) -> BridgeParcel {
        let id = id(of: piece)
        let subject = names.subject(.pieces, nil, key: id)
        return BridgeParcel(subject: subject, id: id, payload: seal.sealed(piece.bytes, subject: subject))
    }

    package func openedPiece(_ message: BrokerMessage) -> BridgePiece? {
        seal.opened(message.payload, subject: message.subject).flatMap { BridgePiece($0[...]) }
    }
}

/// An open mesh: brokers may read what anybody may read.
package struct OpenWrapping: BridgeWrapping {
    private static let version: UInt8 = 1
    private static let pieceVersion: UInt8 = 3

    package let names: BridgeNames

    package init(mesh: MeshName) {
        let hash = Digest.blake2b256(Array("lattice bridge open v1".utf8) + Array(mesh.text.utf8))
        names = BridgeNames(tag: String(hash.hex.prefix(16)))
    }

    package func parcel(of record: SignedRecord, id: RecordID) -> BridgeParcel {
        let id = id.hex
        let subject = names.subject(BridgeSpan(of: record.record), BridgeClass(of: record.record.kind), key: id)
        return BridgeParcel(subject: subject, id: id, payload: [Self.version] + record.bytes)
    }

    package func opened(_ message: BrokerMessage) -> [UInt8]? {
        guard message.payload.first == Self.version, message.payload.count <= 1 + Record.bytesMax else { return nil }
        return Array(message.payload.dropFirst())
    }

    package func id(of piece: BridgePiece) -> String { piece.id.hex }

    package func parcel(of piece: BridgePiece) -> BridgeParcel {
        let id = id(of: piece)
        return BridgeParcel(
            subject: names.subject(.pieces, .files, key: id), id: id, payload: [Self.pieceVersion] + piece.bytes)
    }

    package func openedPiece(_ message: BrokerMessage) -> BridgePiece? {
        guard message.payload.first == Self.pieceVersion else { return nil }
        return BridgePiece(message.payload.dropFirst())
    }
}
