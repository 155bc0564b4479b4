import Testing

/// Strangers that connect and do not behave. Each comes from 127.0.0.66, so that it takes no place of honest ones.
///
/// Beside the other tests, since these wait for time limits and not for a processor.
@Suite(.timeLimit(.minutes(10))) struct HostileTests {
    /// What a peer may grow by, whatever strangers do; 1 MiB was measured.
    private static let growthMaxKiB = 8 << 10

    /// The length, a public key, the version.
    private static let firstMessage: [UInt8] = [0x00, 0x21, 0x09] + [UInt8](repeating: 0x07, count: 31) + [0x01]

    private static let garbage: [[UInt8]] = [
        Array("GET / HTTP/1.1\r\nHost: here\r\n\r\n".utf8),
        Array("SSH-2.0-OpenSSH_9.2\r\n".utf8),
        // A TLS hello, whose first two bytes are a length that is long in coming.
        [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC, 0x03, 0x03],
        [0xFF, 0xFF] + [UInt8](repeating: 0xFF, count: 70_000),
        // A first message whose key is no key, and one of a version to come.
        [0x00, 0x21] + [UInt8](repeating: 0x00, count: 32) + [0x01],
        [0x00, 0x21, 0x09] + [UInt8](repeating: 0x07, count: 31) + [0x02],
        [0x00, 0x01, 0x00],
        [0x00, 0x00],
        [0x00, 0x00, 0x00, 0x00, 0x00, 0x00],
    ]

    @Test func whateverStrangersSendTheyAreDroppedAndTheChatGoesOn() async throws {
        try await onStage { stage in
            let alice = try stage.host("alice")
            let bob = try await stage.guest("bob", of: alice)
            let port = try #require(try await alice.ready().port)
            let before = try alice.child.residentKiB()
            var strangers: [RawSocket] = []
            for bytes in Self.garbage {
                let stranger = try RawSocket(port: port)
                stranger.send(bytes)
                strangers.append(stranger)
            }
            // Nothing at all; half a length; half a message; half a handshake (a public key, answered by another).
            strangers.append(try RawSocket(port: port))
            for bytes in [[0x00], [0x00, 0x21, 0x09], Self.firstMessage] {
                let stranger = try RawSocket(port: port)
                stranger.send(bytes)
                strangers.append(stranger)
            }
            let shaking = strangers[strangers.count - 1]
            try await eventually("alice answers the first message") { shaking.received().count > 2 }
            alice.say("while they hang on")
            try await bob.hears("while they hang on")
            for (index, stranger) in strangers.enumerated() {
                try await eventually("stranger \(index) is dropped") { stranger.isClosed() }
            }
            let carol = try await stage.guest("carol", of: alice)
            carol.say("hello")
            try await bob.hears("hello")
            let growth = try alice.child.residentKiB() - before
            #expect(growth < Self.growthMaxKiB, "grew by \(growth) KiB")
            // Strangers' faults are not the user's.
            #expect(try !alice.events().contains { $0.event == "error" })
        }
    }

    @Test func threeHundredConnectionsAtOnceLeaveRoomForAnHonestOne() async throws {
        try await onStage { stage in
            let alice = try stage.host("alice")
            let port = try #require(try await alice.ready().port)
            let before = try alice.child.residentKiB()
            var crowd: [RawSocket] = []
            for _ in 0..<300 { crowd.append(try RawSocket(port: port)) }
            let bob = try await stage.guest("bob", of: alice)
            bob.say("hello")
            try await alice.hears("hello")
            try await eventually("all but a few are sent away") { crowd.count { !$0.isClosed() } <= 16 }
            try await eventually("the crowd is gone") { crowd.allSatisfy { $0.isClosed() } }
            let growth = try alice.child.residentKiB() - before
            #expect(growth < Self.growthMaxKiB, "grew by \(growth) KiB")
        }
    }

    @Test func strangersFromEverywhereTakeNoLinkAwayAndGiveTheirPlacesBack() async throws {
        try await onStage { stage in
            let alice = try stage.host("alice")
            let bob = try await stage.guest("bob", of: alice)
            let port = try #require(try await alice.ready().port)
            var crowd: [RawSocket] = []
            for number in 0..<300 { crowd.append(try RawSocket(port: port, from: "127.0.1.\(1 + number / 15)")) }
            alice.say("still there?")
            try await bob.hears("still there?")
            bob.say("yes")
            try await alice.hears("yes")
            let carol = try await stage.guest("carol", of: alice)
            carol.say("room again")
            try await bob.hears("room again")
        }
    }
}
