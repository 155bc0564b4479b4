package import LatticeAPI
package import LatticeCore
import LatticeCrypto

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

    package func keyFile(
        of account: AccountName, under passphrase: TypedKey
    ) async throws(RequestError) -> [UInt8] {
        guard let accounts = configuration.accounts else { throw .noFolder(lacks: .accounts) }
        let identity = try await accounts.identity(of: account, on: configuration.identity)
        return try await accounts.keyFile(of: identity, under: passphrase)
    }

    package func bring(
        _ keyFile: [UInt8], under passphrase: TypedKey, as account: AccountName
    ) async throws(RequestError) -> PeerID {
        guard let accounts = configuration.accounts else { throw .noFolder(lacks: .accounts) }
        return try await accounts.bring(keyFile, under: passphrase, as: account, on: configuration.identity)
    }

    package func moveKey(of account: AccountName, to known: AccountName) async throws(RequestError) {
        try await configuration.accounts?.moveKey(of: account, to: known, on: configuration.identity)
    }

    package func forgetKeys(unless isKept: @Sendable (AccountName) -> Bool) async throws(RequestError) {
        try await configuration.accounts?.forgetKeys(unless: isKept)
    }
}
