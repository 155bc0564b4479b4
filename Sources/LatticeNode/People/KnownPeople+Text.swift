import LatticeAPI
import LatticeCore

// A text file that a person can read: one line each, with fields separated by tabs, which no name contains.
//
// `peer`, key, name, since when it has that name, petname, first seen, last seen, verified, blocked, ignored, added;
// `room`, mesh, muted room. Dates are Unix milliseconds; unknown fields are empty.
extension KnownPeople {
    private static let head = "# lattice people 1"
    private static let peerFields = 11
    /// The last millisecond of the year 9999.
    private static let dateMax: Int64 = 253_402_300_799_999

    package var text: String {
        let peers = all.map { person in
            let dates = [
                person.firstSeen, person.lastSeen, person.verified, person.blocked, person.ignored, person.added,
            ].map(Self.text)
            let names = [person.name?.text ?? "", Self.text(person.namedSince), person.petname?.text ?? ""]
            return (["peer", person.id.hex] + names + dates).joined(separator: "\t")
        }
        let rooms = muted.map { "room\t\($0.mesh.text)\t\($0.room.text)" }
        return ([Self.head] + peers + rooms).map { "\($0)\n" }.joined()
    }

    /// - Returns: what could be read, and the lines that could not.
    package static func read(_ text: String) -> (KnownPeople, damaged: [String]) {
        var known = KnownPeople()
        var damaged: [String] = []
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            do {
                if try !known.take(line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)) {
                    damaged.append(String(line))
                }
            } catch {
                damaged.append(String(line))
            }
        }
        return (known, damaged)
    }

    /// - Returns: whether there was space for it, and no other line for the same entry.
    private mutating func take(_ fields: [String]) throws -> Bool {
        switch fields.first {
        case "peer":
            let person = try Self.person(fields)
            return self[person.id] == nil && count < KnownLimit.peopleMax && put(person)
        case "room" where fields.count == 3:
            return mute(try RoomName(fields[2]), in: try MeshName(fields[1]), true)
        default: throw Unreadable()
        }
    }

    private struct Unreadable: Error {}

    private static func person(_ fields: [String]) throws -> KnownPerson {
        guard fields.count == peerFields, let id = PeerID(hex: fields[1]) else { throw Unreadable() }
        func name(_ text: String) throws -> PeerName? { text.isEmpty ? nil : try PeerName(text) }
        func date(_ text: String) throws -> WallTime? {
            if text.isEmpty { return nil }
            guard let milliseconds = Int64(text), (0...dateMax).contains(milliseconds) else { throw Unreadable() }
            return WallTime(milliseconds: milliseconds)
        }
        return KnownPerson(
            id: id, name: try name(fields[2]), namedSince: try date(fields[3]), petname: try name(fields[4]),
            firstSeen: try date(fields[5]), lastSeen: try date(fields[6]), verified: try date(fields[7]),
            blocked: try date(fields[8]), ignored: try date(fields[9]), added: try date(fields[10]))
    }

    private static func text(_ date: WallTime?) -> String {
        date.map { "\(min(max(0, $0.milliseconds), dateMax))" } ?? ""
    }
}
