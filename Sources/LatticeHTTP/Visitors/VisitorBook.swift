import FoundationEssentials
package import LatticeAPI
package import LatticeCore

/// Somebody who writes through this node from a browser, as it is kept on disk.
package struct VisitorEntry: Hashable, Codable, Sendable {
    /// Digests of the tokens of this many browsers are kept; the oldest go.
    static let sessionsMax = 8
    static let roomsMax = 64

    /// The account from which the node derives this person's keys.
    let account: String
    /// The id of the person, in hexadecimal digits.
    var id: String
    var name: String
    /// Unix milliseconds, as `seen`.
    let since: Int64
    var seen: Int64
    /// Digests of the tokens of the browsers where this person is signed in, the oldest first.
    var sessions: [String]
    /// Digest of the recovery code.
    var code: String
    /// Whether a password opens the account, too. Absent is no.
    var hasPassword: Bool?
    /// Rooms that are entered when the person comes back.
    var rooms: [String]
}

/// Everybody who writes through this node from a browser.
package struct VisitorBook: Hashable, Sendable {
    /// How many lines of the text could not be read.
    package private(set) var damagedLines = 0

    /// After this long an absent visitor may be replaced.
    static let absentMax: Duration = .seconds(30 * 86_400)
    /// How often it is noted that a person is here, in milliseconds.
    static let seenInterval: Int64 = 3_600_000

    /// In the order in which they first came.
    private(set) var entries: [VisitorEntry] = []

    package init() {}

    /// - Parameter text: one JSON object on each line. Lines that are none are skipped, and counted.
    package init(_ text: String) {
        let decoder = JSONDecoder()
        for line in text.split(separator: "\n") {
            do {
                entries.append(try decoder.decode(VisitorEntry.self, from: Data(line.utf8)))
            } catch {
                damagedLines += 1
            }
        }
    }

    package var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return entries.map { entry in
            do {
                return String(decoding: try encoder.encode(entry), as: UTF8.self) + "\n"
            } catch {
                preconditionFailure("texts and numbers can be encoded: \(error)")
            }
        }.joined()
    }

    subscript(_ account: String) -> VisitorEntry? {
        get { entries.first { $0.account == account } }
        set {
            let index = entries.firstIndex { $0.account == account }
            switch (index, newValue) {
            case (let index?, let entry?): entries[index] = entry
            case (let index?, nil): entries.remove(at: index)
            case (nil, let entry?): entries.append(entry)
            case (nil, nil): break
            }
        }
    }

    /// - Parameter session: the digest of a token.
    func entry(session: String) -> VisitorEntry? { entries.first { $0.sessions.contains(session) } }

    /// - Parameter code: the digest of a recovery code.
    func entry(code: String) -> VisitorEntry? { entries.first { $0.code == code } }

    func entry(id: String) -> VisitorEntry? { entries.first { $0.id == id } }

    func isTaken(_ folded: String) -> Bool { entries.contains { VisitorName.folded($0.name) == folded } }

    /// Who has not been here for longest, if that is longer than `absentMax`.
    func absent(at now: WallTime) -> VisitorEntry? {
        let limit = now.milliseconds - Self.absentMax.components.seconds * 1_000
        return entries.filter { $0.seen < limit }.min { $0.seen < $1.seen }
    }
}

/// How visitors come to a node.
package struct VisitorSettings: Sendable {
    package let host: any MeshHost
    /// People at most, those included who are not here now.
    package var countMax: Int
    package var book = VisitorBook()
    /// Saves the book.
    package var keep: @Sendable (VisitorBook) -> Result<Void, RequestError>
    package var date: @Sendable () -> WallTime

    package init(
        host: any MeshHost, countMax: Int = 200,
        keep: @escaping @Sendable (VisitorBook) -> Result<Void, RequestError> = { _ in .success(()) },
        date: @escaping @Sendable () -> WallTime
    ) {
        (self.host, self.countMax, self.keep, self.date) = (host, countMax, keep, date)
    }
}
