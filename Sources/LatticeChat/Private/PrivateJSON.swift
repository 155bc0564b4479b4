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
            + (isHistory ? [("history", .flag(true))] : []) + marks
    }

    /// Fields that few messages have.
    private var marks: [(String, JSONLine.Value)] {
        var marks: [(String, JSONLine.Value)] = []
        if let record { marks.append(("record", .text(record.hex))) }
        if let reply { marks.append(("reply", .object(JSONLine(reply.members)))) }
        if let file { marks.append(("file", .text(file.hex))) }
        if isFileDelivered { marks.append(("file_delivered", .flag(true))) }
        if isEdited { marks.append(("edited", .flag(true))) }
        if isDeleted { marks.append(("deleted", .flag(true))) }
        if !reactions.isEmpty { marks.append(("reactions", .list(reactions.map { .object(JSONLine($0.members)) }))) }
        return marks
    }

    var pastObject: JSONLine { JSONLine(members(isHistory: true)) }

    package var object: JSONLine { JSONLine(members()) }
}

extension PrivateMessageChange {
    var members: [(String, JSONLine.Value)] {
        [("event", .text("private_changed")), ("change", .text(kind.rawValue)), ("by", .text(by.hex))]
            + (emoji.map { [("emoji", .text($0))] } ?? [])
            + [("message", .object(JSONLine(Array(message.members().dropFirst()))))]
    }
}

extension PrivateProgress {
    var members: [(String, JSONLine.Value)] {
        [
            ("event", .text("private_state")), ("number", .integer(Int(number))), ("peer", .text(peer.hex)),
            ("state", .text(state.rawValue)),
        ] + (file.map { [("file", .text($0))] } ?? [])
    }
}
