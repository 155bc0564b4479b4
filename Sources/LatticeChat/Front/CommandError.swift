import LatticeAPI
import LatticeCore

/// Why a command failed; the description says what to do.
struct CommandError: Error {
    let code: String
    var description: String
    /// People the name may have meant.
    var candidates: [KnownPerson] = []

    var item: ChatItem {
        guard !candidates.isEmpty else { return .error(code: code, description) }
        return .reply(.output(CommandOutput(failure: CommandFailure(code: code, description, candidates: candidates))))
    }
}

extension CommandError {
    static let noRoom = CommandError(code: "noRoom", description: "You are not in a room; use /join #room first.")

    private static func asTyped(_ name: String) -> String {
        let safe = DisplayText.isolated(name)
        return name.contains(where: \.isWhitespace) ? "\"\(safe)\"" : safe
    }

    /// - Parameter takesID: whether a full id would have been accepted.
    static func unknown(_ typed: String, nearest: String?, takesID: Bool = false) -> CommandError {
        let safe = DisplayText.isolated(String(typed.prefix(64)))
        let other = takesID ? "You can also give a full id (64 digits)." : "/peers lists who is here."
        let hint = nearest.map { "Did you mean \(asTyped($0))?" } ?? other
        return CommandError(code: "unknownPeer", description: "I don't know anyone called \(safe). \(hint)")
    }

    /// The name matches several people; lists how to tell them apart.
    static func several(
        _ names: [String], _ typed: String, _ people: [KnownPerson], at now: WallTime, isHere: (PeerID) -> Bool
    ) -> CommandError {
        let list = zip(names, people).map { name, person in
            let isHere = isHere(person.id)
            let facts = PersonFacts.facts(of: person, at: now).filter { !isHere || !$0.hasPrefix("last seen") }
            let all = (isHere ? ["here"] : []) + facts
            return DisplayText.isolated(name) + (all.isEmpty ? "" : " (\(all.joined(separator: ", ")))")
        }
        return CommandError(
            code: "ambiguousName",
            description:
                "Several people are called \(DisplayText.isolated(String(typed.prefix(64)))). Say which: \(list.joined(separator: " or ")).",
            candidates: people)
    }

    /// Parses an address that was typed in place of a name.
    ///
    /// - Returns: `nil` if it looks like a name.
    static func address(in target: String) throws -> PeerAddress? {
        // Nobody is called 192.168.1.7: its port is missing.
        let isHost = target.contains(".") && target.allSatisfy { $0 == "." || $0.isASCII && $0.isNumber }
        guard target.contains(":") || isHost else { return nil }
        do {
            return try PeerAddress(parsing: target)
        } catch {
            throw CommandError(code: "badAddress", description: error.description)
        }
    }
}
