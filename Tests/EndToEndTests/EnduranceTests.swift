import Glibc
import Testing

extension EndToEnd {
    /// Hundreds of lines among four peers; two leave or are killed again and again. `lattice-bench endure` does it for hours.
    @Suite(.timeLimit(.minutes(10))) struct EnduranceTests {
        private static let rounds = 6
        /// Generous: what a hundred lines take is a hundredth of it, and a link that is never let go of a tenth.
        private static let growthMaxKiB = 48 << 10

        @Test func nothingIsLostAndNothingGrowsWhilePeersComeAndGo() async throws {
            try await onStage { stage in
                let crowd = EnduringCrowd(stage)
                for name in EnduringCrowd.names { try await crowd.start(name) }
                try await crowd.speak(in: 0)
                try await crowd.allTellTheSame()
                let before = try await crowd.rest()
                for round in 1...Self.rounds {
                    let victim = round.isMultiple(of: 2) ? "carol" : "dave"
                    try await crowd.speak(in: round)
                    if round % 3 == 0 {
                        try await crowd.leave(victim)
                    } else {
                        try await crowd.kill(victim, saying: round)
                    }
                    try await crowd.speak(in: round)
                    try await crowd.start(victim)
                }
                try await crowd.allTellTheSame()
                #expect(crowd.said.count > 300)
                try await crowd.staySawEachLineOnce()
                let after = try await crowd.rest()
                for (now, then) in zip(after, before) {
                    #expect(now.residentKiB < then.residentKiB + Self.growthMaxKiB)
                    #expect(now.descriptorsBesideLinks == then.descriptorsBesideLinks)
                }
            }
        }
    }
}

/// Alice and bob, who stay, and carol and dave, who do not.
private final class EnduringCrowd {
    static let names = ["alice", "bob", "carol", "dave"]
    private static let linesEach = 12

    struct Rest {
        let residentKiB: Int
        /// `nil` if only the superuser may count them.
        let descriptorsBesideLinks: Int?
    }

    private let stage: Stage
    private var here: [String: Peer] = [:]
    private var addresses: [String] = []
    private var spoken = 0
    /// Lines that were acknowledged to their sender.
    private(set) var said: [String] = []

    init(_ stage: Stage) {
        self.stage = stage
    }

    private var stay: [Peer] { Self.names.prefix(2).compactMap { here[$0] } }

    func start(_ name: String) async throws {
        let given = addresses.flatMap { ["--peer", $0] }
        let peer = try stage.start(name, ["--discovery", "off"] + given, home: home(of: name))
        here[name] = peer
        let address = try await peer.address()
        if addresses.count < 2 { addresses.append(address) }
    }

    /// Everybody who is here says something and waits for the acknowledgement.
    func speak(in round: Int) async throws {
        for name in Self.names {
            guard let peer = here[name] else { continue }
            let lines = next(name, round)
            peer.say(lines)
            try await eventually("\(name) has said all of it") {
                try Set(lines).isSubset(of: Self.ownLines(of: peer))
            }
            said += lines
        }
    }

    func leave(_ name: String) async throws {
        let peer = try gone(name)
        peer.endInput()
        #expect(try await peer.exitCode() == 0)
    }

    /// In the middle of a word: some of it is said, and some is not.
    func kill(_ name: String, saying round: Int) async throws {
        let peer = try gone(name)
        let lines = next(name, round)
        peer.say(lines)
        try await eventually("\(name) has said something") {
            try !Set(lines).isDisjoint(with: Self.ownLines(of: peer))
        }
        peer.child.send(SIGKILL)
        _ = try await peer.exitCode()
        said += try Self.ownLines(of: peer).intersection(lines).sorted()
    }

    /// Everything that was said, once, and in one order; perhaps also what was typed in the moment of a kill.
    func allTellTheSame() async throws {
        try await eventually("all tell the same history, and nothing is lost") {
            var histories: [[String]] = []
            for name in Self.names {
                histories.append(try await EndToEnd.SyncTests.history(stage, home: home(of: name)))
            }
            let first = histories[0]
            return histories.allSatisfy { $0 == first } && Set(said).isSubset(of: first)
                && Set(first).count == first.count && first.count <= spoken
        }
    }

    func staySawEachLineOnce() async throws {
        for peer in stay {
            try await eventually("\(peer.name) has shown every line") {
                try Set(said).isSubset(of: Self.shown(by: peer))
            }
            let shown = try Self.shown(by: peer)
            #expect(Set(shown).count == shown.count, "\(peer.name) shows nothing twice")
        }
    }

    /// What those who stay take once all are linked and nothing more opens or closes.
    func rest() async throws -> [Rest] {
        var rests: [Rest] = []
        for peer in stay {
            var last: Int?
            var same = 0
            let open = try await eventually("\(peer.name) is linked with all, and comes to rest") { () -> Int?? in
                let first = try peer.events().count
                peer.say("/stats")
                let stats = try await peer.event("stats", from: first) { $0.event == "node_stats" }
                guard stats.links == Self.names.count - 1 else { return nil }
                guard geteuid() == 0 else { return .some(nil) }
                let now = try peer.child.descriptorCount()
                same = now == last ? same + 1 : 0
                last = now
                return same < 20 ? nil : .some(now - Self.names.count + 1)
            }
            rests.append(Rest(residentKiB: try peer.child.residentKiB(), descriptorsBesideLinks: open))
        }
        return rests
    }

    private func gone(_ name: String) throws -> Peer {
        let peer = try #require(here[name])
        here[name] = nil
        return peer
    }

    private func home(of name: String) -> String { "\(stage.folder)/\(name)" }

    private func next(_ name: String, _ round: Int) -> [String] {
        spoken += Self.linesEach
        return (0..<Self.linesEach).map { "\(name), round \(round), line \(spoken - $0)" }
    }

    private static func ownLines(of peer: Peer) throws -> Set<String> {
        Set(try peer.events().filter { $0.event == "message" && $0.hops == 0 && $0.history != true }.compactMap(\.text))
    }

    private static func shown(by peer: Peer) throws -> [String] {
        try peer.events().filter { $0.event == "message" && $0.history != true }.compactMap(\.text)
    }
}
