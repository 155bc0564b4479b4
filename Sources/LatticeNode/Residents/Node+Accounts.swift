package import LatticeAPI

// Which accounts open by a password alone.
extension Node {
    package func opens(_ account: AccountName, password: TypedKey) async throws(RequestError) -> Bool {
        throw .noAccounts
    }

    package func isClaimed(_ account: AccountName) async throws(RequestError) -> Bool {
        false
    }
}

extension RequestError {
    static let noAccounts = RequestError(.fileFailed, "this node keeps no accounts: it has no folder for that")
}
