import LatticeAPI
import LatticeCore
import LatticeGeo
import Testing

@testable import LatticeControl

/// Which client gets which events, over real sockets.
@Suite struct ControlFeedTests {
    private func subscribed(_ served: Served, _ params: String) async throws -> RawSocket {
        let socket = try RawSocket(served.path)
        socket.send(##"{"id":1,"method":"subscribe","params":\##(params)}"## + "\n")
        #expect(try await socket.line().contains(##""done""##))
        return socket
    }

    private static func line(_ text: String, in room: RoomName) -> NodeEvent {
        .message(
            Message(
                record: Samples.record, room: room, from: Samples.peer, name: Samples.name, text: text, style: .says,
                at: Samples.date, hops: 1))
    }

    @Test func ofRoomsOnlyThoseThatWereNamedAreTold() async throws {
        try await Served().run { served in
            let socket = try await subscribed(served, ##"{"topics":["messages"],"rooms":["#park"]}"##)
            await served.node.tell(Self.line("elsewhere", in: try RoomName("#gate")))
            await served.node.tell(.privateMessage(Samples.privateMessage))
            await served.node.tell(Self.line("here", in: Samples.room))
            #expect(try await socket.line().contains(##""text":"here""##))
        }
    }

    @Test func privateMessagesAloneCanBeAskedFor() async throws {
        try await Served().run { served in
            let socket = try await subscribed(served, ##"{"topics":["private"]}"##)
            await served.node.tell(Self.line("in a room", in: Samples.room))
            await served.node.tell(.privateMessage(Samples.privateMessage))
            #expect(try await socket.line().contains(##""text":"psst""##))
        }
    }

    /// Two places that are not the owner's, and a third that nobody watches.
    @Test func postsNearAnyPlaceAreTold() async throws {
        try await Served().run { served in
            let near = ##"{"topics":["posts"],"near":{"centre":{"latitude":52.5,"longitude":13.4},"radius":500}}"##
            let gate = try await subscribed(served, near)
            let bridge = try await subscribed(served, near.replacing("52.5", with: "48.1"))
            let own = try await subscribed(served, ##"{"topics":["posts"]}"##)
            func place(_ latitude: Double) throws -> Coordinate {
                try #require(Coordinate(latitude: latitude, longitude: 13.401))
            }
            for (number, latitude) in [52.5, 10, 48.1].enumerated() {
                let item = try #require(Bytes32([UInt8](repeating: UInt8(number), count: 32)))
                await served.node.tell(.placed(PlacedItem(item: RecordID(item), place: try place(latitude))))
            }
            #expect(try await gate.line().contains(##""method":"posted""##))
            #expect(try await bridge.line().contains(##""method":"posted""##))
            let looks = await served.node.requests.compactMap { $0.base as? ShowItem }
            #expect(
                Set(looks) == [
                    ShowItem(
                        ItemReference(String(repeating: "00", count: 32)),
                        from: Coordinate(latitude: 52.5, longitude: 13.4)),
                    ShowItem(
                        ItemReference(String(repeating: "02", count: 32)),
                        from: Coordinate(latitude: 48.1, longitude: 13.4)),
                ])
            await served.node.tell(.posted(Samples.post))
            #expect(try await own.line().contains(##""method":"posted""##))
        }
    }

    /// For a page that shows another process's node.
    @Test func whatIsToBeAskedForAnewIsTold() async throws {
        try await Served().run { served in
            let socket = try await subscribed(served, ##"{"topics":["changes"]}"##)
            await served.node.tell(.posted(Samples.post))
            await served.node.tell(.placed(PlacedItem(item: Samples.record, place: Samples.place)))
            #expect(try await socket.line().contains(##""method":"placed""##))
            await served.node.tell(.changed(FeedChanges(items: [ItemChange(Samples.record, [.like])])))
            let line = try await socket.line()
            #expect(line.contains(##""method":"changed""##) && line.contains(##""kinds":["like"]"##))
            await served.node.tell(.sent([Samples.record]))
            #expect(try await socket.line().contains(##""method":"sent""##))
        }
    }

    /// Who fetches all that others have would be told nothing else, and lose lines of people to it.
    @Test func ofVeryManyPostsItIsToldThatTheyAreMany() async throws {
        try await Served().run { served in
            let socket = try await subscribed(served, ##"{"topics":["changes","notices"]}"##)
            let count = 5_000
            for _ in 0..<count {
                await served.node.tell(.placed(PlacedItem(item: Samples.record, place: Samples.place)))
            }
            await served.node.tell(.notice(Notice(.information, code: "last", "last")))
            var lines: [String] = []
            while lines.last?.contains("last") != true { lines.append(try await socket.line()) }
            #expect(lines.count < count / 10)
            #expect(lines.contains { $0.contains(##""isMany":true"##) })
        }
    }

    /// It reads nothing until all events were sent; the loss is reported although no event follows.
    @Test func whatWasLostIsToldAsSoonAsThereIsRoom() async throws {
        try await Served().run { served in
            let (slow, quick) = (
                try await subscribed(served, ##"{"topics":["notices"]}"##),
                try await subscribed(served, ##"{"topics":["notices"]}"##)
            )
            let (text, count) = (String(repeating: "x", count: 1_024), 2_000)
            // The quick one reads a hundred at a time, far fewer than may wait for it.
            for hundred in stride(from: 0, to: count, by: 100) {
                for number in hundred..<hundred + 100 {
                    await served.node.tell(.notice(Notice(.information, code: "\(number)", text)))
                }
                for _ in hundred..<hundred + 100 {
                    _ = try await quick.line()
                }
            }
            var (told, missed) = (0, 0)
            while told + missed < count {
                let line = try await slow.line()
                if let range = line.firstRange(of: ##""missed":"##) {
                    missed += try #require(Int(line[range.upperBound...].prefix(while: \.isNumber)))
                } else {
                    told += 1
                }
            }
            #expect(missed > 0 && told + missed == count)
        }
    }

    @Test func whoSubscribedIsToldOnThoughItSaysNoMore() async throws {
        try await Served().run { served in
            let socket = try await subscribed(served, ##"{"topics":["notices"]}"##)
            socket.end()
            await served.node.tell(.notice(Notice(.information, code: "on", "still there")))
            #expect(try await socket.line().contains("still there"))
        }
    }

    @Test func subscriptionsHaveALimit() async throws {
        try await Served().run { served in
            let socket = try RawSocket(served.path)
            for _ in 0..<ControlLimit.subscriptionsMax {
                socket.send(##"{"id":1,"method":"subscribe","params":{"topics":["notices"]}}"## + "\n")
                #expect(try await socket.line().contains("done"))
            }
            socket.send(##"{"id":"last","method":"subscribe"}"## + "\n")
            let line = try await socket.line()
            #expect(line.contains("16 subscriptions") && line.contains(##""id":"last""##))
        }
    }
}
