import LatticeAPI
import LatticeCore

extension Samples {
    /// A private line between alice and somebody, with its age in milliseconds.
    static func privateMessage(
        _ text: String, number: Int64 = 1, peer rank: UInt8 = 2, name: String? = "bob", isMine: Bool = false,
        style: SpeechStyle = .says, ago: Int64 = 0, isLate: Bool = false, state: PrivateState? = nil,
        record: RecordID? = nil, isDeleted: Bool = false
    ) throws -> PrivateMessage {
        PrivateMessage(
            number: number, peer: peer(rank), peerName: try name.map { try PeerName($0) }, isMine: isMine, text: text,
            style: style, at: WallTime(milliseconds: at.milliseconds - ago), isLate: isLate,
            state: state ?? (isMine ? .waiting : .delivered), record: record, isDeleted: isDeleted)
    }

    static func progress(
        _ number: Int64, _ state: PrivateState, peer rank: UInt8 = 2, file: String? = nil
    ) -> PrivateProgress {
        PrivateProgress(number: number, peer: peer(rank), state: state, file: file)
    }
}
