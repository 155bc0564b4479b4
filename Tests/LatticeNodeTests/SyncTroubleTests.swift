import Glibc
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeLink
import LatticeStore
import LatticeWire
import Testing

@testable import LatticeNode

/// Neighbours that say what is not so, or ask for more than there is.
@Suite(.timeLimit(.minutes(10))) struct SyncTroubleTests {
    private func host() async throws -> (Chatter, PeerAddress) {
        let host = try await Chatter(try Home("alice"))
        return (host, PeerAddress(host: "127.0.0.1", port: await host.node.me.port))
    }

    private func stranger() async throws -> Stranger {
        try await Stranger(mesh: try MeshName("synced"), clock: Clocks.machine())
    }

    @Test func whatNobodyAskedForIsNotKept() async throws {
        let (host, address) = try await host()
        let stranger = try await stranger()
        try await host.run {
            try await stranger.visit(address) {
                stranger.say(.keeping(.everything))
                for record in ChatRig.lines(20, by: stranger.identity) {
                    stranger.say(.serve(ServedRecord(ageSeconds: 0, signed: record.signed)))
                }
                // It comes behind all that, so once it is here they would be, too.
                let said = ChatRig.lines(1, by: Identity.generate())[0]
                stranger.say(.record(RecordFrame(timeToLive: 4, hops: 1, signed: said.signed)))
                try await eventually("the line") { try await host.count() >= 1 }
                #expect(try await host.history().map(\.record) == [said.id])
            }
        }
    }

    @Test func aRecordOfAWrongSignatureEndsTheLink() async throws {
        let (host, address) = try await host()
        let stranger = try await stranger()
        try await host.run {
            try await stranger.visit(address) {
                let (one, other) = (
                    ChatRig.lines(2, by: stranger.identity), ChatRig.lines(1, by: Identity.generate())
                )
                let forged = SignedRecord(other[0].record, signature: one[0].signed.signature)
                stranger.say(.serve(ServedRecord(ageSeconds: 0, signed: one[1].signed)))
                stranger.say(.serve(ServedRecord(ageSeconds: 0, signed: forged)))
                try await eventually("it is sent away") { stranger.closure != nil }
                #expect(try await host.count() == 0)
            }
        }
    }

    @Test func whoAsksForWhatIsThereIsSuppliedAndToldOfTheRest() async throws {
        let (host, address) = try await host()
        let stranger = try await stranger()
        let (here, gone) = (ChatRig.lines(300, by: Identity.generate()), ChatRig.lines(7, by: Identity.generate()))
        _ = try await host.store.insert(here, at: Clocks.machine())
        try await host.run {
            try await stranger.visit(address) {
                try await eventually("what is kept") {
                    stranger.frames.contains { if case .keeping = $0 { true } else { false } }
                }
                stranger.say(.keeping(.everything))
                stranger.say(.fetch(RecordIDs((here + gone).map(\.id))))
                try await eventually("all of it") { Self.served(stranger).count == here.count }
                #expect(Set(Self.served(stranger)) == Set(here.map(\.id)))
                try await eventually("the rest") {
                    let lack = stranger.frames.flatMap { frame -> [RecordID] in
                        if case .lack(let list) = frame { list.ids } else { [] }
                    }
                    return Set(lack) == Set(gone.map(\.id))
                }
            }
        }
    }

    private static func served(_ stranger: Stranger) -> [RecordID] {
        stranger.frames.compactMap { frame in
            if case .serve(let serve) = frame { RecordID(Digest.blake2b256(serve.signed.bytes)) } else { nil }
        }
    }

    @Test func questionsThatAreNoneAreAnsweredWithoutHarm() async throws {
        let (host, address) = try await host()
        let stranger = try await stranger()
        let lines = ChatRig.lines(100, by: Identity.generate())
        _ = try await host.store.insert(lines, at: Clocks.machine())
        try await host.run {
            try await stranger.visit(address) {
                stranger.say(.keeping(.everything))
                let messages: [[UInt8]] = [[], [7], [0x61, 0, 0, 9], [UInt8](repeating: 0xFF, count: 60_000)]
                for (number, message) in messages.enumerated() {
                    stranger.say(
                        .comparison(
                            Comparison(
                                side: .question, session: UInt32(number), scope: SyncScope(.chat),
                                since: HybridTime(rawValue: 0), message: message)))
                    stranger.say(
                        .comparison(
                            Comparison(
                                side: .answer, session: UInt32(number), scope: SyncScope(.chat),
                                since: HybridTime(rawValue: 0), message: message)))
                }
                // An honest neighbour gets all it lacks meanwhile.
                let late = try await Chatter(try Home("bob"))
                try await late.run {
                    try await late.meet(host)
                    try await eventually("all of it") { try await late.count() == 100 }
                }
            }
        }
    }

    @Test func whatCouldNotBeStoredIsAskedForAgain() async throws {
        let (host, address) = try await host()
        let stranger = try await stranger()
        let path = host.home.path
        let lines = ChatRig.lines(5, by: Identity.generate())
        let ids = lines.map(\.id)
        func fetches() -> [[RecordID]] {
            stranger.frames.compactMap { if case .fetch(let list) = $0 { list.ids } else { nil } }
        }
        var answered = 0
        // Each once: the host counts it as a fault to serve more than was requested.
        func giveWhatIsAskedFor() {
            let asked = fetches()
            for line in lines where asked[answered...].joined().contains(line.id) {
                stranger.say(.serve(ServedRecord(ageSeconds: 0, signed: line.signed)))
            }
            answered = asked.count
        }
        try await host.run {
            try await stranger.visit(address) {
                stranger.say(.keeping(.everything))
                try await eventually("the store was looked at") {
                    stranger.frames.contains { if case .keeping = $0 { true } else { false } }
                }
                // The file is gone from where it was, and comes back.
                #expect(rename(path, path + "-away") == 0)
                // A store looks once a second whether its file is still there.
                try await eventually("a notice arrives") { host.notices.contains { $0.level == .problem } }
                stranger.say(.offer(RecordIDs(ids)))
                try await eventually("asked for") { fetches().joined().count >= 5 }
                giveWhatIsAskedFor()
                try await eventually("asked for again") { fetches().count > answered }
                #expect(rename(path + "-away", path) == 0)
                try await eventually("all of it") {
                    giveWhatIsAskedFor()
                    return try await host.count() == 5
                }
                try await eventually("it is said to be stored") {
                    let stored = stranger.frames.flatMap { frame -> [RecordID] in
                        if case .stored(let list) = frame { list.ids } else { [] }
                    }
                    return Set(stored) == Set(ids)
                }
            }
        }
    }
}
