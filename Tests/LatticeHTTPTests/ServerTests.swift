import LatticeAPI
import LatticeCore
import LatticeGeo
import Testing

@testable import LatticeHTTP

/// Real sockets, and a node that says what it was asked.
@Suite(.timeLimit(.minutes(5))) struct ServerTests {
    @Test func thePageComesWithItsHeaders() async throws {
        try await HTTPRig.serving { rig in
            let page = try await rig.ask("GET", "/")
            #expect(page.status == 200)
            #expect(page.headers["content-type"] == "text/html; charset=utf-8")
            let policy = try #require(page.headers["content-security-policy"])
            #expect(policy.hasPrefix("default-src 'none'; script-src 'self'"))
            // Pictures are read with the token in a header and then shown.
            #expect(policy.contains("; img-src 'self' blob:; connect-src 'self';"))
            #expect(page.headers["x-content-type-options"] == "nosniff")
            #expect(page.headers["cache-control"] == "no-cache")
            #expect(page.headers["access-control-allow-origin"] == nil)
            #expect(page.text.contains("<html"))
            let tag = try #require(page.headers["etag"])
            let again = try await rig.ask("GET", "/", headers: ["If-None-Match": tag])
            #expect(again.status == 304 && again.body.isEmpty)
            let head = try await rig.ask("HEAD", "/")
            #expect(head.status == 200 && head.headers["content-length"] == "\(page.body.count)")
            for path in ["/etc/passwd", "/../etc/passwd", "/page/../index.html", "/%2e%2e/x", "/index"] {
                #expect(try await rig.ask("GET", path).status == 404)
            }
        }
    }

    /// Only a program that was built with `LATTICE_PAGE=small` carries files as gzip has them, as that of `tools/test` is.
    @Test func thePageComesAsGzipHasItToClientsThatTakeThat() async throws {
        let file = try #require(PageFile.all["index.html"])
        try await HTTPRig.serving { rig in
            let plain = try await rig.ask("GET", "/")
            #expect(plain.headers["content-encoding"] == nil && plain.body == Array(file.bytes))
            let small = try await rig.ask("GET", "/", headers: ["Accept-Encoding": "br, gzip"])
            guard let gzipped = file.gzipped else {
                #expect(PageFile.all["page/page.css"] == nil)
                #expect(small.body == plain.body && small.headers["vary"] == nil)
                return
            }
            #expect(small.headers["content-encoding"] == "gzip" && small.body == Array(gzipped))
            // Magic number, and the length of what is inside (RFC 1952, section 2.3).
            #expect(small.body.prefix(3) == [0x1F, 0x8B, 8])
            let length = small.body.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            #expect(length == plain.body.count && small.body.count < length)
            #expect(small.headers["vary"] == "accept-encoding" && plain.headers["vary"] == "accept-encoding")
            #expect(small.headers["etag"] != plain.headers["etag"])
        }
    }

    @Test(arguments: [
        (nil, false), ("", false), ("br", false), ("gzip", true), ("GZIP;q=0.5", true), ("deflate, gzip; q=1", true),
        ("gzip;q=0", false), ("*", true), ("*;q=0", false), ("gzip;q=0, *", false), ("gzip;q=x", false),
        (",;,", false),
    ])
    func aClientSaysWhetherItTakesGzip(accepted: String?, takes: Bool) {
        #expect(PageRoutes.takesGzip(accepted) == takes)
    }

    @Test func whoHasNoTokenReadsWhatIsPublicAndNoMore() async throws {
        try await HTTPRig.serving { rig in
            let me = try await rig.ask("GET", "/v1/me").object()
            #expect(me["writable"] as? Bool == false)
            #expect(me["rooms"] as? [String] == ["#park"])
            #expect(me["private_rooms"] == nil)
            let rooms = try await rig.ask("GET", "/v1/rooms").text
            #expect(rooms.contains("#park") && !rooms.contains("#secret"))
            #expect(!rooms.contains("unread") && !rooms.contains("last"))
            let own = try await rig.own("GET", "/v1/rooms").object()
            let park = try #require((own["items"] as? [[String: Any]])?.first { $0["name"] as? String == "#park" })
            #expect(park["unread"] as? Int == 3 && park["mentions"] as? Int == 1 && park["muted"] as? Bool == true)
            #expect((park["last"] as? [String: Any])?["id"] as? String == Sample.message().record.hex)
            // That there is such a room is private, too: it is as one in which nobody ever said a word.
            let secret = try await rig.ask("GET", "/v1/rooms/secret/messages")
            #expect(secret.status == 200 && secret.text == #"{"items":[],"more":false}"#)
            // A line of a private room in a room that is public by now.
            #expect(try await rig.ask("GET", "/v1/rooms/park/messages").text.contains("psst") == false)
            // What can be read without a place depends on where this person is: it would tell.
            let item = "/v1/items/\(Sample.post.id.hex)"
            let hidden = [
                "/v1/here", "/v1/timeline", "/v1/notifications", "/v1/posts/near", item, "/v1/search?words=hello",
            ]
            for path in hidden { #expect(try await rig.ask("GET", path).status == 401, "\(path)") }
            #expect(try await rig.ask("GET", "\(item)?lat=40.7&lon=-74").status == 200)
            #expect(try await rig.ask("GET", "/v1/search?words=hello&lat=40.7&lon=-74").status == 200)
            #expect(try await rig.ask("GET", "/v1/posts/near?lat=40.7&lon=-74").status == 200)
        }
    }

    @Test func nothingIsChangedWithoutTheToken() async throws {
        try await HTTPRig.serving { rig in
            for route in Router.routes where !route.method.isSafe && [.owner, .person].contains(route.access) {
                let path = route.pattern.replacing("{id}", with: "abcd").replacing("{name}", with: "park")
                    .replacing("{emoji}", with: "x")
                let answer = try await rig.ask(route.method.rawValue, path, body: "{}")
                #expect(answer.status == 401, "\(route.method) \(path)")
                #expect(answer.headers["www-authenticate"]?.hasPrefix("Bearer") == true)
            }
            #expect(await rig.node.requests.isEmpty)
        }
    }

    @Test func fromElsewhereOnlyThePageComesWithoutTheToken() async throws {
        let settings = HTTPRig.settings()
        let node = FakeNode()
        let router = Router(
            desk: HTTPDesk(
                node: node, settings: settings, gate: Gatekeeper(host: "0.0.0.0", token: Sample.token, machine: nil),
                hub: StreamHub(settings.limits, boot: "b"), users: EventDesk(settings), visitors: nil))
        for route in Router.routes where route.about.isTold {
            let path = route.pattern.replacing("{", with: "").replacing("}", with: "")
            let call = try HTTPCall(route.method, target: path, headers: ["host": "10.0.0.1"])
            let status =
                switch (route.method, path) {
                // Humon answers a wrong secret so.
                case (_, "/v1/users"): 404
                case (.get, "/v1/visit"): 200
                case (.delete, "/v1/visit"): 204
                case (_, "/v1/visit"), (_, "/v1/visit/name"), (_, "/v1/visit/return"),
                    (_, "/v1/visit/import"):
                    403
                default: 401
                }
            #expect(await router.reply(to: call).status == status, "\(path)")
        }
        #expect(await node.requests.isEmpty)
        let page = await router.reply(to: try HTTPCall(.get, target: "/", headers: ["host": "10.0.0.1"]))
        #expect(page.status == 200)
    }

    @Test func whatTheNodeRefusesIsAProblemThatSaysWhatToDo() async throws {
        try await HTTPRig.serving { rig in
            await rig.node.refuse(
                .invalid(faults: [.tooManyCharacters(text: .text, count: 141, max: 140)]))
            let answer = try await rig.own("POST", "/v1/posts", body: #"{"text":"x"}"#)
            #expect(answer.status == 422)
            #expect(answer.headers["content-type"] == "application/problem+json")
            let problem = try answer.object()
            #expect(problem["detail"] as? String == "A text can have at most 140 characters; this one has 141.")
            #expect(problem["code"] as? String == "invalid")
            #expect((problem["errors"] as? [[String: String]])?.first?["field"] == "text")
        }
    }

    @Test func aBodyThatIsWrongIsToldByField() async throws {
        try await HTTPRig.serving { rig in
            for (body, field) in [
                (#"{"text":5}"#, "text"), ("{}", "text"), (#"{"text":"a","lat":"x"}"#, "lat"),
                (#"{"text":"a","lat":1}"#, "lon"), (#"{"text":"a","lon":1}"#, "lat"),
                (#"{"text":"a","lat":91,"lon":0}"#, "lat"), (#"{"text":"a","lat":0,"lon":-181}"#, "lon"),
                (#"{"text":"a","blur":2.5}"#, "blur"), (#"{"text":"a","blur":1e20}"#, "blur"),
                (#"{"text":"a","blur":"6"}"#, "blur"),
                (#"{"text":"a","lifetime_seconds":5}"#, "lifetime_seconds"), ("[]", "body"), ("5", "body"),
            ] {
                let answer = try await rig.own("POST", "/v1/posts", body: body)
                #expect(answer.status == 422, "\(body)")
                #expect(answer.text.contains("\"field\":\"\(field)\""), "\(body): \(answer.text)")
            }
            #expect(try await rig.own("POST", "/v1/posts", body: "{").status == 400)
            #expect(try await rig.own("POST", "/v1/posts", body: "\u{1}").status == 400)
            let form = try await rig.ask(
                "POST", "/v1/posts", token: Sample.token.text,
                headers: ["Content-Type": "application/x-www-form-urlencoded"], body: "text=hi")
            #expect(form.status == 415)
            let deep = String(repeating: "[", count: 60_000)
            #expect(try await rig.own("POST", "/v1/posts", body: deep).status == 400)
        }
    }

    @Test func whoeverSaysALineIsToldThatItIsNotKept() async throws {
        try await HTTPRig.serving { rig in
            let way = "/v1/rooms/lobby/messages"
            let kept = try await rig.own("POST", way, body: #"{"text":"hi"}"#)
            #expect(kept.status == 201 && !kept.text.contains("unkept"))
            await rig.node.keepNothing(.quotaFull)
            let lost = try await rig.own("POST", way, body: #"{"text":"hi"}"#)
            #expect(
                lost.status == 201 && lost.text.contains(#""waiting":true,"unkept":"the storage quota is used up""#))
        }
    }

    @Test func whatStandsThereReachesTheNode() async throws {
        try await HTTPRig.serving { rig in
            _ = try await rig.own(
                "POST", "/v1/posts", body: #"{"text":"hi","lat":40.7128,"lon":-74.006,"place_name":"p","blur":6}"#)
            _ = try await rig.own("GET", "/v1/posts/near?lat=40.7128&lon=-74.006&radius=250&limit=5&after=m%201,5")
            _ = try await rig.own(
                "GET", "/v1/events/near?lat=1&lon=2&within=900&from_lat=40.7128&from_lon=-74.006&radius=250")
            _ = try await rig.own("PUT", "/v1/rooms/secret", body: nil)
            _ = try await rig.own("POST", "/v1/rooms/secret/messages", body: #"{"text":"psst","style":"acts"}"#)
            let post = NewPost(text: "hi", at: Sample.place, placeName: "p", blur: 6)
            let near = NearQuery(
                .posts, centre: Sample.place, radius: 250, page: PageRequest(limit: 5, after: PageCursor("m 1,5")))
            let region = NearQuery(
                .events, centre: Coordinate(latitude: 1, longitude: 2), reader: Sample.place, radius: 250, within: 900)
            let secret = Sample.room("#secret")
            let usual: [AnyHashable] = [ShowMe(), ListPeers()]
            let asked = await rig.node.requests.filter { !usual.contains($0) }
            #expect(
                asked == [
                    post, near, region, EnterPrivateRoom(secret, key: nil),
                    Say("psst", style: .acts, room: secret, audience: .members),
                ])
        }
    }

    @Test func anotherNameIsOneInRoomsAndInTheProfile() async throws {
        try await HTTPRig.serving { rig in
            let wrong = try await rig.own("PATCH", "/v1/people/me", body: ##"{"name":"","colour":"#1e90ff"}"##)
            #expect(wrong.status == 422 && wrong.text.contains("\"field\":\"name\""))
            #expect(try await rig.own("PATCH", "/v1/people/me", body: #"{"colour":"red"}"#).status == 422)
            #expect(await rig.node.requests.isEmpty)
            #expect(try await rig.own("PATCH", "/v1/people/me", body: #"{"name":"al","about":"x"}"#).status == 200)
            let change = ProfileChange(name: Sample.name("al"), about: "x")
            #expect(await rig.node.requests == [change, Rename(Sample.name("al"))])
        }
    }

    @Test func aPlaceThatIsMissingIsToldAsThisAPINamesIt() async throws {
        try await HTTPRig.serving { rig in
            let missing = RequestError.invalid(faults: [.noPlace])
            let both = RequestError.invalid(faults: [.empty(text: .text), .noPlace])
            for (refusal, code, fields) in [
                (missing, "placeNeeded", ["lat", "lon"]), (both, "invalid", ["text", "lat", "lon"]),
                (RequestError.placeNeeded, "placeNeeded", ["lat", "lon"]),
            ] {
                await rig.node.refuse(refusal)
                let answer = try await rig.own("POST", "/v1/posts", body: #"{"text":"x"}"#)
                let problem = try answer.object()
                #expect(answer.status == 422 && problem["code"] as? String == code)
                #expect((problem["errors"] as? [[String: String]])?.compactMap { $0["field"] } == fields)
                #expect(!answer.text.contains("--at") && !answer.text.contains("lattice"))
            }
            let here = try await rig.own("PUT", "/v1/here", body: "{}")
            #expect(here.status == 422 && here.text.contains("\"field\":\"lat\""))
        }
    }

    // MARK: - The place of the owner

    @Test(
        arguments: [(.absent, "noReceiver"), (.noFix, "noFix"), (nil, "noReceiver")] as [(ReceiverFault?, String)])
    func aReceiverThatTellsNothingIsUnavailable(fault: ReceiverFault?, code: String) async throws {
        try await HTTPRig.serving { settings in
            if let fault { settings.receiver = { () async throws(ReceiverFault) in throw fault } }
        } body: { rig in
            let answer = try await rig.own("POST", "/v1/here/gpsd")
            #expect(answer.status == 503)
            #expect(try answer.object()["code"] as? String == code)
            #expect(await rig.node.requests.isEmpty)
        }
    }

    @Test func readingTheReceiverMovesNobody() async throws {
        try await HTTPRig.serving { settings in
            settings.receiver = { () async throws(ReceiverFault) in Sample.place }
        } body: { rig in
            let read = try await rig.own("POST", "/v1/here/gpsd")
            #expect(read.text == #"{"lat":40.7128,"lon":-74.006}"#)
            #expect(try await rig.own("GET", "/v1/here").text == "{}")
        }
    }

    // MARK: - Names and paths

    @Test func whoHasNoProfileHasANameAllTheSame() async throws {
        try await HTTPRig.serving { rig in
            await rig.node.forgetNames()
            let people = try #require(try await rig.ask("GET", "/v1/people").object()["items"] as? [[String: Any]])
            #expect(people.map { $0["name"] as? String } == ["bob", "carol"])
            #expect(try await rig.ask("GET", "/v1/people/me").object()["name"] as? String == "alice")
        }
    }

    /// As far as it is known: from the neighbour that leads there.
    @Test func everyPeerHangsOnTheNextOneThatIsKnown() async throws {
        try await HTTPRig.serving { rig in
            await rig.node.meet(
                PeerInfo(
                    id: Sample.peer(5), prefix: nil, name: "dave", state: .notConnected, hops: 4, via: Sample.peer(2),
                    isHere: true))
            let graph = try await rig.ask("GET", "/v1/graph").object()
            let links = try #require(graph["links"] as? [[String: Any]])
            let told = links.map { link in
                let ends = ["a", "b"].map { (link[$0] as? String ?? "").suffix(1) }
                return "\(ends.joined()) \(link["hops"] as? Int ?? 0)"
            }
            #expect(told == ["12 1", "23 1", "25 3"])
        }
    }

    /// Sample: guest visits bob.
    @Test func visitorsBelongToTheirMachine() async throws {
        let host = FakeHost()
        try await HTTPRig.serving { settings in
            settings.visitors = VisitorSettings(host: host, date: { WallTime(milliseconds: 1_800_000_000_000) })
        } body: { rig in
            func machines(_ cookie: String? = nil) async throws -> [String] {
                let graph = try await rig.ask("GET", "/v1/graph", headers: cookie.map { ["Cookie": $0] } ?? [:])
                    .object()
                return try #require(graph["nodes"] as? [[String: Any]]).map { node in
                    let people = (node["people"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
                    let me = node["me"] as? Bool == true ? "*" : ""
                    return "\(node["name"] as? String ?? "")\(me): \(people.joined(separator: " "))"
                }
            }
            let lost = PeerInfo(
                id: Sample.peer(6), prefix: nil, name: "lost", state: .notConnected, isHere: true, host: Sample.peer(7))
            // They took their key along and have a node of their own now.
            let moved = PeerInfo(
                id: Sample.peer(8), prefix: nil, name: "moved", state: .connected, hops: 1, isHere: true,
                host: Sample.peer(2))
            for peer in [lost, moved] { await rig.node.meet(peer) }
            #expect(try await machines() == ["alice*: ", "bob: guest", "carol: ", "moved: "])
            let arrival = try await rig.ask("POST", "/v1/visit", body: #"{"name":"Jonna"}"#)
            let cookie = String(try #require(arrival.headers["set-cookie"]).prefix { $0 != ";" })
            // A visitor sees the owner at 0 hops, and others of the same node with it as their host.
            let jonna = try #require(host.visitor("Jonna"))
            for peer in [
                PeerInfo(id: Sample.peer(1), prefix: nil, name: "alice", state: .notConnected, hops: 0, isHere: true),
                PeerInfo(
                    id: Sample.peer(9), prefix: nil, name: "Tomasz", state: .notConnected, hops: 0, isHere: true,
                    host: Sample.peer(1)),
            ] { await jonna.node.meet(peer) }
            #expect(try await machines(cookie) == ["alice*: Jonna Tomasz", "bob: guest", "carol: "])
        }
    }

    // MARK: - Lists

    @Test func peopleAndRoomsComeInParts() async throws {
        try await HTTPRig.serving { rig in
            for path in ["/v1/people", "/v1/rooms"] {
                let all = try #require(try await rig.own("GET", path).object()["items"] as? [[String: Any]])
                #expect(all.count > 1)
                let name = path == "/v1/rooms" ? "name" : "id"
                var (parts, after) = ([String](), "")
                while parts.count < all.count {
                    let part = try await rig.own("GET", "\(path)?limit=1\(after)").object()
                    let items = try #require(part["items"] as? [[String: Any]])
                    #expect(items.count == 1)
                    parts += items.compactMap { $0[name] as? String }
                    let next = part["next"] as? String
                    #expect((next == nil) == (parts.count == all.count))
                    after = "&after=\(PercentText.encoded(next ?? ""))"
                }
                #expect(parts == all.compactMap { $0[name] as? String })
                for query in ["limit=0", "limit=101", "limit=x", "after=nobody"] {
                    let answer = try await rig.own("GET", "\(path)?\(query)")
                    let field = query.prefix { $0 != "=" }
                    #expect(answer.status == 422 && answer.text.contains("\"field\":\"\(field)\""), "\(query)")
                }
            }
        }
    }

    @Test func aRoomTellsAHundredLinesAtOnce() async throws {
        try await HTTPRig.serving { rig in
            #expect(try await rig.ask("GET", "/v1/rooms/park/messages?limit=100").status == 200)
            for limit in ["0", "101", "500", "x"] {
                let answer = try await rig.ask("GET", "/v1/rooms/park/messages?limit=\(limit)")
                #expect(answer.status == 422 && answer.text.contains("\"field\":\"limit\""), "\(limit)")
            }
        }
    }

    @Test func aListComesAsGeoJSONWhereThatIsWanted() async throws {
        try await HTTPRig.serving { rig in
            let answer = try await rig.ask(
                "GET", "/v1/posts/near?lat=40.7&lon=-74", headers: ["Accept": "application/geo+json"])
            #expect(answer.headers["content-type"] == "application/geo+json")
            #expect(answer.headers["vary"] == "Accept")
            let features = try #require(try answer.object()["features"] as? [[String: Any]])
            let photo = try #require((features[0]["properties"] as? [String: Any])?["photo"] as? [String: Any])
            #expect(photo["width"] as? Int == 560 && photo["height"] as? Int == 420)
            #expect(photo["alt"] as? String == "a <b>bridge</b>")
            #expect(answer.text.contains(#""geometry":{"type":"Point","coordinates":[-74.006,40.7128]}"#))
            let unwanted = try await rig.ask(
                "GET", "/v1/posts/near?lat=40.7&lon=-74", headers: ["Accept": "application/geo+json;q=0"])
            #expect(unwanted.status == 200 && unwanted.headers["content-type"] == "application/json")
            // Two lines of one name are one list.
            let socket = try rig.socket()
            socket.send(
                "GET /v1/posts/near?lat=40.7&lon=-74 HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n"
                    + "Accept: application/geo+json\r\n\r\n")
            #expect(try await socket.answer().headers["content-type"] == "application/geo+json")
        }
    }

    @Test func whatIsWrongInARequestIsRefused() async throws {
        try await HTTPRig.serving { rig in
            #expect(try await rig.ask("GET", "/v1/nothing").status == 404)
            let method = try await rig.ask("PUT", "/v1/me")
            #expect(method.status == 405 && method.headers["allow"] == "GET, HEAD, OPTIONS")
            #expect(try await rig.ask("GET", "/v1/me", headers: ["Host": "evil.example"]).status == 421)
            for query in ["lat=1", "lat=x&lon=1", "lat=91&lon=0", "lat=1&lon=1&radius=0", "lat=1&lon=1&limit=101"]
                + ["lat=1&lon=1&from_lat=1", "lat=1&lon=1&within=0"]
            {
                #expect(try await rig.ask("GET", "/v1/posts/near?\(query)").status == 422, "\(query)")
            }
        }
    }

    // MARK: - Strangers

    @Test func whatIsTooLongEndsTheConnection() async throws {
        try await HTTPRig.serving { rig in
            let long = try await rig.own("POST", "/v1/posts", body: String(repeating: "x", count: 65_537))
            #expect(long.status == 413)
            let socket = try rig.socket()
            socket.send("POST /v1/posts HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = "4000\r\n" + String(repeating: "x", count: 0x4000) + "\r\n"
            for _ in 0..<64 where socket.send(chunk) {}
            #expect(try await socket.answer().status == 413)
            _ = try await socket.rest()
        }
    }

    @Test func whoAsksTooMuchWaits() async throws {
        try await HTTPRig.serving { settings in
            settings.stopClock()
            settings.limits.connectionRequests = TokenBucket.Rate(perSecond: 1, burst: 3)
            settings.limits.writes = TokenBucket.Rate(perSecond: 1, burst: 2)
        } body: { rig in
            let socket = try rig.socket()
            var statuses: [Int] = []
            for _ in 0..<4 {
                socket.send("GET /v1/me HTTP/1.1\r\nHost: localhost\r\n\r\n")
                statuses.append(try await socket.answer().status)
            }
            #expect(statuses == [200, 200, 200, 429])
            #expect(try await rig.own("POST", "/v1/sync").status == 202)
            #expect(try await rig.own("POST", "/v1/sync").status == 202)
            let third = try await rig.own("POST", "/v1/sync")
            #expect(third.status == 429 && third.headers["retry-after"] == "1")
        }
    }

    /// All of it may be there before anybody looks.
    @Test func whoHasSaidAllAtOnceIsAnswered() async throws {
        try await HTTPRig.serving { rig in
            for _ in 0..<50 {
                let socket = try rig.socket()
                socket.send("GET /v1/me HTTP/1.1\r\nHost: localhost\r\n\r\n")
                socket.endInput()
                #expect(try await socket.rest().hasPrefix("HTTP/1.1 200 OK\r\n"))
            }
        }
    }

    @Test func requestsThatComeTogetherAreAnsweredInOrder() async throws {
        try await HTTPRig.serving { rig in
            let socket = try rig.socket()
            let paths = ["/v1/me", "/v1/nothing", "/v1/peers", "/"]
            socket.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: localhost\r\n\r\n" }.joined())
            var statuses: [Int] = []
            for _ in paths { statuses.append(try await socket.answer().status) }
            #expect(statuses == [200, 404, 200, 200])
        }
    }
}
