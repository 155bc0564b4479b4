import Foundation
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeGeo
import Testing

@testable import LatticeNode

/// Whatever number stands in a request, the node answers or refuses, and goes on.
@Suite struct ExtremeRequestTests {
    private static let numbers = [
        "-9223372036854775808", "9223372036854775807", "9223372036854775808", "0", "-1", "-0.0", "0.5", "1e9", "-1e9",
        "1e12", "8640000000000000", "-8640000000000000", "1e308", "5e-324", "180.0000001",
    ]

    /// A number belongs where `N` stands.
    private static let requests = [
        ("flush", ##"{"timeout":N}"##),
        ("history", ##"{"room":"#lobby","limit":N}"##),
        ("privateHistory", ##"{"peer":"P","limit":N}"##),
        ("posts.create", ##"{"text":"hi","at":{"latitude":N,"longitude":N}}"##),
        ("posts.create", ##"{"text":"hi","at":{"latitude":1,"longitude":2},"lifetime":N}"##),
        ("posts.create", ##"{"text":"hi","at":{"latitude":1,"longitude":2},"blur":N}"##),
        ("posts.near", ##"{"centre":{"latitude":N,"longitude":0}}"##),
        ("posts.near", ##"{"what":"events","centre":{"latitude":1,"longitude":2},"radius":N}"##),
        ("posts.near", ##"{"centre":{"latitude":1,"longitude":2},"since":N}"##),
        ("posts.near", ##"{"centre":{"latitude":1,"longitude":2},"within":N}"##),
        ("posts.near", ##"{"centre":{"latitude":1,"longitude":2},"page":{"limit":N}}"##),
        ("posts.timeline", ##"{"limit":N}"##),
        ("notifications", ##"{"limit":N}"##),
        ("posts.search", ##"{"words":"hi","near":{"latitude":1,"longitude":2},"radius":N}"##),
        ("posts.search", ##"{"words":"hi","page":{"limit":N}}"##),
        ("posts.createEvent", ##"{"name":"a","at":{"latitude":1,"longitude":2},"starts":N}"##),
        ("posts.createEvent", ##"{"name":"a","at":{"latitude":1,"longitude":2},"starts":N,"ends":N}"##),
        ("posts.editEvent", ##"{"item":"E","event":{"starts":N}}"##),
        ("posts.editEvent", ##"{"item":"E","event":{"ends":N}}"##),
        ("posts.editEvent", ##"{"item":"E","event":{"blur":N}}"##),
        ("posts.show", ##"{"item":"E","from":{"latitude":N,"longitude":N}}"##),
        ("posts.setHere", ##"{"place":{"latitude":N,"longitude":N}}"##),
        ("store.setRetention", ##"{"days":N}"##),
        ("store.exportBundle", ##"{"path":"F","selection":{"since":N}}"##),
        (
            "store.exportBundle",
            ##"{"path":"F","selection":{"around":{"centre":{"latitude":1,"longitude":2},"radius":N}}}"##
        ),
    ]

    @Test func everyNumberIsAnsweredOrRefused() async throws {
        let home = try Home("bob")
        let bob = try await Chatter(home)
        try await bob.run {
            let now = Clocks.machine().milliseconds
            let draft = EventDraft(
                name: "supper", at: try .park(), starts: WallTime(milliseconds: now + 3_600_000),
                ends: WallTime(milliseconds: now + 7_200_000))
            let event = try await bob.node.perform(CreateEvent(draft))
            var understood = 0
            for (name, params) in Self.requests {
                for number in Self.numbers {
                    let text = params.replacingOccurrences(of: "N", with: number)
                        .replacingOccurrences(of: "P", with: home.identity.peer.hex)
                        .replacingOccurrences(of: "E", with: event.id.hex)
                        .replacingOccurrences(of: "\"F\"", with: "\"\(home.path).bundle\"")
                    guard let request = Self.request(name, text) else { continue }
                    understood += 1
                    // Long waits are for nobody here: nothing is unconfirmed.
                    _ = try? await bob.node.perform(request)
                    try? FileManager.default.removeItem(atPath: "\(home.path).bundle")
                }
            }
            #expect(understood > Self.requests.count)
            _ = try await bob.node.perform(ShowMe())
        }
    }

    private static func request(_ name: String, _ params: String) -> (any Request)? {
        struct Params: Decodable {
            let decoder: any Decoder
            init(from decoder: any Decoder) { self.decoder = decoder }
        }
        guard let type = HandlerTable.names[name] else { preconditionFailure("nothing is called \(name)") }
        return try? type.init(from: JSONDecoder().decode(Params.self, from: Data(params.utf8)).decoder)
    }
}
