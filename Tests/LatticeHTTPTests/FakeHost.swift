import LatticeAPI
import LatticeCore
import Synchronization

@testable import LatticeHTTP

/// A node that several people use, and remembers who came.
final class FakeHost: MeshHost {
    let node = FakeNode()
    private let here = Mutex<[AccountName: FakeVisitor]>([:])
    private let admitted = Mutex(0)
    /// The same account is always the same person.
    private let numbers = Mutex<[AccountName: UInt64]>([:])
    /// Why nobody is admitted.
    let refusal = Mutex<RequestError?>(nil)

    /// In no order.
    var visitors: [FakeVisitor] { here.withLock { Array($0.values) } }

    func visitor(_ name: String) -> FakeVisitor? { visitors.first { $0.name.text == name } }

    /// How often somebody was admitted.
    var admissions: Int { admitted.withLock { $0 } }

    func admit(_ account: AccountName, as name: PeerName) async throws(RequestError) -> any Visitor {
        if let refusal = refusal.withLock({ $0 }) { throw refusal }
        admitted.withLock { $0 += 1 }
        let number = numbers.withLock { all in
            let number = all[account] ?? UInt64(100 + all.count)
            all[account] = number
            return number
        }
        let brought = keys.withLock { $0[account] }.flatMap { UInt64(String(decoding: $0.dropFirst(4), as: UTF8.self)) }
        let visitor = FakeVisitor(
            id: Sample.peer(brought ?? number), name: name,
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

    /// Key files that were brought, by account.
    private let keys = Mutex<[AccountName: [UInt8]]>([:])
    var keysCount: Int { keys.withLock { $0.count } }

    func keyFile(of account: AccountName, under passphrase: TypedKey) async throws(RequestError) -> [UInt8] {
        Array("key \(keys.withLock { $0[account].map { String(decoding: $0, as: UTF8.self) } } ?? account.text)".utf8)
    }

    /// A key is `key NUMBER`, and its passphrase `open sesame`.
    func bring(
        _ keyFile: [UInt8], under passphrase: TypedKey, as account: AccountName
    ) async throws(RequestError) -> PeerID {
        guard let number = UInt64(String(decoding: keyFile.dropFirst(4), as: UTF8.self)) else {
            throw .badKeyFile(problem: .noKeyFile)
        }
        guard passphrase.bytes == Array("open sesame".utf8) else { throw .badKeyFile(problem: .wrongPassphrase) }
        keys.withLock { $0[account] = keyFile }
        return Sample.peer(number)
    }

    func moveKey(of account: AccountName, to known: AccountName) async throws(RequestError) {
        keys.withLock { all in all[known] = all.removeValue(forKey: account) }
    }

    func forgetKeys(unless isKept: @Sendable (AccountName) -> Bool) async throws(RequestError) {
        keys.withLock { all in all = all.filter { isKept($0.key) } }
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
