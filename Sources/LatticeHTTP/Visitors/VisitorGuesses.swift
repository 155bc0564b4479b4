import LatticeAPI
import LatticeCore

/// How somebody shows who they are, on another browser.
enum VisitorProof: Sendable {
    case code(String)
    case password(TypedKey, name: String)
}

/// Wrong codes and passwords of the last minutes.
struct VisitorGuesses {
    private static let addressMax = 5
    /// Passwords for one name, from all addresses.
    private static let nameMax = 20
    private static let pause: Duration = .seconds(600)
    private static let targetsMax = 4_096

    static let tooMany: HTTPProblem = {
        var problem = HTTPProblem(429, "tooMany", "Too many tries. Wait 10 minutes.")
        problem.headers["retry-after"] = "600"
        return problem
    }()

    private var guesses: [String: (count: Int, until: Instant)] = [:]

    /// Counts one more try, as if it were wrong.
    ///
    /// - Parameter proof: `nil` for a key of their own, which they can only open themselves.
    /// - Returns: how many are left for this address.
    /// - Throws: `tooMany`
    mutating func guess(from address: String, _ proof: VisitorProof?, at now: Instant) throws(HTTPProblem) -> Int {
        guesses = guesses.filter { $0.value.until > now }
        let tries = try count(address, max: Self.addressMax, at: now)
        if case .password(_, let name) = proof {
            _ = try count("name \(VisitorName.folded(name))", max: Self.nameMax, at: now)
        }
        return Self.addressMax - tries
    }

    /// Counts work that takes as much memory and time as a guess.
    ///
    /// - Throws: `tooMany`
    mutating func work(for account: String, at now: Instant) throws(HTTPProblem) {
        guesses = guesses.filter { $0.value.until > now }
        _ = try count("work \(account)", max: Self.addressMax, at: now)
    }

    private mutating func count(_ target: String, max: Int, at now: Instant) throws(HTTPProblem) -> Int {
        let count = (guesses[target]?.count ?? 0) + 1
        guard count <= max, guesses[target] != nil || guesses.count < Self.targetsMax else { throw Self.tooMany }
        guesses[target] = (count, now.advanced(by: Self.pause))
        return count
    }

    /// The last try was right. Earlier ones still count: otherwise a person could use their own code to go on guessing those of others.
    mutating func wasRight(from address: String) { guesses[address]?.count -= 1 }
}
