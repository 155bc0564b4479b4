import LatticeAPI
import LatticeCore

/// What the node is asked about visitors, with errors that show them no paths.
struct VisitorHost: Sendable {
    let node: any MeshHost

    /// Names that people have, folded.
    func names() async throws(HTTPProblem) -> Set<String> {
        try await asking { () async throws(RequestError) in
            let me = try await node.perform(ShowMe())
            let peers = try await node.perform(ListPeers()).peers
            return Set((peers.map(\.name) + [me.name.text]).map { VisitorName.folded($0) })
        }
    }

    func publicRooms() async throws(HTTPProblem) -> [String] {
        try await asking { () async throws(RequestError) in
            let me = try await node.perform(ShowMe())
            return me.rooms.filter { !me.privateRooms.contains($0) }.map(\.text)
        }
    }

    func opens(_ account: AccountName, _ password: TypedKey) async throws(HTTPProblem) -> Bool {
        try await asking { () async throws(RequestError) in try await node.opens(account, password: password) }
    }

    func keyFile(of account: AccountName, under passphrase: TypedKey) async throws(HTTPProblem) -> [UInt8] {
        try await asking { () async throws(RequestError) in try await node.keyFile(of: account, under: passphrase) }
    }

    /// - Returns: whose key it is.
    func bring(_ key: VisitorKey, as account: AccountName) async throws(HTTPProblem) -> PeerID {
        try await asking { () async throws(RequestError) in
            try await node.bring(key.file, under: key.passphrase, as: account)
        }
    }

    func moveKey(of account: String, to known: String) async throws(HTTPProblem) {
        guard let account = AccountName(account), let known = AccountName(known) else { return }
        try await asking { () async throws(RequestError) in try await node.moveKey(of: account, to: known) }
    }

    func forgetKey(of account: String) async { await forgetKeys { $0 != account } }

    /// A key that stays stored opens nothing, and is forgotten at the next start.
    func forgetKeys(unless isKept: @Sendable (String) -> Bool) async {
        do {
            try await node.forgetKeys { isKept($0.text) }
        } catch {
            return
        }
    }

    /// A private room opens if its key is here; one that cannot be entered any more is left out.
    static func enter(_ room: String, _ visitor: any Visitor) async {
        do {
            let name = try RoomName(room)
            do {
                _ = try await visitor.perform(JoinRoom(name))
            } catch {
                _ = try await visitor.perform(EnterPrivateRoom(name, key: nil))
            }
        } catch {
            return
        }
    }

    private func asking<Value: Sendable>(
        _ ask: () async throws(RequestError) -> Value
    ) async throws(HTTPProblem) -> Value {
        do throws(RequestError) {
            return try await ask()
        } catch {
            throw HTTPProblem(withoutPaths: error)
        }
    }
}

/// The key of somebody who comes from another node.
struct VisitorKey: Sendable {
    let file: [UInt8]
    let passphrase: TypedKey
}

extension VisitorDesk {
    /// What a browser gets once: both are stored as digests only.
    struct Welcome: Sendable {
        let seat: VisitorSeat
        let token: String
        /// `nil` for somebody who came back.
        let code: String?
    }
}
