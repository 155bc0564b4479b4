import LatticeAPI
import LatticeCore

@testable import LatticeIRC

/// A node of which everybody who is let in hears everything, at once.
actor FakeHost: MeshHost {
    private var publicReaders: [NodeEvents.Input] = []
    private var inside: [AccountName: FakeVisitor] = [:]
    private var passwords: [AccountName: TypedKey] = [:]
    private var lastRecord: UInt64 = 0
    private(set) var requests: [any Hashable & Sendable] = []

    var insideCount: Int { inside.count }

    func admit(_ account: AccountName, as name: PeerName) async throws(RequestError) -> any Visitor {
        guard inside[account] == nil else { throw RequestError.other(code: .busy, message: "\(account) is in already") }
        let visitor = FakeVisitor(account: account, name: name, host: self)
        inside[account] = visitor
        return visitor
    }

    func opens(_ account: AccountName, password: TypedKey) async throws(RequestError) -> Bool {
        if passwords[account] == nil { passwords[account] = password }
        return passwords[account] == password
    }

    func keyFile(of account: AccountName, under passphrase: TypedKey) async throws(RequestError) -> [UInt8] {
        throw .noFolder(lacks: .accounts)
    }

    func bring(
        _ keyFile: [UInt8], under passphrase: TypedKey, as account: AccountName
    ) async throws(RequestError) -> PeerID { throw .noFolder(lacks: .accounts) }

    func moveKey(of account: AccountName, to known: AccountName) async throws(RequestError) {}

    func forgetKeys(unless isKept: @Sendable (AccountName) -> Bool) async throws(RequestError) {}

    func isClaimed(_ account: AccountName) async throws(RequestError) -> Bool { passwords[account] != nil }

    func publicEvents() async -> NodeEvents {
        let (stream, input) = NodeEvents.makeStream()
        publicReaders.append(input)
        return stream
    }

    func events() async -> NodeEvents { await publicEvents() }

    func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
        let reply: (any Sendable)? =
            switch request {
            case is ListPeers: ListPeers.Reply([])
            case is ShowMe: owner
            default: nil
            }
        guard let reply = reply as? R.Reply else {
            throw RequestError.other(code: .stopped, message: "this test does not answer \(R.name)")
        }
        return reply
    }

    private var owner: Me {
        do {
            return Me(
                id: GatewayRig.peer("owner"), name: try PeerName("owner"), mesh: try MeshName("camp"), port: 4_000,
                discovery: "off", rooms: [])
        } catch {
            preconditionFailure("\(error)")
        }
    }

    func tell(_ event: NodeEvent) {
        for reader in publicReaders { reader.yield(event) }
    }

    func left(_ account: AccountName) { inside[account] = nil }

    func performed<R: Request>(
        _ request: R, by id: PeerID, _ name: PeerName
    ) throws(RequestError) -> R.Reply {
        requests.append(request)
        guard let reply = try reply(to: request, by: id, name) as? R.Reply else {
            throw RequestError.other(code: .stopped, message: "this test does not answer \(R.name)")
        }
        return reply
    }

    private func reply(
        to request: any Request, by id: PeerID, _ name: PeerName
    ) throws(RequestError) -> any Sendable {
        switch request {
        case let said as SayLines:
            let outcomes = said.lines.map { line in
                lastRecord += 1
                let record = RecordID(Bytes32(words: (lastRecord, 0, 0, 0)))
                tell(
                    .message(
                        Message(
                            record: record, room: said.room, from: id, name: name, text: line.text, style: line.style,
                            at: WallTime(milliseconds: 1_795_000_000_000), hops: 0, isNotice: line.isNotice)))
                return SayLines.Outcome.said(Say.Reply(record, isWaiting: false))
            }
            return SayLines.Reply(outcomes)
        case is HistoryQuery: return HistoryPage(lines: [], hasMore: false)
        case is ListPeers: return ListPeers.Reply([])
        case is FindPerson, is ShowSafetyNumber: throw RequestError.other(code: .unknownPeer, message: "nobody")
        // Nobody here is in a private room.
        case is EnterPrivateRoom: return EnteredRoom(nil)
        default: return Done()
        }
    }
}

struct FakeVisitor: Visitor {
    let account: AccountName
    let name: PeerName
    let host: FakeHost
    private let own: (stream: NodeEvents, input: NodeEvents.Input)

    init(account: AccountName, name: PeerName, host: FakeHost) {
        (self.account, self.name, self.host) = (account, name, host)
        let (stream, input) = NodeEvents.makeStream()
        own = (stream, input)
    }

    var id: PeerID { GatewayRig.peer(account.text) }

    func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
        try await host.performed(request, by: id, name)
    }

    func events() async -> NodeEvents { own.stream }

    func ownEvents() async -> NodeEvents { own.stream }

    func leave() async {
        own.input.finish()
        await host.left(account)
    }
}
