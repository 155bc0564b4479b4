import Lattice
import LatticeTesting
import Testing

@Test func aGreetingComes() async throws {
    let network = InMemoryNetwork(seed: 1)
    let ada = try Session.inMemory(Configuration(name: "ada", mesh: "test"), network: network)
    let bob = try Session.inMemory(Configuration(name: "bob", mesh: "test"), network: network)
    try await ada.run {
        try await bob.run {
            for await update in ada.peerUpdates where update.state == .connected {
                try await ada.send("hello".utf8, to: [update.peer])
                break
            }
            for await message in bob.received {
                #expect(message.bytes == Array("hello".utf8))
                break
            }
        }
    }
}
