import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeLink
import LatticeMesh
import LatticeWire
import Testing

@testable import LatticeNode

/// Strangers that shake hands and then do not say what they want.
@Suite(.timeLimit(.minutes(10))) struct UninvitedTests {
    /// One dials, and goes on without having invited: every frame of the mesh is out of turn then.
    @Test func whoSpeaksBeforeItInvitesIsSentAway() async throws {
        let host = try await Chatter(try Home("alice"))
        try await host.run {
            let line = try Speech.line("no invitation", by: Identity.generate())
            let out = [
                Frame.record(RecordFrame(timeToLive: 4, hops: 1, signed: line.signed)),
                .serve(ServedRecord(ageSeconds: 0, signed: line.signed)), .keeping(.everything),
                .graft(Graft(ids: [line.id])), .accept(room: 1),
            ]
            for frame in out {
                let stranger = try await Chatter.stranger(invites: false)
                try await stranger.dial(await host.address) {
                    try await eventually("a link") { stranger.isLinked }
                    stranger.say(frame)
                    try await eventually("it is sent away") { stranger.closure != nil }
                }
            }
            #expect(host.heardTexts.isEmpty)
            #expect(try await host.count() == 0)
        }
    }

    @Test func aCrowdThatNeverInvitesIsDroppedAndHonestOnesComeIn() async throws {
        let host = try await Chatter(try Home("alice"), farewell: .seconds(240))
        var crowd: [Stranger] = []
        for _ in 0..<MeshLimit.uninvitedMax + 4 { crowd.append(try await Chatter.stranger(invites: false)) }
        try await host.run {
            try await among(crowd[...], at: await host.address) {
                let honest = try await Chatter.stranger()
                try await honest.visit(await host.address) {
                    honest.say(try Speech.line("here", by: honest.identity))
                    try await eventually("the line") { host.heardTexts == ["here"] }
                    // The rest goes when its time is over.
                    try await eventually("the crowd is gone") { crowd.allSatisfy { $0.closure != nil } }
                    for stranger in crowd {
                        guard case .goodbye(let goodbye)? = stranger.closure else { throw Person.Unexpected() }
                        #expect(goodbye.code == .timeout)
                    }
                    #expect(try await host.stats().links == 1)
                    #expect(honest.closure == nil)
                }
            }
        }
    }

    private func among(
        _ crowd: ArraySlice<Stranger>, at address: PeerAddress, _ work: () async throws -> Void
    ) async throws {
        guard let first = crowd.first else { return try await work() }
        try await first.dial(address) {
            try await eventually("a link") { first.isLinked }
            try await among(crowd.dropFirst(), at: address, work)
        }
    }
}
