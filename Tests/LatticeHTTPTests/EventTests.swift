import Foundation
import LatticeAPI
import LatticeCore
import LatticeGeo
import Synchronization
import Testing

@testable import LatticeHTTP

/// Humon's contract, as its clients have it.
@Suite(.timeLimit(.minutes(5))) struct EventTests {
    private static let party =
        #"{"event":{"address":"Main St","lat":40.7,"lon":"-74.0","name":"Party","started_at":"2026-12-01T10:00:00.000Z"}}"#

    private static func newUser(_ rig: HTTPRig) async throws -> String {
        let answer = try await rig.ask("POST", "/v1/users", headers: ["tb-app-secret": Sample.token.text])
        #expect(answer.status == 201)
        return try #require(try answer.object()["device_token"] as? String)
    }

    @Test func anAppGetsATokenForTheSecretAlone() async throws {
        try await HTTPRig.serving { rig in
            for headers in [[:], ["tb-app-secret": "wrong"], ["tb-auth-token": Sample.token.text]] {
                let answer = try await rig.ask("POST", "/v1/users", headers: headers)
                #expect(answer.status == 404 && answer.headers["content-type"] == "application/json")
                #expect(answer.text == #"{"message":"Not Found"}"#)
            }
            let (first, second) = (try await Self.newUser(rig), try await Self.newUser(rig))
            #expect(first != second)
            let kept = rig.users.text.withLock { $0 }
            #expect(kept.contains("user 1 ") && kept.contains("user 2 ") && !kept.contains(first))
        }
    }

    /// Clients keep `device_token`, put it into a header and know themselves by `id`.
    @Test func anAppKnowsItselfByWhatItGets() async throws {
        try await HTTPRig.serving { rig in
            let answer = try await rig.ask("POST", "/v1/users", headers: ["tb-app-secret": Sample.token.text])
            let user = try #require(try answer.object() as? [String: String])
            #expect(Set(user.keys) == ["id", "auth_token", "device_token"])
            let token = try #require(user["device_token"])
            #expect(user["auth_token"] == token)
            let made = try await rig.ask(
                "POST", "/v1/events", headers: ["tb-device-token": token], body: Self.party)
            #expect((try made.object()["owner"] as? [String: String])?["id"] == user["id"])
        }
    }

    @Test func anEventIsMadeWithEitherHeader() async throws {
        try await HTTPRig.serving { rig in
            let token = try await Self.newUser(rig)
            for name in ["tb-auth-token", "tb-device-token"] {
                let answer = try await rig.ask("POST", "/v1/events", headers: [name: token], body: Self.party)
                #expect(answer.status == 201)
                let id = try #require(try answer.object()["id"] as? String)
                #expect(answer.headers["location"] == "/v1/events/\(id)")
                #expect(((try answer.object())["owner"] as? [String: String]) == ["id": "1"])
            }
            // Old clients send it bare.
            let bare = Self.party.dropFirst(#"{"event":"#.count).dropLast()
            #expect(
                try await rig.ask("POST", "/v1/events", headers: ["tb-auth-token": token], body: String(bare)).status
                    == 201)
            let draft = EventDraft(
                name: "Party", at: Coordinate(latitude: 40.7, longitude: -74),
                starts: WallTime(milliseconds: 1_796_119_200_000), address: "Main St")
            #expect(
                await rig.node.requests == Array(repeating: AnyHashable(CreateEvent(draft)), count: 3))
        }
    }

    @Test func withoutATokenNothingIsMade() async throws {
        try await HTTPRig.serving { rig in
            for (method, path) in [("POST", "/v1/events"), ("POST", "/v1/attendances"), ("PATCH", "/v1/events/ab")] {
                let wrong = try await rig.ask(method, path, headers: ["tb-auth-token": "nobody"], body: Self.party)
                #expect(wrong.status == 401)
                #expect(try wrong.object()["message"] as? String == "Unauthorized")
                #expect(try await rig.ask(method, path, body: Self.party).status == 401)
            }
            #expect(await rig.node.requests.isEmpty)
        }
    }

    @Test func whatIsMissingIsToldInHumonsOrder() async throws {
        try await HTTPRig.serving { rig in
            let token = try await Self.newUser(rig)
            let lines = [
                "Lat can't be blank", "Lon can't be blank", "Name can't be blank", "Started at can't be blank",
            ]
            for body in ["{}", #"{"event":{}}"#, #"{"event":{"lat":null,"lon":"","name":" ","started_at":""}}"#] {
                let answer = try await rig.ask("POST", "/v1/events", headers: ["tb-auth-token": token], body: body)
                #expect(answer.status == 422)
                let object = try answer.object()
                #expect(object["message"] as? String == "Validation Failed")
                #expect(object["errors"] as? [String] == lines)
            }
            let some = try await rig.ask(
                "POST", "/v1/events", headers: ["tb-auth-token": token],
                body: #"{"lat":1,"name":"x","started_at":"soon"}"#)
            #expect(try some.object()["errors"] as? [String] == ["Lon can't be blank", "Started at is not a date"])
        }
    }

    @Test func onlyWhoMadeAnEventChangesIt() async throws {
        try await HTTPRig.serving { rig in
            let (owner, other) = (try await Self.newUser(rig), try await Self.newUser(rig))
            // The sample's event, as if this app had made it.
            try await rig.server.responder.events.own(Sample.event.id, by: 1)
            let path = "/v1/events/\(Sample.event.id.hex)"
            let change = #"{"event":{"name":"Other"}}"#
            #expect(try await rig.ask("PATCH", path, headers: ["tb-auth-token": other], body: change).status == 404)
            #expect(try await rig.ask("PATCH", path, headers: ["tb-auth-token": owner], body: change).status == 200)
            #expect(try await rig.own("PATCH", path, body: change).status == 200)
            #expect(try await rig.own("PATCH", "/v1/events/\(Sample.post.id.hex)", body: change).status == 404)
            #expect(try await rig.own("PATCH", "/v1/events/none", body: change).status == 404)
        }
    }

    @Test func theNearestOnesAreFound() async throws {
        try await HTTPRig.serving { rig in
            let near = try await rig.ask("GET", "/v1/events/nearests?lat=40.7&lon=-74&radius=10")
            #expect(((try near.json()) as? [[String: Any]])?.first?["name"] as? String == "Party")
            let none = try await rig.ask("GET", "/v1/events/nearests?lat=-40&lon=74&radius=10")
            #expect(none.status == 200)
            #expect(none.text == #"{"message":"No Events Found"}"#)
            let blank = try await rig.ask("GET", "/v1/events/nearests")
            #expect(blank.status == 422)
            let radii = await rig.node.requests.compactMap { ($0.base as? NearQuery)?.radius }
            // And once more, for the page after the first.
            #expect(Set(radii) == [10_000])
            #expect(try await rig.ask("GET", "/v1/events/\(Sample.event.id.hex)").status == 200)
        }
    }

    /// Its ids are whole: the beginning of one is none.
    @Test(arguments: ["1", "nothing", "abcd", "%00", String(repeating: "f", count: 64)])
    func whatIsNotThereIsNotFoundInHumonsShape(id: String) async throws {
        try await HTTPRig.serving { rig in
            let body = #"{"event":{"id":"\#(id)","name":"x"}}"#
            await rig.node.forgetItems()
            for (method, path) in [
                ("GET", "/v1/events/\(id)"), ("PATCH", "/v1/events/\(id)"), ("POST", "/v1/attendances"),
            ] {
                let answer = try await rig.own(method, path, body: method == "GET" ? nil : body)
                #expect(answer.status == 404 && answer.headers["content-type"] == "application/json", "\(method)")
                #expect(answer.text == #"{"message":"Not Found"}"#)
            }
        }
    }

    @Test func aWiderCircleIsSearchedAsFarAsCanBeAndSaysSo() async throws {
        try await HTTPRig.serving { rig in
            for (asked, searched) in [("20000", 100.0), ("100", 100), ("2.5", 2.5)] {
                let answer = try await rig.ask("GET", "/v1/events/nearests?lat=40.7&lon=-74&radius=\(asked)")
                #expect(answer.status == 200)
                #expect(answer.headers["searched-kilometres"].flatMap { Double($0) } == searched)
            }
            for radius in ["-1", "x", "nan"] {
                let answer = try await rig.ask("GET", "/v1/events/nearests?lat=40.7&lon=-74&radius=\(radius)")
                #expect(answer.status == 422 && answer.text.hasPrefix(#"{"message":"Validation Failed""#))
            }
        }
    }

    @Test func allPagesOfTheNearestAreOneList() async throws {
        try await HTTPRig.serving { rig in
            let answer = try await rig.ask("GET", "/v1/events/nearests?lat=40.7&lon=-74")
            let cursors = await rig.node.requests.map { ($0.base as? NearQuery)?.page.after }
            #expect(cursors == [nil, PageCursor("m 1,5")])
            #expect((try answer.json() as? [Any])?.count == 2)
        }
    }

    // MARK: - What cannot be kept

    @Test func aTokenThatIsNotKeptIsNotGiven() async throws {
        try await HTTPRig.serving { rig in
            rig.users.refuse(RequestError.other(code: .diskFull, message: "the disk is full; make room there"))
            let answer = try await rig.ask("POST", "/v1/users", headers: ["tb-app-secret": Sample.token.text])
            #expect(answer.status == 507)
            #expect(answer.text == #"{"message":"The disk is full; make room there."}"#)
            rig.users.refuse(nil)
            _ = try await Self.newUser(rig)
            #expect(rig.users.text.withLock { $0 }.hasPrefix("user 1 "))
        }
    }

    /// The event would exist without an owner.
    @Test func anEventOfWhichIsNotKeptWhoseItIsIsTakenBack() async throws {
        try await HTTPRig.serving { rig in
            let token = try await Self.newUser(rig)
            rig.users.refuse(RequestError.other(code: .diskFull, message: "the disk is full; make room there"))
            let answer = try await rig.ask("POST", "/v1/events", headers: ["tb-auth-token": token], body: Self.party)
            #expect(answer.status == 507 && answer.headers["location"] == nil)
            #expect(await rig.node.requests.last == AnyHashable(DeleteItem(ItemReference(Sample.record(101).hex))))
            #expect(await rig.server.responder.events.owner(of: Sample.record(101)) == nil)
        }
    }

    @Test func somebodyComes() async throws {
        try await HTTPRig.serving { rig in
            let id = Sample.event.id.hex
            let token = try await Self.newUser(rig)
            let answer = try await rig.ask(
                "POST", "/v1/attendances", headers: ["tb-auth-token": token], body: #"{"event":{"id":"\#(id)"}}"#)
            #expect(answer.status == 201)
            #expect((try answer.object()["user"] as? [String: String]) == ["id": "1"])
            #expect(await rig.node.requests.last == AnyHashable(AttendEvent(ItemReference(id), true)))
            #expect(try await rig.own("POST", "/v1/attendances", body: #"{"id":"\#(id)"}"#).status == 201)
        }
    }

    @Test(arguments: [#"{"event":{"ended_at":null,"address":null}}"#, #"{"ended_at":null,"address":null}"#])
    func whatWasSaidOfAnEventIsNotTakenAway(body: String) async throws {
        try await HTTPRig.serving { rig in
            let answer = try await rig.own("PATCH", "/v1/events/\(Sample.event.id.hex)", body: body)
            #expect(answer.status == 422)
            #expect(
                try answer.object()["errors"] as? [String] == ["Address can't be blank", "Ended at can't be blank"])
        }
    }

    /// Clients send every field of an event, and null for those that it does not have.
    @Test func whatAnEventDoesNotHaveMayBeSentAsNull() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let body = try decoder.decode(
            EventDraftBody.self, from: Data(#"{"address":null,"ended_at":null,"name":"New name"}"#.utf8))
        var item = Sample.event
        (item.placeName, item.ends) = (nil, nil)
        #expect(try body.draft(changing: item) == EventDraft(name: "New name"))
        item.ends = item.starts
        let fault = #expect(throws: EventFault.self) { try body.draft(changing: item) }
        guard case .invalid(let errors) = fault else { throw RequestError.placeNeeded }
        #expect(errors == ["Ended at can't be blank"])
    }

    @Test func theOwnersAndOnePersonsEventsAreListed() async throws {
        try await HTTPRig.serving { rig in
            let mine = try await rig.own("GET", "/v1/events?limit=3").object()
            #expect((mine["items"] as? [[String: Any]])?.last?["past"] as? Bool == false)
            #expect(try await rig.own("GET", "/v1/events?attending=true").status == 200)
            let bobs = try await rig.own("GET", "/v1/events?person=bob&attending=false&after=c-0-1")
            #expect(bobs.status == 200)
            let refused = try await rig.ask("GET", "/v1/events?attending=true")
            #expect(refused.status == 401 && refused.text.contains("person=bob"))
            #expect(try await rig.ask("GET", "/v1/events?person=bob").status == 200)
            let (bob, page) = (PeerReference("bob"), PageRequest(after: PageCursor("c-0-1")))
            #expect(
                await rig.node.requests.compactMap { $0.base as? ListEvents } == [
                    ListEvents(PageRequest(limit: 3)), ListEvents(isAttending: true), ListEvents(by: bob, page),
                    ListEvents(by: bob),
                ])
        }
    }

    @Test func thoseWhoWereMetAreFollowed() async throws {
        try await HTTPRig.serving { rig in
            let body = #"{"since":"2026-12-01T10:00:00Z"}"#
            #expect(try await rig.ask("POST", "/v1/follows", body: body).status == 401)
            let followed = try await rig.own("POST", "/v1/follows", body: body)
            #expect(followed.status == 200)
            #expect((try followed.object()["items"] as? [Any])?.count == 2)
            let since = WallTime(milliseconds: 1_796_119_200_000)
            #expect(await rig.node.requests.contains(AnyHashable(FollowMet(since: since))))
            for wrong in ["{}", #"{"since":"today"}"#] {
                let answer = try await rig.own("POST", "/v1/follows", body: wrong)
                #expect(answer.status == 400 || answer.status == 422)
            }
        }
    }
}
