import Testing

extension EndToEnd {
    /// Peers that end without a word.
    @Suite(.timeLimit(.minutes(10))) struct KilledTests {
        /// The names of everybody who is shown as here.
        private func here(_ peer: Peer) async throws -> Set<String> {
            let peers = try #require(try await peer.ask("/peers").peers)
            return Set(peers.filter { $0.state == "connected" || $0.hops != nil }.map(\.name))
        }

        @Test func threeThatAreKilledAreGoneForEverybodyAndForNewcomers() async throws {
            try await onStage { stage in
                let alice = try stage.host("alice")
                let reach = ["--discovery", "off", "--peer", try await alice.address()]
                let bob = try stage.start("bob", reach)
                let names = ["carol", "dave", "erin"]
                let dead = try names.map { try stage.start($0, reach) }
                for witness in [alice, bob] {
                    try await eventually("\(witness.name) sees all") {
                        try await here(witness).isSuperset(of: names)
                    }
                }
                // Others see them before they have said that they are ready.
                var ids: [String] = []
                for peer in dead { ids.append(try #require(try await peer.ready().id)) }
                for peer in dead { peer.end() }
                // Each hears of the dead from those before it, as long as these show them.
                var newcomers: [Peer] = []
                for name in ["frank", "grace"] {
                    newcomers.append(try stage.start(name, reach))
                    try await newcomers[newcomers.count - 1].connected(to: alice)
                }
                for witness in [alice, bob] + newcomers {
                    for (name, id) in zip(names, ids) {
                        // A newcomer that never heard of one has nothing to say of it.
                        guard try witness.events().contains(where: { $0.event == "presence" && $0.id == id }) else {
                            continue
                        }
                        try await witness.event("\(name) is gone") {
                            $0.event == "presence" && $0.id == id && $0.state == "gone"
                        }
                    }
                    #expect(try await here(witness).isDisjoint(with: names))
                }
                let late = try stage.start("heidi", reach)
                try await late.connected(to: alice)
                try await eventually("the newcomer sees the living") {
                    try await here(late).isSuperset(of: ["alice", "bob", "frank", "grace"])
                }
                #expect(try await here(late).isDisjoint(with: names))
            }
        }

        @Test func aCommandThatComesForAMomentIsNotAnnounced() async throws {
            try await onStage { stage in
                let host = try stage.host("host")
                let chat = try stage.start(
                    "reader", ["--discovery", "off", "--peer", try await host.address()], json: false)
                try await eventually("it has begun") { chat.error.text.contains("host is connected") }
                let said = try stage.run(
                    [
                        "say", "lobby", "one word", "--name", "sayer", "--discovery", "off", "--peer",
                        try await host.address(),
                    ],
                    as: "sayer")
                #expect(try await said.exitCode() == 0)
                try await eventually("the line is shown") { chat.output.text.contains("one word") }
                let known = try stage.start("second", ["--discovery", "off", "--peer", try await host.address()])
                try await known.connected(to: host)
                try await eventually("who stays is announced") { chat.error.text.contains("second is ") }
                #expect(!chat.error.text.contains("sayer is "))
            }
        }
    }
}
