import Foundation
import Testing

@testable import Lattice

@Suite struct StreamTests {
    @Test func bytesGoBothWaysAndEachWayEnds() async throws {
        try await Loopback.pair { ada, bob in
            let peer = try await Loopback.peer(bob, of: ada)
            // More than waits anywhere on the way.
            let sent = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    let stream = try await ada.openStream(named: "echo", to: peer)
                    #expect(stream.name == "echo" && stream.peer == peer)
                    async let answer = all(of: stream)
                    try await stream.write(sent)
                    try await stream.finish()
                    #expect(try await answer == sent)
                }
                let stream = try await next(of: bob)
                #expect(stream.name == "echo")
                #expect(stream.peer.name == "ada")
                for try await bytes in stream.inbound { try await stream.write(bytes) }
                try await stream.finish()
                await expect(.reset) { try await stream.write([1]) }
                try await group.waitForAll()
            }
        }
    }

    @Test func aStreamCrossesARelay() async throws {
        try await withSession(Loopback.open("relay")) { relay in
            let address = try await Loopback.address(of: relay)
            try await withSession(Loopback.configuration("ada", to: [address])) { ada in
                try await withSession(Loopback.configuration("bob", to: [address])) { bob in
                    let peer = try await Loopback.peer(bob, of: ada)
                    let stream = try await ada.openStream(named: "x", to: peer)
                    try await stream.write([1, 2, 3])
                    let other = try await next(of: bob)
                    for try await bytes in other.inbound {
                        #expect(Array(bytes) == [1, 2, 3])
                        break
                    }
                    stream.reset()
                }
            }
        }
    }

    @Test func aResetAndADroppedStreamEndTheOtherSide() async throws {
        try await Loopback.pair { ada, bob in
            let peer = try await Loopback.peer(bob, of: ada)
            let stream = try await ada.openStream(named: "x", to: peer)
            let other = try await next(of: bob)
            stream.reset()
            await expect(.reset) { try await all(of: other) }
            await expect(.reset) { try await stream.write([1]) }
            _ = try await ada.openStream(named: "y", to: peer)
            let dropped = try await next(of: bob)
            await expect(.reset) { try await all(of: dropped) }
        }
    }

    @Test(arguments: ["", "a b", "lattice.messages", "lattice.x", String(repeating: "a", count: 64)])
    func aNameThatCannotBeIsRefused(name: String) async throws {
        try await Loopback.pair { ada, bob in
            let peer = try await Loopback.peer(bob, of: ada)
            await expect(.invalid) { try await ada.openStream(named: name, to: peer) }
        }
    }

    @Test func whatCannotBeOpenedIsSaid() async throws {
        try await Loopback.pair { ada, bob in
            let nobody = Peer(try #require(PeerID(String(repeating: "7", count: 64))).core, name: "nobody")
            await expect(.noRoute) { try await ada.openStream(named: "x", to: nobody, timeout: .zero) }
            await expect(.invalid) { try await ada.openStream(named: "x", to: try await ada.me) }
            await expect(.invalid) { try await ada.openStream(named: "x", to: nobody, timeout: .seconds(86_401)) }
            let peer = try await Loopback.peer(bob, of: ada)
            // Nobody takes any.
            var streams: [PeerStream] = []
            for _ in 0..<IncomingQueue.streamsMax {
                streams.append(try await ada.openStream(named: "x", to: peer, timeout: .seconds(60)))
            }
            await expect(.unwanted) { try await ada.openStream(named: "x", to: peer, timeout: .zero) }
            _ = try await next(of: bob)
            streams.append(try await ada.openStream(named: "x", to: peer, timeout: .seconds(60)))
            #expect(streams.count == IncomingQueue.streamsMax + 1)
        }
    }

    @Test func messagesAndStreamsDoNotMeet() async throws {
        try await Loopback.pair { ada, bob in
            let peer = try await Loopback.peer(bob, of: ada)
            try await ada.send([1], to: [peer])
            let stream = try await ada.openStream(named: "x", to: peer)
            try await stream.write([2])
            for try await bytes in try await next(of: bob).inbound {
                #expect(Array(bytes) == [2])
                break
            }
            for await message in bob.received {
                #expect(message.bytes == [1])
                break
            }
            stream.reset()
        }
    }
}

private func next(of session: Session) async throws -> PeerStream {
    for await stream in session.streams { return stream }
    throw Loopback.Ended()
}

private func all(of stream: PeerStream) async throws -> [UInt8] {
    var all: [UInt8] = []
    for try await bytes in stream.inbound { all += bytes }
    return all
}
