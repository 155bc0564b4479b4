import Glibc
import LatticeAPI
import LatticeCore
import LatticeCrypto

// Keys of accounts that came from elsewhere: the file `account-keys` of a data directory, `ACCOUNT KEY` a line, with the account in
// base64url and the key encrypted under that of the node.
extension AccountBook {
    static let keysName = "account-keys"

    /// The persona of an account: with the key that was brought, or with the one that follows from the node's.
    func identity(of account: AccountName, on node: Identity) throws(RequestError) -> Identity {
        let name = Array(account.text.utf8)
        guard let sealed = try read().sealed[account] else { return node.visitor(of: name) }
        do {
            return try node.visitor(of: name, sealed: sealed)
        } catch {
            throw .badKeyFile(problem: .damaged)
        }
    }

    /// The text of a key file under a passphrase.
    func keyFile(of identity: Identity, under passphrase: TypedKey) async throws(RequestError) -> [UInt8] {
        guard PasswordHash.passwordBytes.contains(passphrase.bytes.count) else {
            throw .invalid(faults: [
                .passwordBytes(min: PasswordHash.passwordBytes.lowerBound, max: PasswordHash.passwordBytes.upperBound)
            ])
        }
        let cost = keyFileCost
        return try await inTurn {
            try SealedIdentity(sealing: identity, under: SecretBytes(copying: passphrase.bytes), cost: cost).text
        }
    }

    /// From now on the account's persona has the key of this file.
    ///
    /// - Returns: whose key it is.
    func bring(
        _ keyFile: [UInt8], under passphrase: TypedKey, as account: AccountName, on node: Identity
    ) async throws(RequestError) -> PeerID {
        let file = try Self.read(keyFile)
        let opened = try await inTurn { () -> Identity? in
            do throws(PassphraseKeyError) {
                return try file.open(SecretBytes(copying: passphrase.bytes))
            } catch .wrong {
                return nil
            }
        }
        guard let opened else { throw .badKeyFile(problem: .wrongPassphrase) }
        guard opened.peer != node.peer else { throw .badKeyFile(problem: .isOfNode) }
        var all = try read()
        guard all.sealed.count < Self.accountsMax else { throw .accountsFull(max: Self.accountsMax) }
        all.sealed[account] = node.sealed(opened, of: Array(account.text.utf8))
        try keep(all)
        return opened.peer
    }

    /// Moves the key of a new account to the account that this person has already.
    func moveKey(of account: AccountName, to known: AccountName, on node: Identity) throws(RequestError) {
        let identity = try identity(of: account, on: node)
        var all = try read()
        all.sealed[account] = nil
        let name = Array(known.text.utf8)
        all.sealed[known] = node.visitor(of: name).peer == identity.peer ? nil : node.sealed(identity, of: name)
        try keep(all)
    }

    /// Forgets the keys of all accounts but these.
    func forgetKeys(unless isKept: (AccountName) -> Bool) throws(RequestError) {
        var all = try read()
        let gone = all.sealed.keys.filter { !isKept($0) }
        guard !gone.isEmpty else { return }
        for account in gone { all.sealed[account] = nil }
        try keep(all)
    }

    /// A stranger's file may not cost more than one of ours.
    private static func read(_ text: [UInt8]) throws(RequestError) -> SealedIdentity {
        let file: SealedIdentity
        do {
            file = try SealedIdentity(reading: text)
        } catch .costOutOfRange {
            throw .badKeyFile(problem: .tooCostly)
        } catch .badChecksum, .cutOff, .trailing {
            throw .badKeyFile(problem: .damaged)
        } catch {
            throw .badKeyFile(problem: .noKeyFile)
        }
        let usual = PassphraseKey.Cost.usual
        guard file.cost.passes <= usual.passes, file.cost.memoryKiB <= usual.memoryKiB else {
            throw .badKeyFile(problem: .tooCostly)
        }
        return file
    }

    // MARK: - The file

    private func keep(_ all: AccountKeys) throws(RequestError) {
        do {
            try keysFile.replace(with: all.text, isDurable: true)
        } catch {
            throw RequestError(error, writing: keysFile.path)
        }
        keys = all
    }

    private func read() throws(RequestError) -> AccountKeys {
        if let keys { return keys }
        do {
            let all = AccountKeys(try keysFile.read() ?? "")
            keys = all
            return all
        } catch {
            throw RequestError(error, writing: keysFile.path)
        }
    }
}

/// The text of the file.
struct AccountKeys: Sendable {
    var sealed: [AccountName: [UInt8]] = [:]
    /// Lines that cannot be read. They stay as they are; who had a key there can bring it again.
    private var others: [Substring] = []

    init(_ text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 2, let bytes = Base64URL.bytes(String(words[0])),
                let name = String(validating: bytes, as: UTF8.self), let account = AccountName(name),
                let key = Hex.bytes(String(words[1]))
            {
                sealed[account] = key
            } else {
                others.append(line)
            }
        }
    }

    var text: String {
        let lines = sealed.map { "\(Base64URL.string(Array($0.key.text.utf8))) \(Hex.string($0.value))" }
        return (lines.sorted() + others.map(String.init)).map { "\($0)\n" }.joined()
    }
}
