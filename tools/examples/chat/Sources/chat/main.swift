import Foundation
import Lattice

let name = CommandLine.arguments.dropFirst().first ?? "somebody"
var configuration = Configuration(name: name, mesh: "chat")
configuration.discovery = .manual
configuration.invitations = .ask

func acceptAll(_ session: Session) async throws {
    for try await invitation in try Advertiser(session, discoveryInfo: ["app": "chat"]).invitations {
        print("invited by \(invitation.peer): \(String(decoding: invitation.context, as: UTF8.self))")
        do {
            try await invitation.accept()
        } catch {
            print("not linked: \(error)")
        }
    }
}

func inviteAll(_ session: Session) async throws {
    let browser = Browser(session)
    for try await case .found(let found) in browser.events where found.discoveryInfo["app"] == "chat" {
        do {
            print("linked with \(try await browser.invite(found, context: "let us talk".utf8))")
        } catch {
            print("not linked with \(found.claimedName): \(error)")
        }
    }
}

do {
    try await withSession(configuration) { session in
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await acceptAll(session) }
            group.addTask { try await inviteAll(session) }
            group.addTask {
                for await update in session.peerUpdates { print("\(update.peer): \(update.state)") }
            }
            group.addTask {
                for await message in session.received {
                    print("\(message.peer): \(String(decoding: message.bytes, as: UTF8.self))")
                }
            }
            while let line = readLine() {
                do {
                    try await session.send(line.utf8, to: session.connectedPeers)
                } catch {
                    print("not sent: \(error)")
                }
            }
            group.cancelAll()
            try await group.waitForAll()
        }
    }
} catch {
    FileHandle.standardError.write(Data("chat: \(error)\n".utf8))
    exit(1)
}
