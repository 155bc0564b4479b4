import LatticeCore
import Testing

@testable import LatticeHTTP

/// HTTP as any client speaks it, and what is none.
@Suite(.timeLimit(.minutes(5))) struct ProtocolTests {
    private static func problem(_ text: String) throws -> (status: Int, answer: HTTPAnswer) {
        let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        var answer = try HTTPAnswer(head: String(parts[0]))
        answer.body = parts.count > 1 ? Array(parts[1].utf8) : []
        return (answer.status, answer)
    }

    @Test(arguments: [
        ("\u{16}\u{3}\u{1}hello", 400), ("GET\r\n\r\n", 400), ("GET / HTTP/9.9\r\n\r\n", 400),
        ("BREW / HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET / HTTP/1.1\r\nno colon\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 20_000))\r\n\r\n", 431),
        ("GET /\(String(repeating: "x", count: 20_000)) HTTP/1.1\r\nHost: a\r\n\r\n", 431),
        ("GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: "X: y\r\n", count: 70))\r\n", 431),
        ("GET /v1/me HTTP/1.1\r\n\r\n", 400),
        ("GET /v1/me HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400),
    ])
    func whatIsNoHTTPIsToldSo(bytes: String, status: Int) async throws {
        try await HTTPRig.serving { rig in
            let socket = try rig.socket()
            socket.send(bytes)
            let (told, answer) = try Self.problem(try await socket.rest())
            #expect(told == status)
            #expect(answer.headers["content-type"] == "application/problem+json")
            #expect(answer.headers["connection"] == "close")
            #expect(try answer.object()["status"] as? Int == status)
            #expect(try answer.object()["detail"] as? String != "")
            #expect(try await rig.ask("GET", "/v1/me").status == 200)
        }
    }

    /// Also a client that has stopped reading; requests before the fault are answered.
    @Test func whatIsNoHTTPHurtsNobody() async throws {
        try await HTTPRig.serving { rig in
            let socket = try rig.socket()
            socket.send("GET /v1/me HTTP/1.1\r\nHost: localhost\r\n\r\n\u{1}\u{2}\r\n\r\n")
            socket.endInput()
            #expect(try await socket.answer().status == 200)
            #expect(try await socket.rest().hasPrefix("HTTP/1.1 400"))
        }
    }

    /// The answer comes first, however long it takes.
    @Test func aFaultIsAnsweredBeforeTheConnectionIsClosed() async throws {
        try await HTTPRig.serving {
            $0.limits.closePause = .zero
        } body: { rig in
            for _ in 0..<50 {
                let socket = try rig.socket()
                socket.send("GET / HTTP/9.9\r\n\r\n")
                #expect(try await socket.rest().hasPrefix("HTTP/1.1 400"))
            }
        }
    }

    @Test(arguments: ["HTTP/1.0\r\n", "HTTP/1.1\r\nConnection: Close\r\n"])
    func whoKeepsNoConnectionIsAnsweredOnce(line: String) async throws {
        try await HTTPRig.serving { rig in
            let socket = try rig.socket()
            for _ in 0..<2 { socket.send("GET /v1/me \(line)Host: localhost\r\n\r\n") }
            let (status, answer) = try Self.problem(try await socket.rest())
            #expect(status == 200)
            #expect(try answer.object()["name"] is String)
        }
    }

    @Test(arguments: [
        "Content-Length: 50\r\n\r\n{\"te", "Transfer-Encoding: chunked\r\n\r\n4\r\n{\"te\r\n",
        "Content-Length: 50\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n9",
    ])
    func halfABodyIsNotWhole(rest: String) async throws {
        try await HTTPRig.serving { rig in
            let socket = try rig.socket()
            let lines = "POST /v1/posts HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            socket.send("\(lines)Authorization: Bearer \(Sample.token.text)\r\n\(rest)")
            socket.endInput()
            let (status, answer) = try Self.problem(try await socket.rest())
            #expect(status == 400 && answer.headers["content-type"] == "application/problem+json")
            #expect(await rig.node.requests.isEmpty)
        }
    }

    @Test(arguments: [
        ("POST", "/v1/posts", #"{"text":"x","lat":1,"lon":1,"expires":"1d"}"#, "expires"),
        ("PATCH", "/v1/people/me", #"{"colour":null}"#, "colour"),
        ("PUT", "/v1/here", #"{"lat":1,"lon":1,"alt":3}"#, "alt"),
        ("PUT", "/v1/rooms/park/pins", #"{"line":"7"}"#, "line"),
        ("POST", "/v1/urgent/dismissed", #"{"record":"7"}"#, "record"),
        ("PUT", "/v1/notifications/switches", #"{"kinds":["likes"],"on":true}"#, "kinds"),
        ("PUT", "/v1/unread", "{}", "room"), ("PUT", "/v1/unread", ##"{"room":"#park","peer":"bob"}"##, "room"),
        ("PUT", "/v1/unread", #"{"peer":"bob","up_to":"12"}"#, "up_to"),
    ])
    func whatIsMistypedIsNotPassedOver(method: String, path: String, body: String, field: String) async throws {
        try await HTTPRig.serving { rig in
            let answer = try await rig.own(method, path, body: body)
            #expect(answer.status == 422, "\(answer.text)")
            let errors = try answer.object()["errors"] as? [[String: String]]
            #expect(errors?.map { $0["field"] } == [field])
            #expect(errors?.first?["reason"]?.hasPrefix("\(field) ") == true)
            #expect(await rig.node.requests.isEmpty)
        }
    }

    @Test(arguments: [
        "rooms/park/messages?before=", "rooms/park/messages?limit=", "posts/near?lat=&lon=1",
        "posts/near?lat=1&lon=1&radius=",
        "people?after=", "search?words=&lat=1&lon=1",
    ])
    func anEmptyValueIsNoValue(target: String) async throws {
        try await HTTPRig.serving { rig in
            let answer = try await rig.ask("GET", "/v1/\(target)")
            #expect(answer.status == 422)
        }
    }

    @Test(arguments: ["lat=0x10&lon=1", "lat=1&lon=1&radius=0x7d0", "lat=inf&lon=1"])
    func onlyDecimalNumbersAreNumbers(query: String) async throws {
        try await HTTPRig.serving { rig in
            let answer = try await rig.ask("GET", "/v1/posts/near?\(query)")
            #expect(answer.status == 422)
        }
    }

    @Test func aCodingThatIsNotUnderstoodIsSaidToBe() async throws {
        try await HTTPRig.serving { rig in
            let socket = try rig.socket()
            socket.send(
                "POST /v1/posts HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n"
                    + "Content-Type: application/json\r\n\r\n2\r\n{}\r\n0\r\n\r\n")
            #expect(try await socket.answer().status == 501)
        }
    }

    @Test func whatCanBeDoneIsTold() async throws {
        try await HTTPRig.serving { rig in
            for (target, allow) in [
                ("/v1/posts", "OPTIONS, POST"), ("/v1/me", "GET, HEAD, OPTIONS"), ("/", "GET, HEAD, OPTIONS"),
                ("/v1/items/ab", "DELETE, GET, HEAD, OPTIONS, PATCH"), ("/v1/events/nearests", "GET, HEAD, OPTIONS"),
                ("/v1/events/ab", "GET, HEAD, OPTIONS, PATCH"), ("/v1/people/me", "GET, HEAD, OPTIONS, PATCH"),
                ("*", "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT"),
            ] {
                let options = try await rig.ask("OPTIONS", target)
                #expect(options.status == 204 && options.body.isEmpty, "\(target)")
                #expect(options.headers["allow"] == allow, "\(target)")
                for method in ["TRACE", "PROPFIND"] {
                    let answer = try await rig.ask(method, target)
                    #expect(answer.status == 405 && answer.headers["allow"] == allow, "\(method) \(target)")
                    #expect(answer.headers["content-type"] == "application/problem+json")
                }
            }
            #expect(try await rig.ask("OPTIONS", "/v1/nothing").status == 404)
            #expect(try await rig.ask("OPTIONS", "/v1/me", headers: ["Host": "evil.example"]).status == 421)
            // A page of another address learns nothing by asking whether it may ask.
            let preflight = try await rig.ask(
                "OPTIONS", "/v1/posts", headers: ["Origin": "http://evil.example", "Sec-Fetch-Site": "cross-site"])
            #expect(preflight.status == 403 && preflight.headers["access-control-allow-origin"] == nil)
        }
    }

    /// The target counts and not the header (RFC 9112, section 3.2.2).
    @Test func aWholeAddressAsTargetNamesThisServer() async throws {
        try await HTTPRig.serving { rig in
            let own = "127.0.0.1:\(rig.port)"
            for host in [own, "evil.example"] {
                for target in ["http://\(own)/v1/rooms", "HTTP://localhost/v1/rooms?limit=5"] {
                    let answer = try await rig.ask("GET", target, headers: ["Host": host])
                    #expect(answer.status == 200, "\(target) \(host)")
                }
                for target in [
                    "http://evil.example/v1/rooms", "http://evil.example:\(rig.port)/",
                    "http://\(own)@evil.example/v1/me",
                    "http://evil.example@\(own)/v1/me", "https://\(own)/v1/rooms", "http:///v1/rooms", "ftp:/v1/rooms",
                    "http://evil.example?/v1/rooms",
                ] {
                    let answer = try await rig.ask("GET", target, headers: ["Host": host])
                    #expect([400, 421].contains(answer.status), "\(target) \(host)")
                }
            }
            #expect(try await rig.ask("GET", "v1/rooms").status == 400)
        }
    }

    // MARK: - Expect

    private static func expecting(_ lines: String, length: Int = 29) -> String {
        "POST /v1/posts HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: \(length)\r\n"
            + "\(lines)\r\n\r\n"
    }

    @Test func whoAsksWhetherToSendIsToldYes() async throws {
        try await HTTPRig.serving { rig in
            let socket = try rig.socket()
            for _ in 0..<2 {
                socket.send(
                    Self.expecting("Expect: 100-Continue\r\nAuthorization: Bearer \(Sample.token.text)"))
                #expect(try await socket.hears("\r\n\r\n").hasPrefix("HTTP/1.1 100 Continue\r\n"))
                socket.send(#"{"text":"hi","lat":1,"lon":2}"#)
                #expect(try await socket.answer().status == 201)
            }
        }
    }

    @Test(arguments: [
        ("Expect: 100-continue", 29, 401), ("Expect: 100-continue\r\nOrigin: http://evil.example", 29, 403),
        ("Expect: 100-continue", 70_000, 413), ("Expect: tea", 29, 417),
    ])
    func whoAsksWhetherToSendIsToldNo(lines: String, length: Int, status: Int) async throws {
        try await HTTPRig.serving { rig in
            let socket = try rig.socket()
            socket.send(Self.expecting(lines, length: length))
            let (told, answer) = try Self.problem(try await socket.rest())
            #expect(told == status && answer.headers["connection"] == "close")
            #expect(answer.headers["content-type"] == "application/problem+json")
        }
    }
}
