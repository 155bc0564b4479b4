import Foundation

/// One line of `--json`: the members that the tests look at, whichever of them this event has.
struct Event: Decodable, Equatable, Sendable {
    struct Peer: Decodable, Equatable, Sendable {
        let id: String?
        let short: String?
        let name: String
        let state: String
        let hops: Int?
        let address: String?
        let via: String?
        let info: [String]?

        enum CodingKeys: String, CodingKey {
            case id, short, name, state, hops, address, via, info
            case foundBy = "found_by"
        }

        let foundBy: String?
    }

    struct Stop: Decodable, Equatable, Sendable {
        let id: String
        let name: String
    }

    let event: String
    let id: String?
    let name: String?
    let state: String?
    let reason: String?
    let mesh: String?
    let port: Int?
    let discovery: String?
    let record: String?
    let room: String?
    let from: String?
    let text: String?
    let at: String?
    let hops: Int?
    let links: Int?
    let action: Bool?
    let context: String?
    let code: String?
    let message: String?
    let ms: Double?
    let peers: [Peer]?
    let path: [Stop]?
    let names: [String]?
    /// It was said before and came only now.
    let late: Bool?
    /// It was here already.
    let history: Bool?
    /// The id of a file that the line shares.
    let file: String?
    /// The card of the mesh: whose it is, whether they are this person, and what it says.
    let signer: String?
    let mine: Bool?
    let welcome: String?
    let rules: String?

    static func read(_ line: String) throws -> Event {
        do {
            return try JSONDecoder().decode(Event.self, from: Data(line.utf8))
        } catch {
            throw Child.Fault(description: "not an event of --json: \(line) (\(error))")
        }
    }
}
