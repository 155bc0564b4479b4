import Glibc
import LatticeAPI
import LatticeCore
import LatticeCrypto
import NIOPosix

/// Accounts that open by a password alone: the file `accounts` of a data directory, `ACCOUNT HASH` a line, with the account in
/// base64url. Read once, as one process owns the directory. While a line is unreadable, no account counts as unclaimed.
package actor AccountBook {
    static let accountsMax = 10_000
    /// 10,000 lines of some 180 bytes.
    private static let bytesMax = 2 << 20
    /// Each takes 64 MiB.
    private static let checksMax = 2
    /// A guess: four seconds of waiting.
    private static let waitingMax = 64

    private let file: TextFile
    let keysFile: TextFile
    /// `nil` until the file is read.
    var keys: AccountKeys?
    private let cost: PassphraseKey.Cost
    let keyFileCost: PassphraseKey.Cost
    private var accounts: [AccountName: PasswordHash]?
    private var checksCount = 0
    private var waiters: [CheckedContinuation<Void, Never>] = []

    package init(folder: String) {
        self.init(folder: folder, cost: PasswordHash.usualCost, keyFileCost: .usual)
    }

    init(folder: String, cost: PassphraseKey.Cost, keyFileCost: PassphraseKey.Cost = .least) {
        file = TextFile(path: "\(folder)/accounts", bytesMax: Self.bytesMax)
        keysFile = TextFile(path: "\(folder)/\(Self.keysName)", bytesMax: Self.bytesMax)
        (self.cost, self.keyFileCost) = (cost, keyFileCost)
    }

    func isClaimed(_ account: AccountName) throws(RequestError) -> Bool {
        try read()[account] != nil
    }

    /// Whether this password opens the account. An unclaimed account is claimed by it. Right or wrong takes the same time.
    func opens(_ account: AccountName, _ password: TypedKey) async throws(RequestError) -> Bool {
        try await takeTurn()
        defer { endTurn() }
        if let known = try read()[account] { return try await Self.slowly { try known.matches(password.bytes) } }
        guard PasswordHash.passwordBytes.contains(password.bytes.count) else {
            throw .invalid(faults: [
                .passwordBytes(min: PasswordHash.passwordBytes.lowerBound, max: PasswordHash.passwordBytes.upperBound)
            ])
        }
        let cost = cost
        let made = try await Self.slowly { try PasswordHash(of: password.bytes, cost: cost) }
        // It may have been claimed meanwhile.
        if let known = try read()[account] { return try await Self.slowly { try known.matches(password.bytes) } }
        try claim(account, made)
        return true
    }

    private func claim(_ account: AccountName, _ hash: PasswordHash) throws(RequestError) {
        var all = try read()
        guard all.count < Self.accountsMax else {
            throw .accountsFull(max: Self.accountsMax)
        }
        all[account] = hash
        do {
            try file.replace(with: Self.text(of: all))
        } catch {
            throw failed(error)
        }
        accounts = all
    }

    // MARK: - Taking turns

    /// Does work that takes as much memory as a password, when it is its turn.
    func inTurn<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws(RequestError) -> Value {
        try await takeTurn()
        defer { endTurn() }
        return try await Self.slowly(work)
    }

    private func takeTurn() async throws(RequestError) {
        guard checksCount >= Self.checksMax else { return checksCount += 1 }
        guard waiters.count < Self.waitingMax else { throw .loginsBusy }
        await withCheckedContinuation { waiters.append($0) }
    }

    /// Passes the turn to the longest waiter.
    private func endTurn() {
        guard !waiters.isEmpty else { return checksCount -= 1 }
        waiters.removeFirst().resume()
    }

    /// Runs on the thread pool, so that everything else goes on.
    private static func slowly<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws(RequestError) -> Value {
        do {
            return try await NIOThreadPool.singleton.runIfActive(work)
        } catch {
            throw .other(code: .busy, message: "\(error)")
        }
    }

    // MARK: - The file

    private func read() throws(RequestError) -> [AccountName: PasswordHash] {
        if let accounts { return accounts }
        let text: String
        do {
            text = try file.read() ?? ""
        } catch {
            throw failed(error)
        }
        var all: [AccountName: PasswordHash] = [:]
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.isEmpty { continue }
            guard let (account, hash) = Self.entry(line) else {
                throw .file(fault: .badLine(path: file.path, line: number + 1))
            }
            all[account] = hash
        }
        accounts = all
        return all
    }

    private static func entry(_ line: Substring) -> (AccountName, PasswordHash)? {
        guard let space = line.firstIndex(of: " "), let bytes = Base64URL.bytes(String(line[..<space])),
            let text = String(validating: bytes, as: UTF8.self), let account = AccountName(text),
            let hash = PasswordHash(text: String(line[line.index(after: space)...]))
        else { return nil }
        return (account, hash)
    }

    private static func text(of accounts: [AccountName: PasswordHash]) -> String {
        accounts.map { "\(Base64URL.string(Array($0.key.text.utf8))) \($0.value.text)\n" }.sorted().joined()
    }

    private func failed(_ error: SystemError) -> RequestError { RequestError(error, writing: file.path) }
}
