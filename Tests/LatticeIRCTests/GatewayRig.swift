import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeIRC

/// A gateway without sockets: lines go in, lines come out, and what is asked of the node is answered by `answer`.
struct GatewayRig {
    var gateway: IRCGateway
    var now = Instant(nanoseconds: 1_000_000_000)
    var date = WallTime(milliseconds: 1_795_000_000_123)
    /// What was written to each client and not looked at yet.
    var output: [ConnectionID: [String]] = [:]
    var closed: [ConnectionID] = []
    var left: [ConnectionID] = []
    /// What was asked, but for letting people in.
    var asked: [IRCRequest] = []
    var kept: IRCReadMarks?
    /// Answers that are given later, one by one.
    var held: [(ConnectionID, IRCTicket, IRCQuestion)] = []
    var holds = false
    var answer: (IRCRequest, ConnectionID) -> IRCOutcome = { request, _ in Self.obliging(request) }
    var claimed: [String: String] = [:]
    var accounts: [ConnectionID: AccountName] = [:]
    private var last = 0

    init(_ change: (inout IRCSettings) -> Void = { _ in }) throws {
        var settings = IRCSettings(
            mesh: try MeshName("camp"), version: "1", begun: WallTime(milliseconds: 1_795_000_000_000),
            dateText: { _ in "2026-11-18 12:34" })
        change(&settings)
        gateway = IRCGateway(settings)
    }

    static func peer(_ text: String) -> PeerID {
        let bytes = Array(text.utf8.prefix(32))
        return PeerID(Bytes32(bytes + [UInt8](repeating: 7, count: 32 - bytes.count)) ?? .zero)
    }

    static func record(_ number: UInt8) -> RecordID {
        RecordID(Bytes32([UInt8](repeating: number, count: 32)) ?? .zero)
    }

    static func said(_ record: RecordID, at time: WallTime? = nil) -> SayLines.Outcome {
        .said(Say.Reply(record, isWaiting: false, at: time))
    }

    static func obliging(_ request: IRCRequest) -> IRCOutcome {
        switch request {
        case .say(let lines, _, _): .success(.answer(.said(lines.map { _ in said(record(9)) })))
        case .away: .success(.answer(.away(missed: 0)))
        case .room(.enter): .success(.answer(.room(.entered(nil))))
        case .room(.pins), .room(.pin): .success(.answer(.room(.pins([]))))
        case .room: .success(.answer(.room(.done)))
        case .history: .success(.answer(.history(HistoryPage(lines: [], hasMore: false))))
        case .peers: .success(.answer(.peers([])))
        case .conversations, .privateHistory: .success(.answer(.privateHistory([])))
        case .known: .failure(RequestError.other(code: .unknownPeer, message: "nobody"))
        default: .success(.answer(.done))
        }
    }

    mutating func connect(isSecure: Bool = false) -> ConnectionID {
        last += 1
        let id = ConnectionID(last)
        handle(.connected(id, host: "127.0.0.1", isSecure: isSecure))
        return id
    }

    /// Somebody who is in, and has been welcomed.
    mutating func client(_ nick: String, _ capabilities: String = "") -> ConnectionID {
        let id = connect()
        if !capabilities.isEmpty { say(id, "CAP LS 302", "CAP REQ :\(capabilities)") }
        say(id, "NICK \(nick)", "USER \(nick) 0 * :Real \(nick)")
        if !capabilities.isEmpty { say(id, "CAP END") }
        output[id] = []
        return id
    }

    mutating func say(_ id: ConnectionID, _ lines: String...) {
        for line in lines { handle(.line(id, Array(line.utf8))) }
    }

    /// What a client received since the last call.
    mutating func heard(_ id: ConnectionID) -> [String] {
        defer { output[id] = [] }
        return output[id] ?? []
    }

    /// What it answers to that, in the words behind its own name.
    mutating func replies(_ id: ConnectionID, _ lines: String...) -> [String] {
        output[id] = []
        for line in lines { say(id, line) }
        return heard(id).map { $0.hasPrefix(":lattice.local ") ? String($0.dropFirst(15)) : $0 }
    }

    mutating func wait(_ duration: Duration) {
        now = now.advanced(by: duration)
        handle(.woke)
    }

    mutating func handle(_ event: IRCEvent) {
        var effects = gateway.handle(event, at: now, date: date)[...]
        while let effect = effects.popFirst() {
            switch effect {
            case .write(let ids, let bytes):
                let line = String(decoding: bytes, as: UTF8.self)
                #expect(line.hasSuffix("\r\n") && !line.dropLast(1).contains { $0 == "\n" || $0 == "\r" })
                for id in ids { output[id, default: []].append(String(line.dropLast())) }
            case .close(let id): closed.append(id)
            case .leave(let id): left.append(id)
            case .keep(let marks): kept = marks
            case .ask(let id, let ticket, let question):
                if holds { held.append((id, ticket, question)) } else { effects += answers(id, ticket, question)[...] }
            }
        }
    }

    /// Answers what was held, in order.
    mutating func letGo() {
        holds = false
        let all = held
        held = []
        for (id, ticket, question) in all { handle(.answered(id, ticket, outcome(id, question))) }
    }

    private mutating func answers(_ id: ConnectionID, _ ticket: IRCTicket, _ question: IRCQuestion) -> [IRCEffect] {
        gateway.handle(.answered(id, ticket, outcome(id, question)), at: now, date: date)
    }

    private mutating func outcome(_ id: ConnectionID, _ question: IRCQuestion) -> IRCOutcome {
        switch question {
        case .admit(let account, _):
            accounts[id] = account
            return .success(.admitted(Self.peer(account.text)))
        case .opens(let account, let password):
            let said = String(decoding: password.bytes, as: UTF8.self)
            if claimed[account.text] == nil { claimed[account.text] = said }
            return .success(.says(claimed[account.text] == said))
        case .isClaimed(let account): return .success(.says(claimed[account.text] != nil))
        case .perform(let request), .performForOwner(let request):
            // A client that enters a room asks for its pins.
            if case .room(.pins) = request { return answer(request, id) }
            asked.append(request)
            return answer(request, id)
        }
    }

    // MARK: - What the mesh tells

    mutating func comes(_ name: String, _ rooms: String..., hops: Int = 1) throws {
        try comes(name, key: name, rooms, hops: hops)
    }

    mutating func comes(_ name: String, key: String, _ rooms: [String], hops: Int = 1) throws {
        handle(
            .told(
                .presence(
                    PresenceChange(
                        id: Self.peer(key), name: try PeerName(name), isHere: true,
                        rooms: try rooms.map { try RoomName($0) },
                        hops: hops))))
    }

    mutating func goes(_ name: String) throws {
        handle(
            .told(
                .presence(
                    PresenceChange(id: Self.peer(name), name: try PeerName(name), isHere: false, rooms: [], hops: 1))))
    }

    func message(
        _ text: String, from name: String, in room: String = "#park", style: SpeechStyle = .says, isLate: Bool = false,
        record: UInt8 = 1
    ) throws -> Message {
        Message(
            record: Self.record(record), room: try RoomName(room), from: Self.peer(name), name: try PeerName(name),
            text: text,
            style: style, at: date, hops: 1, isLate: isLate)
    }
}

extension IRCRequest {
    /// One line.
    static func say(
        _ text: String, style: SpeechStyle, room: RoomName, audience: Audience, isNotice: Bool = false
    ) -> IRCRequest {
        .say([SayLines.Line(text, style: style, isNotice: isNotice)], room: room, audience: audience)
    }
}
