package import LatticeCore
import LatticeCrypto
import LatticeWire

/// A bridge as others address it.
package struct LiveBridgeID: Hashable, Comparable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    package var hex: String {
        Hex.string(stride(from: UInt64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: rawValue >> $0) })
    }

    package static func < (left: LiveBridgeID, right: LiveBridgeID) -> Bool { left.rawValue < right.rawValue }
}

/// Topics of a mesh: `lattice/1/TAG/r/SHARD` for records, `lattice/1/TAG/q/all` for greetings, `…/q/BRIDGE` for questions to a
/// bridge, `…/a/BRIDGE` for the answers that it gets.
package struct LiveTopics: Hashable, Sendable {
    package enum Place: Hashable, Sendable {
        case records
        case greetings
        case questions
        case answers
    }

    private let root: String
    private let me: LiveBridgeID

    package init(tag: String, me: LiveBridgeID) {
        root = "lattice/1/\(tag)/"
        self.me = me
    }

    /// - Parameter key: its first hexadecimal digit is the shard.
    package func records(key: String) -> String { "\(root)r/\(key.prefix(1))" }

    package var greetings: String { "\(root)q/all" }

    package func questions(to bridge: LiveBridgeID) -> String { "\(root)q/\(bridge.hex)" }

    package func answers(to bridge: LiveBridgeID) -> String { "\(root)a/\(bridge.hex)" }

    /// What has to arrive: a broker may keep it for a while.
    package var kept: [String] { ["\(root)r/+", questions(to: me), answers(to: me)] }

    /// - Returns: `nil` if the topic is none of those that this bridge reads.
    func place(of topic: String) -> Place? {
        if topic.hasPrefix("\(root)r/") { return .records }
        return switch topic {
        case greetings: .greetings
        case questions(to: me): .questions
        case answers(to: me): .answers
        default: nil
        }
    }
}

/// How the messages of a mesh's bridges look to an MQTT broker: as on NATS, with the topic as subject.
package struct LiveWrapping: Sendable {
    /// The longest record with its seal.
    package static let payloadMax = 61_440
    private static let openVersion: UInt8 = 1

    private struct Seals: Sendable {
        let records: BridgeSeal
        let notes: BridgeSeal
    }

    /// The mesh at the broker: 16 hexadecimal digits.
    package let tag: String
    /// `nil` in an open mesh.
    private let seals: Seals?

    /// - Parameter key: the bridge key of a closed mesh.
    package init(mesh: MeshName, key: Bytes32?) {
        guard let key else {
            (tag, seals) = (OpenWrapping(mesh: mesh).names.tag, nil)
            return
        }
        let seals = Seals(
            records: BridgeSeal(key: SecretBytes(copying: key.bytes)),
            notes: BridgeSeal(key: SecretBytes(copying: key.bytes), for: .notes))
        (tag, self.seals) = (seals.records.tag, seals)
    }

    func message(of record: [UInt8], id: RecordID, on topics: LiveTopics) -> LiveMessage {
        let topic = topics.records(key: key(of: id))
        return LiveMessage(topic: topic, payload: Self.wrapped(record, topic, seals?.records))
    }

    /// - Returns: the bytes of a record, which nobody has judged yet, and their id; `nil` if the payload is none of this mesh's
    ///   bridges, or on a topic that is not its own.
    func record(in message: LiveMessage, on topics: LiveTopics) -> (bytes: [UInt8], id: RecordID)? {
        guard let bytes = Self.unwrapped(message, seals?.records), bytes.count <= Record.bytesMax else { return nil }
        let id = RecordID(Digest.blake2b256(bytes))
        return topics.records(key: key(of: id)) == message.topic ? (bytes, id) : nil
    }

    func message(of note: LiveNote, on topic: String) -> LiveMessage {
        LiveMessage(topic: topic, payload: Self.wrapped(note.bytes, topic, seals?.notes))
    }

    /// - Returns: `nil` if the payload is none of this mesh's bridges, or malformed.
    func note(in message: LiveMessage) -> LiveNote? {
        guard let bytes = Self.unwrapped(message, seals?.notes) else { return nil }
        do {
            return try LiveNote(decoding: bytes)
        } catch {
            return nil  // A stranger's bytes: the caller counts them.
        }
    }

    private func key(of id: RecordID) -> String { seals?.records.id(of: id).hex ?? id.hex }

    private static func wrapped(_ bytes: [UInt8], _ topic: String, _ seal: BridgeSeal?) -> [UInt8] {
        seal?.sealed(bytes, subject: topic) ?? [openVersion] + bytes
    }

    private static func unwrapped(_ message: LiveMessage, _ seal: BridgeSeal?) -> [UInt8]? {
        guard message.payload.count <= payloadMax else { return nil }
        if let seal { return seal.opened(message.payload, subject: message.topic) }
        return message.payload.first == openVersion ? Array(message.payload.dropFirst()) : nil
    }
}
