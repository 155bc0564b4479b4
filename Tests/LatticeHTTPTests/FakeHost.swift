import LatticeAPI
import LatticeCore
import Synchronization

@testable import LatticeHTTP

/// A node that several people use, and remembers who came.
final class FakeHost: MeshHost {
    let node = FakeNode()
    private let here = Mutex<[AccountName: FakeVisitor]>([:])
    private let admitted = Mutex(0)
    /// Why nobody is admitted.
    let refusal = Mutex<RequestError?>(nil)

    /// In no order.
    var visitors: [FakeVisitor] { here.withLock { Array($0.values) } }

    func visitor(_ name: String) -> FakeVisitor? { visitors.first { $0.name.text == name } }

    /// How often somebody was admitted.
    var admissions: Int { admitted.withLock { $0 } }

    func admit(_ account: AccountName, as name: PeerName) async throws(RequestError) -> any Visitor {
        if let refusal = refusal.withLock({ $0 }) { throw refusal }
        let number = admitted.withLock { count in
            count += 1
            return count
        }
        let visitor = FakeVisitor(
            id: Sample.peer(UInt64(100 + number)), name: name,
            onLeave: { [weak self] in self?.here.withLock { $0[account] = nil } })
        let isIn = here.withLock { all in
            if all[account] != nil { return true }
            all[account] = visitor
            return false
        }
        if isIn { throw .accountInUse(account: account.text) }
        return visitor
    }

    private let passwords = Mutex<[AccountName: [UInt8]]>([:])

    func opens(_ account: AccountName, password: TypedKey) async throws(RequestError) -> Bool {
        passwords.withLock { all in
            let known = all[account] ?? password.bytes
            all[account] = known
            return known == password.bytes
        }
    }

    func isClaimed(_ account: AccountName) async throws(RequestError) -> Bool {
        passwords.withLock { $0[account] != nil }
    }
    func publicEvents() async -> NodeEvents { await node.events() }
    func events() async -> NodeEvents { await node.events() }
    func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply { try await node.perform(request) }
}

final class FakeVisitor: Visitor {
    let id: PeerID
    let name: PeerName
    let node = FakeNode()
    private let onLeave: @Sendable () -> Void

    init(id: PeerID, name: PeerName, onLeave: @escaping @Sendable () -> Void) {
        (self.id, self.name, self.onLeave) = (id, name, onLeave)
    }

    func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
        let reply = try await node.perform(request)
        guard let me = reply as? Me else { return reply }
        let mine = Me(
            id: id, name: name, mesh: me.mesh, port: me.port, discovery: me.discovery, rooms: me.rooms,
            privateRooms: [], isClosed: me.isClosed, away: nil)
        return mine as? R.Reply ?? reply
    }

    func events() async -> NodeEvents { await node.events() }
    func ownEvents() async -> NodeEvents { await node.events() }
    /// The node sends them away.
    func sendAway() async {
        await node.finish()
        onLeave()
    }

    func leave() async { onLeave() }
}
