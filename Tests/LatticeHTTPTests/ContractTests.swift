import Foundation
import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeHTTP

/// The OpenAPI document says what is so: every route stands in it, and what the server answers fits what stands there.
@Suite(.timeLimit(.minutes(5))) struct ContractTests {
    /// What has to be said for a route to answer well: path, body and headers.
    private struct Try {
        var path: String
        var body: String?
        var headers: [String: String] = [:]
    }

    private static func trial(of route: Route) -> Try {
        let event = route.pattern.contains("/events/")
        let person = route.pattern.contains("/people/")
        let line = route.pattern.contains("/lines/")
        let file = route.pattern.contains("/files/")
        let id =
            file
            ? Sample.file.id.hex
            : event
                ? Sample.event.id.hex : person ? Sample.peer(2).hex : line ? Sample.record(7).hex : Sample.post.id.hex
        var trial = Try(path: route.pattern.replacing("{id}", with: id).replacing("{name}", with: "park"))
        trial.path = trial.path.replacing("{map}", with: "camp.mbtiles")
        trial.path = trial.path.replacing("{number}", with: "3")
        trial.path = trial.path.replacing("{upload}", with: Sample.upload.hex)
        trial.path = trial.path.replacing("{emoji}", with: PercentText.encoded("👍"))
        trial.path = trial.path.replacing("{zoom}/{column}/{row}", with: "1/0/1")
        let place = "lat=40.7&lon=-74"
        switch (route.method, route.pattern) {
        case (.get, "/v1/search/lines"): trial.path += "?words=hello&room=park"
        case (.get, "/v1/places"): trial.path += "?\(place)"
        case (.get, "/v1/places/named"): trial.path += "?name=Kitchen"
        case (.post, "/v1/places"): trial.body = #"{"name":"Kitchen","lat":1,"lon":2,"kind":"kitchen"}"#
        case (.post, "/v1/drafts"): trial.body = #"{"text":"hi","lat":1,"lon":2,"unlock_metres":50}"#
        case (.patch, "/v1/drafts/{number}"): trial.body = #"{"text":"hi"}"#
        case (.post, "/v1/drafts/publish"): trial.body = #"{"numbers":[3,4]}"#
        case (.patch, "/v1/places/{id}"): trial.body = #"{"hours":"8 to 22"}"#
        case (.get, "/v1/search"): trial.path += "?words=hello&\(place)"
        case (.get, "/v1/posts/near"), (.get, "/v1/events/near"), (.get, "/v1/events/nearests"), (.get, "/feed.atom"):
            trial.path += "?\(place)"
        case (.post, "/v1/files"):
            trial.path += "?name=map.pdf&room=lobby"
            trial.body = "a map"
        case (.post, "/v1/maps"): trial.body = #"{"file":"\#(Sample.file.id.hex)"}"#
        case (.post, "/v1/uploads"): trial.body = "a picture"
        case (.post, "/v1/visit"): trial.body = #"{"name":"Jonna"}"#
        case (.get, "/v1/visit/name"): trial.path += "?name=Jonna"
        case (.put, "/v1/visit/password"): trial.body = #"{"password":"open sesame"}"#
        case (.post, "/v1/visit/import"): trial.body = #"{"name":"Kim","key":"key 9","passphrase":"open sesame"}"#
        case (.post, "/v1/visit/key"): trial.body = #"{"passphrase":"open sesame"}"#
        case (.post, "/v1/visit/return"): trial.body = #"{"code":"CODE"}"#
        case (.post, "/v1/rooms"): trial.body = #"{"name":"camp"}"#
        case (.post, "/v1/rooms/{name}/invitations"): trial.body = #"{"person":"bob"}"#
        case (.post, "/v1/people/{id}/messages"): trial.body = #"{"text":"hi"}"#
        case (.post, "/v1/posts"): trial.body = #"{"text":"hi","lat":1,"lon":2}"#
        case (.post, "/v1/items/{id}/comments"), (.patch, "/v1/items/{id}"), (.post, "/v1/rooms/{name}/messages"),
            (.patch, "/v1/lines/{id}"):
            trial.body = #"{"text":"hi"}"#
        case (.patch, "/v1/people/me"): trial.body = ##"{"name":"al","about":"x","colour":"#1e90ff"}"##
        case (.post, "/v1/follows"): trial.body = #"{"since":"2026-12-01T00:00:00Z"}"#
        case (.put, "/v1/away"): trial.body = #"{"text":"at lunch"}"#
        case (.put, "/v1/bridge"): trial.body = ##"{"allows":true,"rooms":["#park"]}"##
        case (.put, "/v1/mesh"):
            trial.body =
                #"{"name":"Camp","area":{"lat":1,"lon":2,"metres":500},"radius_choices":[100],"pins":["Kitchen"]}"#
        case (.put, "/v1/rooms/{name}/pins"): trial.body = #"{"text":"meet at the gate"}"#
        case (.post, "/v1/urgent/dismissed"): trial.body = "{}"
        case (.put, "/v1/notifications/switches"): trial.body = #"{"kinds":["like"],"on":false}"#
        case (.put, "/v1/unread"): trial.body = ##"{"room":"#park"}"##
        case (.put, "/v1/here"): trial.body = #"{"lat":1,"lon":2}"#
        case (.post, "/v1/events"), (.patch, "/v1/events/{id}"):
            trial.body = #"{"event":{"lat":1,"lon":2,"name":"Party","started_at":"2026-12-01T10:00:00Z"}}"#
        case (.post, "/v1/attendances"): trial.body = #"{"event":{"id":"\#(Sample.event.id.hex)"}}"#
        default: break
        }
        return trial
    }

    /// Somebody comes, and their browser makes the request.
    private static func visit(_ rig: HTTPRig, _ trial: inout Try) async throws {
        let name = "visitor \(UUID().uuidString)"
        let arrival = try await rig.ask("POST", "/v1/visit", body: #"{"name":"\#(name)"}"#)
        let welcome = try arrival.object()
        let (you, code) = (welcome["you"] as? [String: Any], welcome["code"] as? String)
        trial.path = trial.path.replacing(Sample.post.id.hex, with: try #require(you?["id"] as? String))
        // Somebody who is here already does not come once more.
        if trial.path == "/v1/visit", trial.body != nil { return }
        trial.headers["Cookie"] = String(try #require(arrival.headers["set-cookie"]).prefix { $0 != ";" })
        trial.body = trial.body?.replacing("CODE", with: try #require(code))
    }

    private struct Map: TileSource {
        let facts: TileFacts? = TileFacts(zooms: 0...3, attribution: "© somebody")

        func tile(zoom: Int, column: Int, row: Int) throws -> Tile? { Tile([0x89, 0x50], type: "image/png") }
    }

    @Test func everyAnswerIsAsTheDocumentSays() async throws {
        try await HTTPRig.serving { settings in
            settings.baseMap = Map()
            settings.receiver = { () async throws(ReceiverFault) in Sample.place }
            settings.visitors = VisitorSettings(host: FakeHost(), date: { WallTime(milliseconds: 1_800_000_000_000) })
        } body: { rig in
            let document = try await rig.ask("GET", "/v1/openapi.json").object()
            #expect(document["openapi"] as? String == "3.1.0")
            let judge = SchemaJudge(document: document)
            let paths = try #require(document["paths"] as? [String: [String: Any]])
            let told = Router.routes.filter(\.about.isTold)
            #expect(paths.values.map(\.count).reduce(0, +) == told.count)
            #expect(Set(told.map(\.about.name)).count == told.count, "each route has a name of its own")
            for route in told {
                let place = "\(route.method.rawValue) \(route.pattern)"
                let operation = try #require(
                    paths[route.pattern]?[route.method.rawValue.lowercased()] as? [String: Any], "\(place)")
                if route.pattern == "/v1/stream" { continue }
                var trial = Self.trial(of: route)
                let isOfVisitors = route.pattern.hasPrefix("/v1/visit")
                if isOfVisitors { try await Self.visit(rig, &trial) }
                let hasToken = !isOfVisitors || route.access == .owner
                let answer = try await rig.ask(
                    route.method.rawValue, trial.path, token: hasToken ? Sample.token.text : nil,
                    headers: trial.headers, body: trial.body)
                let responses = try #require(operation["responses"] as? [String: Any])
                let response = try #require(
                    responses["\(answer.status)"] as? [String: Any], "\(place): \(answer.status) \(answer.text)")
                #expect((200..<300).contains(answer.status), "\(place)")
                try judge.check(answer, response, place)
            }
        }
    }

    /// What the document lets nobody do without the token, it lets no visitor do.
    @Test func aVisitorsCookieOpensNothingOfTheOwners() async throws {
        let host = FakeHost()
        try await HTTPRig.serving { settings in
            settings.visitors = VisitorSettings(host: host, date: { WallTime(milliseconds: 1_800_000_000_000) })
        } body: { rig in
            let document = try await rig.ask("GET", "/v1/openapi.json").object()
            let judge = SchemaJudge(document: document)
            let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
            let arrival = try await rig.ask("POST", "/v1/visit", body: #"{"name":"Jonna"}"#)
            let cookie = String(try #require(arrival.headers["set-cookie"]).prefix { $0 != ";" })
            let jonna = try #require(host.visitor("Jonna"))
            let before = await jonna.node.requests
            var names: Set<String> = []
            for (path, operations) in paths {
                for (method, operation) in operations {
                    let doors = try #require(operation["security"] as? [[String: Any]])
                    guard doors.map({ Array($0.keys) }) == [["token"]] else { continue }
                    let name = try #require(operation["operationId"] as? String)
                    names.insert(name)
                    let target = path.replacing(/\{\w+\}/, with: Sample.post.id.hex)
                    for (cookie, status, code) in [
                        (cookie, 403, "ownersOnly"), ("lattice-visitor=x", 401, "tokenNeeded"),
                    ] {
                        let answer = try await rig.ask(
                            method.uppercased(), target, headers: ["Cookie": cookie], body: method == "get" ? nil : "{}"
                        )
                        #expect(answer.status == status, "\(name)")
                        #expect(try answer.object()["code"] as? String == code, "\(name)")
                        let responses = try #require(operation["responses"] as? [String: [String: Any]])
                        try judge.check(answer, try #require(responses["default"]), name)
                    }
                }
            }
            #expect(names.isSuperset(of: ["visitors", "removeVisitor", "syncNow", "askReceiver"]), "\(names)")
            // None of these requests reached the node.
            #expect(await rig.node.requests.isEmpty)
            #expect(await jonna.node.requests == before)
        }
    }

    @Test func whatIsRefusedIsAsTheDocumentSays() async throws {
        try await HTTPRig.serving { rig in
            let document = try await rig.ask("GET", "/v1/openapi.json").object()
            let judge = SchemaJudge(document: document)
            let problem = ["$ref": "#/components/schemas/Problem"]
            for (method, path, token) in [
                ("GET", "/v1/here", false), ("GET", "/v1/none", false), ("PUT", "/v1/me", false),
                ("POST", "/v1/posts", true), ("GET", "/v1/items/ab", true), ("GET", "/v1/posts/near?lat=1", true),
            ] {
                let answer = try await rig.ask(
                    method, path, token: token ? Sample.token.text : nil, body: method == "POST" ? "{}" : nil)
                #expect(answer.headers["content-type"] == "application/problem+json")
                #expect(judge.faults(of: try answer.json(), as: problem).isEmpty, "\(path)")
                #expect(try answer.object()["status"] as? Int == answer.status)
            }
        }
    }

    @Test func theDocumentTellsEveryRouteThatRequestsAreLimited() async throws {
        try await HTTPRig.serving { settings in
            settings.stopClock()
            settings.limits.writes = TokenBucket.Rate(perSecond: 1, burst: 1)
        } body: { rig in
            let document = try await rig.ask("GET", "/v1/openapi.json").object()
            let judge = SchemaJudge(document: document)
            let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
            #expect(try await rig.own("POST", "/v1/sync").status == 202)
            for (path, operations) in paths {
                for (method, operation) in operations {
                    let place = "\(method) \(path)"
                    let responses = try #require(operation["responses"] as? [String: [String: Any]], "\(place)")
                    let refusal = try #require(responses["429"], "\(place)")
                    let headers = try #require(refusal["headers"] as? [String: [String: Any]])
                    #expect(headers["Retry-After"]?["required"] as? Bool == true, "\(place)")
                    guard method != "get" else { continue }
                    let answer = try await rig.ask(
                        method.uppercased(), path.filter { !"{}".contains($0) }, token: Sample.token.text, body: "{}")
                    #expect(answer.status == 429 && answer.headers["retry-after"] == "1", "\(place)")
                    try judge.check(answer, refusal, place)
                }
            }
        }
    }

    @Test func whatASchemaForbidsTheJudgeFinds() throws {
        let judge = SchemaJudge(document: [:])
        let schema = try JSONSerialization.jsonObject(
            with: Data(
                JSONSchema.object(("a", JSONSchema.integer(1...2)), ("b?", JSONSchema.id), ("c?", JSONSchema.date))
                    .bytes))
        let cases: [(String, Int)] = [
            (#"{"a":1}"#, 0), (#"{"a":3}"#, 1), (#"{"a":1.5}"#, 1), (#"{"a":true}"#, 1), (#"{"a":"1"}"#, 1), ("{}", 1),
            (#"{"a":1,"x":1}"#, 1), (#"{"a":1,"b":"zz"}"#, 1), (#"{"a":1,"c":"2026-11-22"}"#, 1), ("[]", 1),
        ]
        for (text, count) in cases {
            let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
            #expect(judge.faults(of: value, as: schema).count == count, "\(text)")
        }
    }

    /// `tools/page` writes the list: a file that is forgotten would be missing from the program alone. The page of a program that was
    /// built with `LATTICE_PAGE=small` stands in `.build/page`.
    @Test func everyFileOfThePageIsInTheProgram() throws {
        let isSmall = PageFile.all["page/page.css"] != nil
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: isSmall ? "../../.build/page" : "../../Sources/LatticeHTTP/Page"
        ).standardizedFileURL
        let files = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
        var names: [String] = []
        for file in files {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: "\(folder.path)/\(file)", isDirectory: &isFolder)
            if !isFolder.boolValue, file != "page.c", !file.hasSuffix(".gz") { names.append(file) }
        }
        #expect(Set(names) == Set(PageFile.all.keys), "run tools/page")
        for name in names {
            let bytes = try Data(contentsOf: folder.appending(path: name))
            #expect(PageFile.all[name].map { Data($0.bytes) } == bytes)
        }
    }
}

extension SchemaJudge {
    fileprivate func check(_ answer: HTTPAnswer, _ response: [String: Any], _ place: String) throws {
        guard let content = response["content"] as? [String: [String: Any]] else {
            #expect(answer.body.isEmpty, "\(place)")
            return
        }
        let type = try #require(answer.headers["content-type"])
        let schema = try #require(content[type]?["schema"], "\(place): \(type)")
        guard type.hasSuffix("json") else { return }
        let faults = faults(of: try answer.json(), as: schema)
        #expect(faults.isEmpty, "\(place): \(faults.prefix(3))")
    }
}
