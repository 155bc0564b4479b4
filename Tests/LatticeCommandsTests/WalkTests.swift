import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeGeo
import Synchronization
import Testing

@testable import LatticeCommands

/// `here --follow` and `go`: what somebody who walks sees.
@Suite(.timeLimit(.minutes(10))) struct WalkTests {
    private static func at(_ metresNorth: Double) -> Coordinate {
        guard let place = Coordinate(latitude: 40.7128 + metresNorth / 111_195, longitude: -74.006) else {
            preconditionFailure("it is near New York")
        }
        return place
    }

    /// A person who stands somewhere, with a post at each of these distances north, which is locked to 50 m.
    private final class Walker: Sendable {
        let place = Mutex<Coordinate?>(nil)
        let path: Mutex<[Double]>

        init(_ path: [Double] = []) { self.path = Mutex(path) }

        func node(posts: [Double]) -> CommandNode {
            CommandNode { request throws(RequestError) in
                switch request {
                case let request as SetHere:
                    self.place.withLock { $0 = request.place }
                    return Here(request.place)
                case is ShowHere:
                    self.path.withLock { path in
                        if !path.isEmpty { self.place.withLock { $0 = WalkTests.at(path[0]) } }
                        if path.count > 1 { path.removeFirst() }
                    }
                    return Here(self.place.withLock { $0 })
                case is NearQuery:
                    let here = self.place.withLock { $0 } ?? WalkTests.at(0)
                    return ItemPage(items: posts.map { WalkTests.post($0, seenFrom: here) })
                case let request as FindPlace where request.place.text == "Kitchen":
                    var kitchen = WalkTests.post(0, seenFrom: WalkTests.at(0))
                    (kitchen.kind, kitchen.title) = (.place, "Kitchen")
                    return kitchen
                case is FindPlace: throw .unknownPlace(name: "x", similar: [])
                case is ShowItem: return ItemDetail(item: WalkTests.post(0, seenFrom: WalkTests.at(0)))
                default: return try CommandNode.obliging(request)
                }
            }
        }
    }

    private static func post(_ metres: Double, seenFrom here: Coordinate) -> ItemInfo {
        let place = at(metres)
        let isNear = here.distance(to: place) <= 50
        var item = ItemInfo(
            id: RecordID(Bytes32(words: (UInt64(metres), 1, 2, 3))), short: "a\(Int(metres))", kind: .post,
            state: isNear ? .shown : .tooFar, author: PeerID(.zero), authorName: "bob", at: CommandNode.item.at,
            expires: CommandNode.item.expires)
        (item.place, item.text) = (place, isNear ? "at \(Int(metres)) m" : nil)
        return item
    }

    private static func told(_ path: [Double], posts: [Double]) async throws -> [String] {
        let lines = Mutex<[String]>([])
        let rest = Mutex(path)
        let follow = HereFollow(
            node: Walker().node(posts: posts), radius: 2_000,
            context: CommandContext(now: CommandNode.item.at)
        ) { output in lines.withLock { $0 += output.lines } }
        try await follow.run { rest.withLock { $0.isEmpty ? nil : at($0.removeFirst()) } }
        return lines.withLock { $0 }
    }

    @Test func whatCanBeReadOnTheWayIsToldOnce() async throws {
        let lines = try await Self.told([0, 100, 180, 100, 320], posts: [0, 200, 310, 330])
        #expect(
            lines == [
                "you are at \(Self.at(0)); 1 post can be read here",
                "you can read 1 more post now: 'at 200 m' (a200)",
                "you can read 2 more posts now: 'at 310 m' (a310), 'at 330 m' (a330)",
            ])
    }

    @Test func aReceiverThatStandsStillAsksNothing() async throws {
        let walker = Walker()
        let node = walker.node(posts: [])
        let rest = Mutex([0, 5, 9.5, -9.5, 11])
        let follow = HereFollow(node: node, radius: 2_000, context: CommandContext(now: CommandNode.item.at)) { _ in }
        try await follow.run { rest.withLock { $0.isEmpty ? nil : Self.at($0.removeFirst()) } }
        let places = await node.requests.compactMap { ($0.base as? SetHere)?.place }
        #expect(places == [Self.at(0), Self.at(11)])
    }

    @Test func manyAtOnceAreCounted() async throws {
        let lines = try await Self.told([-500, 0], posts: [1, 2, 3, 4, 5])
        #expect(lines.last == "you can read 5 more posts now: 'at 1 m' (a1), 'at 2 m' (a2), 'at 3 m' (a3) and others")
    }

    private static func walked(_ words: [String], _ path: [Double]) async throws -> (CommandOutput, [String]) {
        let ways = Mutex<[String]>([])
        var context = CommandContext(now: CommandNode.item.at, isChat: true)
        context.progress = { text in
            if let text { ways.withLock { $0.append(text) } }
        }
        let command = try GoCommand.parse(words)
        let node = Walker(path).node(posts: [])
        let output = try await GoCommand.$interval.withValue(.zero) { [context] in
            try await command.perform(on: node, context: context)
        }
        return (output, ways.withLock { $0 })
    }

    @Test func theWayIsShownUntilOneIsThere() async throws {
        let (output, ways) = try await Self.walked(["Kitchen"], [-1_500, -231, -231, -20, 14])
        #expect(
            ways == ["↑ 1.5 km N, far  Kitchen", "↑ 231 m N, 3 min  Kitchen", "↑ 20 m N, 1 min  Kitchen"])
        #expect(output.lines == ["arrived: Kitchen"])
    }

    @Test func anIDIsTakenToo() async throws {
        let (output, ways) = try await Self.walked(["a1b2c3"], [40, 0])
        #expect(ways == ["↓ 40 m S, 1 min  a0"] && output.lines == ["arrived: a0"])
        await #expect(throws: RequestError.self) { _ = try await Self.walked(["Nowhere"], [0]) }
    }

    @Test func withoutAPlaceOfOnesOwnThatIsSaid() async throws {
        await #expect(throws: RequestError.placeNeeded) { _ = try await Self.walked(["Kitchen"], []) }
    }

    @Test(arguments: [
        (["--follow", "40,50"], "leave PLACE"), (["--from", "x"], "belong to --follow"),
        (["--radius", "2km"], "belong to --follow"), (["--announce"], "needs a place"),
    ])
    func optionsThatDoNotFitAreRefused(words: [String], reason: String) {
        let error = #expect(throws: (any Error).self) { try HereCommand.parse(words) }
        #expect(error.map { HereCommand.message(for: $0).contains(reason) } == true)
    }
}
