package import LatticeAPI

// Accounts that open by a password alone.
extension Node {
    package func opens(_ account: AccountName, password: TypedKey) async throws(RequestError) -> Bool {
        guard let accounts = configuration.accounts else { throw .noFolder(lacks: .accounts) }
        return try await accounts.opens(account, password)
    }

    package func isClaimed(_ account: AccountName) async throws(RequestError) -> Bool {
        guard let accounts = configuration.accounts else { return false }
        return try await accounts.isClaimed(account)
    }
}
