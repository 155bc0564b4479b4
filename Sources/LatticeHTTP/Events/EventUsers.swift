import LatticeAPI
import LatticeCore

/// Users who create events through other clients: digests of their tokens, and the owner of each event.
package struct EventUsers: Hashable, Sendable {
    package static let usersMax = 1_000
    package static let eventsMax = 10_000

    /// The user number, 1, 2, …, by the digest of the token.
    private(set) var users: [String: Int] = [:]
    private var owners: [RecordID: Int] = [:]
    /// Oldest first.
    private var order: [RecordID] = []

    package init() {}

    /// Parses one line each: `user NUMBER DIGEST` or `event NUMBER ID`. Invalid lines are skipped.
    package init(_ text: String) {
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ")
            guard parts.count == 3, let number = Int(parts[1]), number > 0 else { continue }
            switch parts[0] {
            case "user" where users.count < Self.usersMax: users[String(parts[2])] = number
            case "event": if let hash = Bytes32(hex: parts[2]) { own(RecordID(hash), by: number) }
            default: continue
            }
        }
    }

    package var text: String {
        let lines =
            users.sorted { $0.value < $1.value }.map { "user \($0.value) \($0.key)\n" }
            + order.map { "event \(owners[$0] ?? 0) \($0.hex)\n" }
        return lines.joined()
    }

    /// - Returns: the new user's number; `nil` if there are too many.
    mutating func add(_ digest: String) -> Int? {
        guard users.count < Self.usersMax else { return nil }
        let number = (users.values.max() ?? 0) + 1
        users[digest] = number
        return number
    }

    /// Sets the owner of an event. Beyond the limit, the oldest events become the node's own.
    mutating func own(_ event: RecordID, by user: Int) {
        guard owners.updateValue(user, forKey: event) == nil else { return }
        order.append(event)
        if order.count > Self.eventsMax { owners[order.removeFirst()] = nil }
    }

    func owner(of event: RecordID) -> Int? { owners[event] }
}

actor EventDesk {
    private var users: EventUsers
    private let digest: @Sendable (String) -> String
    private let keep: @Sendable (EventUsers) -> Result<Void, RequestError>

    init(_ settings: HTTPSettings) {
        users = settings.users
        digest = settings.digest
        keep = settings.keepUsers
    }

    /// - Returns: a new user and their token; `nil` if there are too many.
    /// - Throws: if it could not be saved; then the token is invalid.
    func newUser() throws(RequestError) -> (number: Int, token: String)? {
        var dice = SystemRandomNumberGenerator()
        let token = AccessToken.made(using: &dice).text
        var more = users
        guard let number = more.add(digest(token)) else { return nil }
        try keep(more).get()
        users = more
        return (number, token)
    }

    func user(_ token: String) -> Int? { users.users[digest(token)] }

    func owner(of event: RecordID) -> Int? { users.owner(of: event) }

    /// - Throws: if it could not be saved; then the event is the node's own.
    func own(_ event: RecordID, by user: Int) throws(RequestError) {
        var more = users
        more.own(event, by: user)
        try keep(more).get()
        users = more
    }
}
