import Glibc
import LatticeAPI
package import LatticeCore
import LatticeStore

/// The file `people` of an identity's folder. Several processes of one person may write it: each reads it anew under a lock,
/// changes its part and replaces it.
package struct PeopleBook: Sendable {
    /// 4,096 people, 256 rooms, 300 bytes a line at most.
    private static let bytesMax = 2 << 20
    private static let damagedBytesMax = 256 << 10
    private static let lockInterval: Duration = .milliseconds(10)
    private static let lockTriesMax = 300

    let path: String
    private let file: TextFile

    package init(folder: String) {
        path = "\(folder)/people"
        file = TextFile(path: path, bytesMax: Self.bytesMax)
    }

    /// The result of reading the file.
    struct Page: Sendable {
        let known: KnownPeople
        let damagedLines: Int
    }

    var damagedPath: String { "\(path).damaged" }

    /// `nil` if there is no file.
    var mark: FileMark? { FileMark(path: path) }

    func read() throws(SystemError) -> Page {
        let (known, damaged) = KnownPeople.read(try file.read() ?? "")
        return Page(known: known, damagedLines: damaged.count)
    }

    /// Contacts that a person added or verified, and did not block.
    package func contacts() -> Set<PeerID> {
        do {
            let people = try read().known.all.filter { ($0.added != nil || $0.verified != nil) && $0.blocked == nil }
            return Set(people.map(\.id))
        } catch {
            return []  // Asking a contact once more is better than letting in a blocked one.
        }
    }

    /// Peers whose records must not be stored.
    func blocked() -> Set<PeerID> {
        do {
            return try read().known.blocked
        } catch {
            return []  // The node reports it, along with unreadable lines.
        }
    }

    /// Changes the file. Unreadable lines are moved to `people.damaged`.
    ///
    /// - Throws: `SystemError`; `EWOULDBLOCK` if somebody else holds the lock for longer than 3 s.
    /// - Returns: the result of `change`, and the new contents.
    func update<Value: Sendable>(
        _ change: (inout KnownPeople) throws -> Value
    ) async throws -> (Value, KnownPeople, damagedLines: Int) {
        let descriptor = try await locked()
        defer { close(descriptor) }
        let before = try file.read() ?? ""
        var (known, damaged) = KnownPeople.read(before)
        if !damaged.isEmpty { try putAside(damaged) }
        let value = try change(&known)
        let after = known.text
        if after != before { try file.replace(with: after) }
        return (value, known, damaged.count)
    }

    private func locked() async throws -> Int32 {
        let descriptor = open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw SystemError(code: errno) }
        for _ in 0..<Self.lockTriesMax {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
            do {
                try await Task.sleep(for: Self.lockInterval)
            } catch {
                break
            }
        }
        close(descriptor)
        throw SystemError(code: EWOULDBLOCK)
    }

    private func putAside(_ lines: [String]) throws(SystemError) {
        let aside = TextFile(path: damagedPath, bytesMax: Self.bytesMax)
        let before = try aside.read() ?? ""
        let text = before + lines.filter { !before.contains($0) }.map { "\($0)\n" }.joined()
        try aside.replace(with: String(decoding: text.utf8.suffix(Self.damagedBytesMax), as: UTF8.self))
    }
}
