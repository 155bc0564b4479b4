import LatticeAPI
import LatticeCore
import LatticeGeo
import Logging
import Testing

@testable import LatticeHTTP

/// Streams of what happens.
@Suite(.timeLimit(.minutes(5))) struct StreamTests {
    @Test func whatHappensIsToldAtOnce() async throws {
        try await HTTPRig.serving { rig in
            let stream = try await rig.stream()
            await rig.node.tell(.message(Sample.message(7, "hello")))
            let event = try await stream.hears("\n\n")
            #expect(event.contains("event: message\ndata: {\"id\":"))
            #expect(event.contains("\"text\":\"hello\""))
            await rig.node.tell(.placed(PlacedItem(item: Sample.record(1), place: Sample.place)))
            #expect(try await stream.hears("\n\n").contains("\"lat\":40.7128,\"lon\":-74.006}"))
        }
    }

    @Test func whatIsPrivateIsToldOnlyWithTheToken() async throws {
        try await HTTPRig.serving { rig in
            let (open, own) = (try await rig.stream(), try await rig.stream(token: Sample.token.text))
            await rig.node.tell(.message(Sample.privateMessage))
            await rig.node.tell(.posted(Sample.post))
            await rig.node.tell(.me(Sample.me))
            await rig.node.tell(.message(Sample.message(7, "public")))
            let heard = try await open.hears("public")
            #expect(!heard.contains("psst") && !heard.contains("event: item") && !heard.contains("#secret"))
            let all = try await own.hears("public")
            #expect(all.contains("psst") && all.contains("event: item") && all.contains("#secret"))
        }
    }

    @Test func whatIsAnotherNowIsToldToAllAndWhatWaitedToWhoeverItIsOf() async throws {
        try await HTTPRig.serving { rig in
            let (open, own) = (try await rig.stream(), try await rig.stream(token: Sample.token.text))
            let change = ItemChange(Sample.record(3), about: Sample.record(1), [.like, .edit])
            await rig.node.tell(
                .changed(FeedChanges(items: [change], people: [PersonChange(Sample.peer(2), [.profile])])))
            await rig.node.tell(.sent([Sample.record(1)]))
            await rig.node.tell(.changed(.many))
            for (stream, isOwn) in [(open, false), (own, true)] {
                let heard = try await stream.hears("\"many\":true}\n\n")
                let (item, post) = (Sample.record(3).hex, Sample.record(1).hex)
                #expect(
                    heard.contains(
                        "event: changed\ndata: {\"items\":[{\"id\":\"\(item)\",\"about\":\"\(post)\",\"kinds\":[\"like\",\"edit\"]}]"
                    ))
                #expect(heard.contains("\"kinds\":[\"profile\"]"))
                #expect(heard.contains("event: sent\ndata: {\"ids\":[\"\(post)\"]}") == isOwn)
            }
        }
    }

    /// A gap would tell that something happened near here, or in a private room.
    @Test func theNumbersOfWhatIsPublicHaveNoGaps() async {
        let hub = StreamHub(HTTPLimits(), boot: "b")
        let (events, input) = NodeEvents.makeStream()
        for event in [NodeEvent.message(Sample.message(7, "one")), .posted(Sample.post), .me(Sample.me)] {
            input.yield(event)
        }
        input.yield(.message(Sample.message(8, "two")))
        input.finish()
        await hub.run(events)
        let wish = StreamWish(hub: hub, isPrivate: false, after: "b-1")
        let heard = String(decoding: await hub.begin(wish).bytes, as: UTF8.self)
        #expect(heard.contains("id: b-2\nevent: message\n") && heard.contains("two") && !heard.contains("one"))
    }

    @Test func howFarOneHasReadIsForTheOwner() throws {
        let told = StreamEvent.events(of: .read(Sample.unread))
        #expect(told.map(\.name) == ["read"] && told.allSatisfy(\.isPrivate))
        let data = told.map { String(decoding: $0.data.bytes, as: UTF8.self) }
        #expect(data == [##"{"room":"#park","lines":3,"mentions":1,"more":false}"##])
    }

    @Test func aLostStreamGoesOnWhereItWas() async throws {
        try await HTTPRig.serving { rig in
            let stream = try await rig.stream()
            await rig.node.tell(.message(Sample.message(7, "first")))
            let first = try await stream.hears("first")
            let id = try #require(first.split(separator: "id: ").last?.prefix { $0 != "\n" })
            await rig.node.tell(.message(Sample.message(8, "second")))
            _ = try await stream.hears("second")
            for again in [
                try await rig.stream(after: String(id)), try await rig.stream("/v1/stream?last_event_id=\(id)"),
            ] {
                let heard = try await again.hears("second")
                #expect(!heard.contains("first") && !heard.contains("missed"))
            }
            let other = try await rig.stream(after: "another-5")
            await rig.node.tell(.message(Sample.message(9, "third")))
            let heard = try await other.hears("third")
            #expect(heard.contains("event: missed\ndata: {}") && !heard.contains("second"))
        }
    }

    @Test func whoFallsBehindIsToldHowMuch() async {
        var limits = HTTPLimits()
        limits.ringMax = 8
        let hub = StreamHub(limits, boot: "b")
        let (events, input) = NodeEvents.makeStream()
        let wish = StreamWish(hub: hub, isPrivate: false, after: nil)
        let start = await hub.begin(wish).cursor
        for number in 0..<100 { input.yield(.message(Sample.message(7, "line \(number)"))) }
        input.finish()
        await hub.run(events)
        let (bytes, cursor) = await hub.read(from: start, wish)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.hasPrefix("id: b-100\nevent: missed\ndata: {\"count\":92}\n\n"))
        for number in 92..<100 { #expect(text.contains("\"line \(number)\"")) }
        #expect(!text.contains("\"line 91\""))
        #expect(await hub.read(from: cursor, wish).bytes.isEmpty)
        // A client that comes back in time gets the events in the ring and the number of older ones.
        let late = await hub.begin(StreamWish(hub: hub, isPrivate: false, after: "b-95")).bytes
        #expect(!String(decoding: late, as: UTF8.self).contains("missed"))
        let older = await hub.begin(StreamWish(hub: hub, isPrivate: false, after: "b-90")).bytes
        #expect(String(decoding: older, as: UTF8.self).contains("{\"count\":2}"))
    }

    @Test(arguments: ["", "b", "b-", "b-x", "c-1", "b-1-2", "b--1", "b-99999999999999999999", "b-7"])
    func anIDOfNobodyIsALoss(id: String) async {
        let hub = StreamHub(HTTPLimits(), boot: "b")
        let bytes = await hub.begin(StreamWish(hub: hub, isPrivate: false, after: id)).bytes
        #expect(String(decoding: bytes, as: UTF8.self).contains("event: missed"))
    }

    @Test func aQuietStreamShowsThatItLives() async throws {
        try await HTTPRig.serving {
            $0.limits.heartbeat = .milliseconds(20)
        } body: { rig in
            let stream = try await rig.stream()
            _ = try await stream.hears(": \n\n")
            _ = try await stream.hears(": \n\n")
        }
    }

    @Test func whoIsGoneIsForgotten() async throws {
        try await HTTPRig.serving { rig in
            let hub = rig.server.responder.hub
            do {
                let (stays, ends) = (try await rig.stream(), try await rig.stream())
                #expect(await hub.listenersCount == 2)
                ends.endInput()
                await until { await hub.listenersCount == 1 }
                await rig.node.tell(.message(Sample.message(7, "still")))
                _ = try await stays.hears("still")
            }
            await until { await hub.listenersCount == 0 }
        }
    }

    @Test func thereIsRoomForSoManyStreams() async throws {
        try await HTTPRig.serving {
            $0.limits.streamsMax = 1
        } body: { rig in
            let first = try await rig.stream()
            let second = try await rig.ask("GET", "/v1/stream")
            #expect(second.status == 503)
            await rig.node.tell(.message(Sample.message()))
            _ = try await first.hears("message")
        }
    }

    /// It never reads: nobody else notices, and in the end it is let go of.
    @Test func whoNeverReadsIsLetGoOf() async throws {
        try await HTTPRig.serving { settings in
            settings.limits.writeTimeout = .milliseconds(100)
        } body: { rig in
            let (deaf, listener) = (try await rig.stream(), try await rig.stream())
            let text = String(repeating: "x", count: 4_000)
            var number = 0
            while await rig.server.responder.hub.listenersCount == 2 {
                for _ in 0..<100 {
                    number += 1
                    await rig.node.tell(.message(Sample.message(7, "\(text) \(number).")))
                }
                _ = try await listener.hears(" \(number).")
            }
            _ = deaf
        }
    }

    @Test func manyListenAtOnce() async throws {
        try await HTTPRig.serving { rig in
            var streams: [HTTPSocket] = []
            for _ in 0..<100 { streams.append(try await rig.stream()) }
            await rig.node.tell(.message(Sample.message(7, "to all")))
            for stream in streams { #expect(try await stream.hears("to all").contains("event: message")) }
        }
    }

    @Test func openStreamsAndIdleConnectionsDoNotHoldUpTheEnd() async throws {
        let server = try await HTTPServer.listening(
            at: PeerAddress(host: "127.0.0.1", port: 0), node: FakeNode(), settings: HTTPRig.settings())
        let run = Task { await server.run() }
        let rig = HTTPRig(node: FakeNode(), server: server, users: .init())
        let (stream, idle) = (try await rig.stream(), try rig.socket())
        let half = try rig.socket()
        half.send("POST /v1/posts HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n")
        run.cancel()
        await run.value
        for socket in [stream, idle, half] { _ = try await socket.rest() }
    }
}
