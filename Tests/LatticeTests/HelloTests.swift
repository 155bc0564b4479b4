import Lattice
import Testing

/// The lines of `tools/examples/hello`, but for the terminal.
@Suite struct HelloTests {
    @Test func twoSessionsTalk() async throws {
        try await withSession(Loopback.open("ada")) { ada in
            let bob = Loopback.open("bob", to: [try await Loopback.address(of: ada)])
            try await withThrowingTaskGroup(of: String?.self) { group in
                group.addTask {
                    try await withSession(bob) { session in
                        for await update in session.peerUpdates where update.state == .connected {
                            try await session.send("hello, \(update.peer.name)".utf8, to: session.connectedPeers)
                            break
                        }
                        return await heard(by: session)
                    }
                }
                #expect(await heard(by: ada) == "bob: hello, ada")
                try await ada.send("and hello to you".utf8, to: ada.connectedPeers)
                #expect(try await group.next() == "ada: and hello to you")
            }
        }
    }
}

private func heard(by session: Session) async -> String? {
    for await message in session.received {
        return "\(message.peer.name): \(String(decoding: message.bytes, as: UTF8.self))"
    }
    return nil
}
