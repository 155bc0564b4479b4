import LatticeAPI
import LatticeCore
import LatticeIRC

extension FuzzTarget {
    static let irc = FuzzTarget(
        "irc",
        "lines of IRC clients: read as they are written, and a gateway writes whole lines whatever they say and the mesh tells",
        inputBytesMax: 2_000
    ) { bytes throws(BrokenProperty) in
        var trial = try GatewayTrial()
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            try GatewayTrial.checkReading(line)
            try trial.take(line)
        }
        try trial.finish()
    }
}

/// Three clients of a gateway whose node does nothing.
private struct GatewayTrial {
    private var gateway: IRCGateway
    private var now = Instant(nanoseconds: 1_000_000_000)
    private let clients = (1...3).map(ConnectionID.init)
    private var closed: Set<ConnectionID> = []
    private var lastPerson: UInt64 = 0

    init() throws(BrokenProperty) {
        guard let mesh = accepted({ try MeshName("camp") }) else { throw BrokenProperty("a name is none") }
        gateway = IRCGateway(IRCSettings(mesh: mesh, version: "1", begun: WallTime(milliseconds: 0)))
        for id in clients { try handle(.connected(id, host: "here", isSecure: false)) }
        for (id, nick) in zip(clients, ["a", "b"]) {
            for line in ["NICK \(nick)", "USER u 0 * :r", "JOIN #park"] { try handle(.line(id, Array(line.utf8))) }
        }
    }

    /// The first byte selects the client that sends the line, or an event of the mesh.
    mutating func take(_ line: ArraySlice<UInt8>) throws(BrokenProperty) {
        guard let first = line.first else { return }
        let rest = Array(line.dropFirst())
        now = now.advanced(by: .milliseconds(50))
        switch first {
        case UInt8(ascii: "!"): try presence(rest, isHere: true)
        case UInt8(ascii: "?"): try presence(rest, isHere: false)
        case UInt8(ascii: "="): try message(rest)
        case UInt8(ascii: "~"): try handle(.woke)
        default: try handle(.line(clients[Int(first) % 3], rest))
        }
    }

    mutating func finish() throws(BrokenProperty) {
        try handle(.stopping)
        try hold(closed == Set(clients), "somebody is not let go of")
    }

    private static let people = (1...4).map { PeerID(Bytes32(words: (UInt64($0) << 56, 9, 9, 9))) }

    private mutating func presence(_ bytes: [UInt8], isHere: Bool) throws(BrokenProperty) {
        let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
        let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard let word = parts.first, let name = accepted({ try PeerName(word) }) else { return }
        let rooms = parts.count > 1 ? accepted { [try RoomName(parts[1])] } ?? [] : []
        let person = Self.people[Int(bytes[0]) % 4]
        try handle(.told(.presence(PresenceChange(id: person, name: name, isHere: isHere, rooms: rooms, hops: 1))))
    }

    private mutating func message(_ bytes: [UInt8]) throws(BrokenProperty) {
        guard let room = accepted({ try RoomName("#park") }), let name = accepted({ try PeerName("x") }),
            let first = bytes.first
        else { return }
        let message = Message(
            record: RecordID(.zero), room: room, from: Self.people[Int(first) % 4], name: name,
            text: String(decoding: bytes.dropFirst(), as: UTF8.self), style: first & 8 == 0 ? .says : .acts,
            at: WallTime(milliseconds: Int64(first) * 1_000), hops: 1, isLate: first & 16 == 0)
        try handle(.told(.message(message)))
    }

    private mutating func handle(_ event: IRCEvent) throws(BrokenProperty) {
        var effects = gateway.handle(event, at: now, date: WallTime(milliseconds: 1_795_000_000_000))[...]
        while let effect = effects.popFirst() {
            switch effect {
            case .write(let ids, let bytes):
                try Self.check(bytes)
                try hold(closed.isDisjoint(with: ids), "a client is written to that was let go of")
            case .close(let id):
                try hold(closed.insert(id).inserted, "a client is let go of twice")
                effects += gateway.handle(.ended(id, "closed"), at: now, date: WallTime(milliseconds: 0))[...]
            case .ask(let id, let ticket, let question):
                let outcome = IRCOutcome.success(answer(question))
                effects += gateway.handle(.answered(id, ticket, outcome), at: now, date: WallTime(milliseconds: 0))[...]
            case .leave, .keep: continue
            }
        }
    }

    private mutating func answer(_ question: IRCQuestion) -> IRCAnswer {
        switch question {
        case .admit:
            lastPerson += 1
            return .admitted(PeerID(Bytes32(words: (lastPerson, 1, 1, 1))))
        case .opens: return .says(true)
        case .isClaimed: return .says(false)
        case .perform(.room(.enter)): return .answer(.room(.entered(nil)))
        case .perform, .performForOwner: return .answer(.done)
        }
    }

    private static func check(_ bytes: [UInt8]) throws(BrokenProperty) {
        try hold(bytes.suffix(2) == [0x0D, 0x0A], "a line has no end")
        try hold(!bytes.dropLast(2).contains { [0, 0x0A, 0x0D].contains($0) }, "a line ends within")
        try hold(String(validating: bytes, as: UTF8.self) != nil, "a line is no text")
        try hold(bytes.count <= 512 || bytes.first == UInt8(ascii: "@"), "a line has \(bytes.count) bytes")
    }

    static func checkReading(_ line: ArraySlice<UInt8>) throws(BrokenProperty) {
        guard let read = accepted({ try IRCMessage(line) }), let message = read,
            !message.command.hasPrefix("@"), message.command.utf8.allSatisfy({ $0 < 0x80 })
        else { return }
        let written = IRCLine(
            source: message.source, message.command, Array(message.params.dropLast()), trailing: message.params.last)
        let bytes = written.bytes(for: [])
        // If the last parameter had no colon, it takes one more byte now and may not fit.
        guard bytes.count < 512 else { return }
        let again = accepted { try IRCMessage(bytes.dropLast(2)) } ?? nil
        try hold(
            again?.command == message.command && again?.params == message.params && again?.source == message.source,
            "a line is read as another when it was written")
    }
}
