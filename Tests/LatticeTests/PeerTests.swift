import Foundation
import Testing

@testable import Lattice

@Suite struct PeerTests {
    @Test func bothSidesSeeEachOtherConnectedAndThenGone() async throws {
        try await withSession(Loopback.open("ada")) { ada in
            let address = try await Loopback.address(of: ada)
            let bob = try await withSession(Loopback.open("bob", to: [address])) { bob in
                let peer = try await Loopback.peer(bob, of: ada)
                #expect(peer.name == "bob")
                #expect(ada.connectedPeers == [peer])
                let status = try #require(ada.peers.first)
                #expect(status.peer == peer && status.state == .connected && status.hops == 1)
                #expect(status.reason == nil)
                return peer
            }
            for await update in ada.peerUpdates where update.state == .notConnected {
                #expect(update.peer == bob)
                break
            }
            #expect(ada.connectedPeers.isEmpty)
        }
    }

    @Test func theRoundTripIsMeasuredOnceLinked() async throws {
        try await Loopback.pair { ada, bob in
            let peer = try await Loopback.peer(bob, of: ada)
            let roundTrip = await ada.board.first { $0[peer.id.core]?.roundTrip }
            #expect(try #require(roundTrip) >= .zero)
            #expect(ada.peers.first?.roundTrip != nil)
        }
    }

    @Test func onlyAPeerWithALinkHasARoundTrip() async throws {
        try await withSession(Loopback.open("relay")) { relay in
            let address = try await Loopback.address(of: relay)
            try await withSession(Loopback.configuration("ada", to: [address])) { ada in
                try await withSession(Loopback.configuration("bob", to: [address])) { bob in
                    let (near, far) = (try await Loopback.peer(relay, of: ada), try await Loopback.peer(bob, of: ada))
                    let roundTrip = await ada.board.first { $0[near.id.core]?.roundTrip }
                    #expect(roundTrip != nil)
                    let behind = try #require(ada.peers.first { $0.peer == far })
                    #expect(behind.hops == 2 && behind.roundTrip == nil)
                }
            }
        }
    }

    @Test func anAddressIsDialledAndItsPeerReturned() async throws {
        try await withSession(Loopback.open("ada")) { ada in
            try await withSession(Loopback.open("bob")) { bob in
                let peer = try await bob.connect(to: try await Loopback.address(of: ada))
                #expect(try await peer == ada.me)
                #expect(peer.name == "ada")
            }
        }
    }

    @Test func connectingAgainReturnsThePeer() async throws {
        try await Loopback.pair { ada, bob in
            let (toAda, toBob) = (try await Loopback.address(of: ada), try await Loopback.address(of: bob))
            #expect(try await bob.connect(to: toAda) == ada.me)
            // Bob has dialled: the link is not to the address where he listens.
            #expect(try await ada.connect(to: toBob) == bob.me)
        }
    }

    @Test func nobodyAtAnAddressIsATimeout() async throws {
        try await withSession(Loopback.open("ada")) { ada in
            let address = try #require(PeerAddress("127.0.0.1:1"))
            await expect(.timedOut) { try await ada.connect(to: address, timeout: .milliseconds(50)) }
        }
    }

    @Test func aPeerThatRefusesDeclines() async throws {
        var closed = Loopback.open("ada")
        closed.invitations = .only([])
        try await withSession(closed) { ada in
            try await withSession(Loopback.open("bob")) { bob in
                let address = try await Loopback.address(of: ada)
                await expect(.declined) { try await bob.connect(to: address) }
            }
        }
    }

    @Test func onlyTheSamePassphraseConnects() async throws {
        func configuration(_ name: String, _ passphrase: String, to others: [PeerAddress] = []) -> Configuration {
            var configuration = Loopback.open(name, to: others)
            configuration.passphrase = passphrase
            return configuration
        }
        try await withSession(configuration("ada", "open sesame")) { ada in
            let address = try await Loopback.address(of: ada)
            try await withSession(configuration("eve", "open barley")) { eve in
                try await withSession(configuration("bob", "open sesame", to: [address])) { bob in
                    _ = try await Loopback.peer(ada, of: bob)
                    await expect(.timedOut) { try await eve.connect(to: address, timeout: .milliseconds(200)) }
                }
            }
        }
    }

    @Test func aBlockedPeerIsNotConnectedUntilItIsUnblocked() async throws {
        try await Loopback.folder { folder in
            try await Loopback.pair(folders: [folder, nil]) { ada, bob in
                let peer = try await Loopback.peer(bob, of: ada)
                try await ada.block(peer)
                for await update in ada.peerUpdates where update.state == .notConnected { break }
                await expect(.noRoute) { try await ada.send([1], to: [peer]) }
                await expect(.unwanted) { try await ada.openStream(named: "x", to: peer) }
                try await ada.unblock(peer)
                _ = try await bob.connect(to: try await Loopback.address(of: ada), timeout: .seconds(60))
            }
        }
    }

    @Test func blockingNeedsAFolder() async throws {
        try await Loopback.pair { ada, bob in
            let peer = try await Loopback.peer(bob, of: ada)
            await expect(.storage) { try await ada.block(peer) }
        }
    }

    @Test func aPeerBehindALostRelayComesBackWithTheNextOne() async throws {
        try await withSession(Loopback.open("relay")) { relay in
            let address = try await Loopback.address(of: relay)
            try await withSession(Loopback.configuration("ada", to: [address])) { ada in
                try await withSession(Loopback.configuration("bob", to: [address])) { bob in
                    let peer = try await Loopback.peer(bob, of: ada)
                    await relay.close()
                    for await update in ada.peerUpdates where update.peer == peer && update.state != .connected {
                        break
                    }
                    #expect(ada.connectedPeers.isEmpty)
                    var next = Loopback.open("next")
                    next.port = address.port
                    try await withSession(next) { next in
                        _ = try await Loopback.peer(next, of: bob)
                        #expect(try await Loopback.peer(bob, of: ada) == peer)
                        try await ada.send([1], to: [peer])
                        for await message in bob.received {
                            #expect(message.bytes == [1])
                            break
                        }
                    }
                }
            }
        }
    }

    // MARK: - Values

    @Test func idsAndAddressesAreTheirTexts() throws {
        let text = String(repeating: "0f", count: 32)
        let id = try #require(PeerID(text))
        #expect(id.description == text)
        #expect(PeerID("0f") == nil)
        let decoded = try JSONDecoder().decode([PeerID].self, from: JSONEncoder().encode([id]))
        #expect(decoded == [id])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([PeerID].self, from: Data("[\"x\"]".utf8)) }
        let address = try #require(PeerAddress(host: "fe80::1", port: 80))
        #expect(address.description == "[fe80::1]:80")
        #expect(address.host == "fe80::1" && address.port == 80)
        #expect(PeerAddress(address.description) == address)
        #expect(PeerAddress("somewhere") == nil)
        #expect(PeerAddress(host: "", port: 80) == nil)
        #expect(PeerAddress(host: "host", port: 0) == nil)
    }

    @Test func peersAreEqualByIdAndPrintSafely() throws {
        let id = try #require(PeerID(String(repeating: "0", count: 64)))
        let (one, other) = (Peer(id.core, name: "a\u{1B}[2J"), Peer(id.core, name: "b"))
        #expect(one == other)
        #expect(Set([one, other]).count == 1)
        #expect(!one.description.contains("\u{1B}"))
        #expect(other.description == "b#yyyy")
    }
}
