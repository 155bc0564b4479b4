import Lattice
import LatticeTesting
import Testing

@Test(.timeLimit(.minutes(1))) func aGreetingComes() async throws {
    let network = InMemoryNetwork(seed: 1)
    let ada = try Session.inMemory(Configuration(name: "ada", mesh: "test"), network: network)
    let bob = try Session.inMemory(Configuration(name: "bob", mesh: "test"), network: network)
    try await ada.run {
        try await bob.run {
            for await update in ada.peerUpdates where update.state == .connected {
                try await ada.send("hello".utf8, to: [update.peer])
                break
            }
            let message = await bob.received.first { _ in true }
            #expect(message?.bytes == Array("hello".utf8))
        }
    }
}
