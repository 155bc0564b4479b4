package import LatticeAPI
import LatticeCore

extension PrivateMessage {
    func members(isHistory: Bool = false) -> [(String, JSONLine.Value)] {
        [
            ("event", .text("private")), ("number", .integer(Int(number))), ("peer", .text(peer.hex)),
            ("name", .text(peerName?.text)), ("mine", .flag(isMine)), ("text", .text(text)),
            ("action", .flag(style == .acts)), ("at", .text(RFC3339.string(at))), ("late", .flag(isLate)),
            ("state", .text(state.rawValue)),
        ] + (isNotice ? [("notice", .flag(true))] : []) + (isSealed ? [] : [("sealed", .flag(false))])
            + (isHistory ? [("history", .flag(true))] : [])
    }

    var pastObject: JSONLine { JSONLine(members(isHistory: true)) }

    package var object: JSONLine { JSONLine(members()) }
}

extension PrivateProgress {
    var members: [(String, JSONLine.Value)] {
        [
            ("event", .text("private_state")), ("number", .integer(Int(number))), ("peer", .text(peer.hex)),
            ("state", .text(state.rawValue)),
        ]
    }
}
