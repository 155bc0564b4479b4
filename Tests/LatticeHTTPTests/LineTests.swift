import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeHTTP

/// Lines by their id: answered, looked at, reacted to, edited and deleted.
@Suite(.timeLimit(.minutes(5))) struct LineTests {
    private static let line = Sample.record(7)
    private static let way = "/v1/lines/\(line.hex)"
    private static let thumb = "\(way)/reactions/\(PercentText.encoded("👍"))"

    @Test func whatStandsThereReachesTheNode() async throws {
        try await HTTPRig.serving { rig in
            let said = try await rig.own(
                "POST", "/v1/rooms/park/messages", body: #"{"text":"yes","reply_to":"\#(Self.line.hex)"}"#)
            #expect(said.status == 201)
            #expect(try await rig.own("GET", Self.way).status == 200)
            #expect(try await rig.own("PATCH", Self.way, body: #"{"text":"at eleven"}"#).status == 200)
            #expect(try await rig.own("DELETE", Self.way).status == 200)
            #expect(try await rig.own("PUT", Self.thumb).status == 200)
            #expect(try await rig.own("DELETE", Self.thumb).status == 200)
            let hands = "👩🏽‍🚒"
            #expect(try await rig.own("PUT", "\(Self.way)/reactions/\(PercentText.encoded(hands))").status == 200)
            let asked = await rig.node.requests.filter { $0 != AnyHashable(ShowMe()) }
            #expect(
                asked == [
                    Say("yes", style: .says, room: Sample.room("#park"), audience: .everybody, replyTo: Self.line),
                    ShowLine(Self.line), EditLine(Self.line, "at eleven"), DeleteLine(Self.line),
                    ReactToLine(Self.line, "👍"), ReactToLine(Self.line, "👍", holds: false),
                    ReactToLine(Self.line, hands),
                ])
        }
    }

    @Test func aLineComesWithWhatItAnswersAndItsReactions() async throws {
        try await HTTPRig.serving { rig in
            let line = try await rig.own("GET", Self.way).object()
            #expect(line["text"] as? String == "at ten" && line["edited"] as? Bool == true)
            #expect(line["deleted"] == nil)
            let reply = line["reply"] as? [String: Any]
            #expect(reply?["id"] as? String == Sample.record(6).hex && reply?["text"] as? String == "when?")
            let reactions = try #require(line["reactions"] as? [[String: Any]])
            #expect(reactions.map { $0["emoji"] as? String } == ["👍", "❤️"])
            #expect(reactions.first?["by"] as? [String] == [Sample.peer(1).hex, Sample.peer(3).hex])
        }
    }

    @Test(
        arguments: [
            (.unknownLine, 404, "unknownItem"), (.notYourLine(act: .edit), 403, "notTheAuthor"),
            (.lineDeleted, 410, "takenBack"),
        ] as [(RequestError, Int, String)])
    func aRefusalSaysWhy(refusal: RequestError, status: Int, code: String) async throws {
        try await HTTPRig.serving { rig in
            for (method, path) in [
                ("GET", Self.way), ("PATCH", Self.way), ("DELETE", Self.way), ("PUT", Self.thumb),
                ("DELETE", Self.thumb),
            ] {
                await rig.node.refuse(refusal)
                let answer = try await rig.own(method, path, body: method == "PATCH" ? #"{"text":"x"}"# : nil)
                #expect(answer.status == status, "\(method) \(path)")
                #expect(try answer.object()["code"] as? String == code)
            }
        }
    }

    @Test(
        arguments: [
            (.unknownLine, 404, "This room has no such line."),
            (.lineDeleted, 410, "This line was deleted by its author; pin another line."),
        ] as [(RequestError, Int, String)])
    func aLineThatCannotBePinnedIsExplained(refusal: RequestError, status: Int, detail: String) async throws {
        try await HTTPRig.serving { rig in
            await rig.node.refuse(refusal)
            let body = #"{"line":"\#(Sample.record(7).hex)"}"#
            let answer = try await rig.own("PUT", "/v1/rooms/park/pins", body: body)
            #expect(answer.status == status)
            #expect(try answer.object()["detail"] as? String == detail)
        }
    }

    @Test func whatIsNotAnEmojiIsToldByField() async throws {
        try await HTTPRig.serving { rig in
            await rig.node.refuse(.invalid(faults: [.notAnEmoji(given: "ok")]))
            let answer = try await rig.own("PUT", "\(Self.way)/reactions/ok")
            #expect(answer.status == 422 && answer.text.contains(#""field":"emoji""#))
            #expect(try answer.object()["detail"] as? String == "'ok' is not one emoji; give one, such as 👍.")
            #expect(try await rig.own("PUT", "\(Self.way)/reactions/").status == 404)
            #expect(try await rig.own("PUT", "\(Self.way)/reactions/%ff").status == 400)
        }
    }

    @Test(arguments: ["abcd", "x", String(repeating: "g", count: 64), String(repeating: "a", count: 65)])
    func anIdThatIsNoneIsToldByField(id: String) async throws {
        try await HTTPRig.serving { rig in
            for (method, path) in [
                ("GET", "/v1/lines/\(id)"), ("PATCH", "/v1/lines/\(id)"), ("DELETE", "/v1/lines/\(id)"),
                ("PUT", "/v1/lines/\(id)/reactions/x"), ("DELETE", "/v1/lines/\(id)/reactions/x"),
            ] {
                let answer = try await rig.own(method, path, body: method == "PATCH" ? #"{"text":"x"}"# : nil)
                #expect(answer.status == 422 && answer.text.contains(#""field":"id""#), "\(method) \(path)")
            }
            let body = #"{"text":"yes","reply_to":"\#(id)"}"#
            let said = try await rig.own("POST", "/v1/rooms/park/messages", body: body)
            #expect(said.status == 422 && said.text.contains(#""field":"reply_to""#))
            #expect(await rig.node.requests.isEmpty)
        }
    }

    @Test func aBodyThatIsWrongIsToldByField() async throws {
        try await HTTPRig.serving { rig in
            for (body, field) in [
                ("{}", "text"), (#"{"text":5}"#, "text"), (#"{"text":null}"#, "text"),
                (#"{"text":"a","style":"acts"}"#, "style"),
            ] {
                let answer = try await rig.own("PATCH", Self.way, body: body)
                #expect(answer.status == 422 && answer.text.contains(#""field":"\#(field)""#), "\(body)")
            }
            let answer = try await rig.own("POST", "/v1/rooms/park/messages", body: #"{"text":"a","reply_to":5}"#)
            #expect(answer.status == 422 && answer.text.contains(#""field":"reply_to""#))
            await rig.node.refuse(.emptyLine)
            #expect(try await rig.own("PATCH", Self.way, body: #"{"text":" "}"#).status == 422)
        }
    }

    @Test func whoHasNoTokenReadsLinesOfPublicRoomsAlone() async throws {
        try await HTTPRig.serving { rig in
            #expect(try await rig.ask("GET", Self.way).status == 200)
            for (method, path) in [
                ("PATCH", Self.way), ("DELETE", Self.way), ("PUT", Self.thumb), ("DELETE", Self.thumb),
            ] {
                #expect(try await rig.ask(method, path, body: #"{"text":"x"}"#).status == 401, "\(method) \(path)")
            }
            #expect(await rig.node.requests.contains { $0.base is EditLine || $0.base is DeleteLine } == false)
            // A line that only members read, and one of a public room with the name of a private room.
            let named = Message(
                record: Sample.record(8), room: Sample.room("#secret"), from: Sample.peer(2), name: Sample.name("bob"),
                text: "hi", style: .says, at: Sample.date, hops: 1)
            for line in [Sample.privateMessage, named] {
                await rig.node.keep(line)
                let answer = try await rig.ask("GET", Self.way)
                #expect(answer.status == 404 && !answer.text.contains("#secret"))
                #expect(try await rig.own("GET", Self.way).status == 200)
            }
        }
    }

    @Test func aChangeOfALineIsStreamedToThoseWhoMayReadIt() async throws {
        try await HTTPRig.serving { rig in
            let (open, own) = (try await rig.stream(), try await rig.stream(token: Sample.token.text))
            await rig.node.tell(.lineChanged(LineChange(.deleted, by: Sample.peer(2), of: Sample.privateMessage)))
            await rig.node.tell(
                .lineChanged(LineChange(.reacted, by: Sample.peer(3), emoji: "👍", of: Sample.talkedLine)))
            for (stream, isOwn) in [(open, false), (own, true)] {
                let heard = try await stream.hears(#""emoji":"❤️","by":"#)
                let by = Sample.peer(3).hex
                #expect(
                    heard.contains(
                        "event: line_changed\ndata: "
                            + #"{"change":"reacted","by":"\#(by)","emoji":"👍","line":{"id":"\#(Self.line.hex)""#))
                #expect(heard.contains(#""change":"deleted""#) == isOwn)
            }
        }
    }
}
