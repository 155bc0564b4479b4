import LatticeAPI
import LatticeCore
import LatticeSocket
import Testing

@testable import LatticeHTTP

/// Who has a place, and for how long.
@Suite(.timeLimit(.minutes(5))) struct ConnectionTests {
    private static let question = "GET /v1/me HTTP/1.1\r\nHost: localhost\r\n\r\n"
    private static let half = "GET /v1/me HTTP/1.1\r\nHost: loc"

    private static func answered(_ rig: HTTPRig, from host: UInt8 = 1) async throws -> HTTPSocket {
        let socket = try rig.socket(from: host)
        socket.send(question)
        #expect(try await socket.answer().status == 200)
        return socket
    }

    private static func half(_ rig: HTTPRig, from host: UInt8 = 1) async throws -> HTTPSocket {
        let count = rig.server.responder.table.count
        let socket = try rig.socket(from: host)
        socket.send(half)
        await until { rig.server.responder.table.count == count + 1 }
        return socket
    }

    private static func isStillTold(_ stream: HTTPSocket, _ rig: HTTPRig) async throws {
        await rig.node.tell(.message(Sample.message(7, "still there")))
        _ = try await stream.hears("still there")
    }

    // MARK: - Time

    @Test func whoSendsSlowlyIsLetGoOf() async throws {
        try await HTTPRig.serving { settings in
            settings.limits.headTimeout = .milliseconds(50)
            settings.limits.bodyTimeout = .milliseconds(50)
        } body: { rig in
            let (silent, slow, half) = (try rig.socket(), try rig.socket(), try rig.socket())
            slow.send("POST /v1/posts HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nx")
            half.send(Self.half)
            for socket in [silent, slow, half] { #expect(try await socket.rest() == "") }
        }
    }

    /// A byte now and then does not help: the time is that of all of them together.
    @Test func halfOfALaterRequestHasNoMoreTimeThanOfTheFirst() async throws {
        try await HTTPRig.serving { settings in
            settings.limits.headTimeout = .seconds(1)
            settings.limits.idleTimeout = .seconds(3_600)
        } body: { rig in
            let (idle, drip) = (try await Self.answered(rig), try await Self.answered(rig))
            // Between two bytes another client is answered; too few bytes come in that time for the line to be too long.
            let pace = try rig.socket(from: 2)
            drip.send(Self.half)
            while drip.send("x") {
                pace.send(Self.question)
                _ = try await pace.answer()
            }
            #expect(try await drip.rest() == "")
            idle.send(Self.question)
            #expect(try await idle.answer().status == 200)
        }
    }

    @Test func whoAsksNothingMoreIsLetGoOf() async throws {
        try await HTTPRig.serving {
            $0.limits.idleTimeout = .milliseconds(50)
        } body: { rig in
            let socket = try await Self.answered(rig)
            #expect(try await socket.rest() == "")
        }
    }

    // MARK: - Places

    @Test func whoWaitsForTheLongestTimeGivesWay() async throws {
        try await HTTPRig.serving {
            $0.limits.connectionsMax = 3
        } body: { rig in
            let half = try await Self.half(rig)
            let idle = try await Self.answered(rig)
            let stream = try await rig.stream()
            let third = try await Self.answered(rig)
            #expect(try await half.rest() == "")
            let fourth = try await Self.answered(rig)
            #expect(try await idle.rest() == "")
            third.send(Self.question)
            #expect(try await third.answer().status == 200)
            // It spoke last, so the other one goes.
            _ = try await Self.answered(rig)
            #expect(try await fourth.rest() == "")
            try await Self.isStillTold(stream, rig)
        }
    }

    @Test func whoIsBeingAnsweredKeepsTheirPlace() async throws {
        try await HTTPRig.serving {
            $0.limits.connectionsMax = 2
        } body: { rig in
            let (first, second) = (try await rig.stream(), try await rig.stream())
            #expect(try await rig.socket().rest() == "")
            first.endInput()
            _ = try await first.rest()
            await until {
                do { return try await rig.ask("GET", "/v1/me").status == 200 } catch { return false }
            }
            try await Self.isStillTold(second, rig)
        }
    }

    @Test func halvesOfRequestsKeepNobodyOut() async throws {
        try await HTTPRig.serving {
            $0.limits.connectionsMax = 8
        } body: { rig in
            var halves: [HTTPSocket] = []
            for _ in 0..<20 {
                for _ in 0..<4 {
                    let half = try rig.socket(from: 2)
                    half.send(Self.half)
                    halves.append(half)
                }
                #expect(try await rig.ask("GET", "/v1/me").status == 200)
            }
            // Which ones are left depends on when each was heard.
            await until { halves.count(where: \.hasEnded) >= halves.count - 8 }
        }
    }

    /// 1,024 descriptors are usual, 64 the fewest with which the program starts.
    @Test(arguments: [(1 << 20, 2_048), (2_560, 2_048), (1_100, 588), (1_024, 512), (256, 128), (64, 32), (1, 1)])
    func thereAreNoMorePlacesThanDescriptors(descriptors: Int, places: Int) {
        var limits = HTTPLimits()
        limits.fit(descriptors: descriptors)
        #expect(limits.connectionsMax == places)
        #expect((1...places).contains(limits.ownAddressConnectionsMax))
        #expect((1...limits.ownAddressConnectionsMax).contains(limits.addressConnectionsMax))
        #expect((1...places).contains(limits.streamsMax))
        #expect(places < 4 || limits.streamsMax < limits.ownAddressConnectionsMax)
    }

    // MARK: - Addresses

    @Test func noAddressHasAllPlaces() async throws {
        try await HTTPRig.serving {
            $0.limits.ownAddressConnectionsMax = 2
        } body: { rig in
            let streams = [try await rig.stream(from: 2), try await rig.stream(from: 2)]
            #expect(try await rig.socket(from: 2).rest() == "")
            #expect(try await rig.ask("GET", "/v1/me", from: 3).status == 200)
            streams[0].endInput()
            _ = try await streams[0].rest()
            await until {
                do { return try await rig.ask("GET", "/v1/me", from: 2).status == 200 } catch { return false }
            }
        }
    }

    /// Its own, and nobody else's.
    @Test func whoHasTooManyPlacesLosesTheLongestSilentOne() async throws {
        try await HTTPRig.serving {
            $0.limits.ownAddressConnectionsMax = 2
        } body: { rig in
            let other = try await Self.answered(rig, from: 3)
            let (half, idle) = (try await Self.half(rig, from: 2), try await Self.answered(rig, from: 2))
            let third = try await Self.answered(rig, from: 2)
            #expect(try await half.rest() == "")
            for socket in [other, idle, third] {
                socket.send(Self.question)
                #expect(try await socket.answer().status == 200)
            }
        }
    }

    @Test func whatOneAddressAsksIsNotCountedForAnother() async throws {
        try await HTTPRig.serving { settings in
            settings.stopClock()
            settings.limits.requests = TokenBucket.Rate(perSecond: 1, burst: 3)
            settings.limits.writes = TokenBucket.Rate(perSecond: 1, burst: 1)
        } body: { rig in
            var statuses: [Int] = []
            for _ in 0..<4 { statuses.append(try await rig.ask("GET", "/v1/me", from: 2).status) }
            #expect(statuses == [200, 200, 200, 429])
            for expected in [202, 429] {
                let answer = try await rig.ask("POST", "/v1/sync", token: Sample.token.text, from: 3)
                #expect(answer.status == expected)
            }
            #expect(try await rig.own("POST", "/v1/sync").status == 202)
        }
    }
}
