import Lattice

let name = CommandLine.arguments.dropFirst().first ?? "somebody"
try await withSession(Configuration(name: name, mesh: "hello")) { session in
    await withTaskGroup(of: Void.self) { group in
        group.addTask {
            for await message in session.received {
                print("\(message.peer): \(String(decoding: message.bytes, as: UTF8.self))")
            }
        }
        group.addTask {
            for await update in session.peerUpdates where update.state == .connected {
                print("\(update.peer) is here")
            }
        }
        while let line = readLine() {
            do {
                try await session.send(line.utf8, to: Array(session.connectedPeers.prefix(32)))
            } catch {
                print("not sent: \(error)")
            }
        }
        group.cancelAll()
    }
}
