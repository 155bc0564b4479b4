import Foundation
import LatticeAPI
import LatticeCore
import Synchronization
import Testing

@testable import LatticeHTTP

/// People who write through a node from their browsers.
final class VisitorTests: Sendable {
    private let host = FakeHost()
    private let kept = Mutex("")
    private let refusal = Mutex<RequestError?>(nil)
    private let date = Mutex<Int64>(1_800_000_000_000)

    /// What a browser keeps after it came.
    private struct Browser {
        let cookie: String
        let code: String

        init(_ answer: HTTPAnswer) throws {
            #expect([200, 201].contains(answer.status), "\(answer.status)")
            let header = try #require(answer.headers["set-cookie"])
            #expect(header.hasSuffix("; HttpOnly; SameSite=Strict") && header.contains("; Path=/; "))
            cookie = String(header.prefix { $0 != ";" })
            code = try answer.object()["code"] as? String ?? ""
        }

        var headers: [String: String] { ["Cookie": "other=1; \(cookie)"] }
    }

    private func serving(
        countMax: Int = 10, _ book: String = "", now: @escaping @Sendable () -> Instant = HTTPSettings.eventLoopClock,
        body: @escaping @Sendable (HTTPRig) async throws -> Void
    ) async throws {
        try await HTTPRig.serving { settings in
            var visitors = VisitorSettings(
                host: self.host,
                keep: { book in
                    if let refusal = self.refusal.withLock({ $0 }) { return .failure(refusal) }
                    self.kept.withLock { $0 = book.text }
                    return .success(())
                }, date: { WallTime(milliseconds: self.date.withLock { $0 }) })
            visitors.countMax = countMax
            visitors.book = VisitorBook(book)
            settings.visitors = visitors
            settings.digest = { "digest of \($0.reversed().map(String.init).joined())" }
            settings.now = now
        } body: { rig in
            try await body(rig)
        }
    }

    private func come(_ name: String, to rig: HTTPRig, from address: UInt8 = 1) async throws -> HTTPAnswer {
        try await rig.ask("POST", "/v1/visit", body: #"{"name":"\#(name)"}"#, from: address)
    }

    private func isSignedIn(_ browser: Browser, on rig: HTTPRig) async throws -> Bool {
        try await rig.ask("GET", "/v1/visit", headers: browser.headers).object()["you"] != nil
    }

    @Test func whoComesWritesInTheirOwnName() async throws {
        try await serving { [self] (rig) async throws in
            let before = try await rig.ask("GET", "/v1/visit").object()
            #expect(before["open"] as? Bool == true && before["owner"] as? Bool == false && before["you"] == nil)
            let refused = try await rig.ask("POST", "/v1/rooms/park/messages", body: #"{"text":"hi"}"#)
            #expect(refused.status == 401)
            #expect(try refused.object()["code"] as? String == "nameNeeded")

            let browser = try Browser(try await come("Jonna", to: rig))
            #expect(browser.code.split(separator: "-").map(\.count) == [4, 4, 4, 4])
            let you = try await rig.ask("GET", "/v1/visit", headers: browser.headers).object()["you"] as? [String: Any]
            #expect(you?["name"] as? String == "Jonna")
            let said = try await rig.ask(
                "POST", "/v1/rooms/park/messages", headers: browser.headers, body: #"{"text":"hi"}"#)
            #expect(said.status == 201)
            let jonna = try #require(host.visitor("Jonna"))
            #expect(await jonna.node.requests.contains { $0.base is Say })
            #expect(await !rig.node.requests.contains { $0.base is Say })
            #expect(host.admissions == 1)
        }
    }

    @Test func onlyTheOwnerReachesTheMachine() async throws {
        try await serving { [self] (rig) async throws in
            let browser = try Browser(try await come("Jonna", to: rig))
            for route in Router.routes where route.access == .owner {
                let path = route.pattern.replacing("{id}", with: "abcd").replacing("{name}", with: "park")
                let answer = try await rig.ask(route.method.rawValue, path, headers: browser.headers, body: "{}")
                #expect(answer.status == 403, "\(route.method) \(path)")
            }
            let listed = try await rig.own("GET", "/v1/visitors").object()
            #expect((listed["items"] as? [[String: Any]])?.map { $0["name"] as? String } == ["Jonna"])
        }
    }

    @Test func aNameThatSomebodyHasIsRefusedWithOthers() async throws {
        try await serving { [self] (rig) async throws in
            let owner = Sample.me.name.text
            for name in [owner, owner.uppercased(), "Jonna", "jonna"] {
                let isFree = try await rig.ask("GET", "/v1/visit/name?name=\(name)").object()["free"] as? Bool
                let answer = try await come(name, to: rig)
                if name == "Jonna" {
                    #expect(isFree == true && answer.status == 201)
                    continue
                }
                #expect(isFree == false && answer.status == 409, "\(name)")
                let errors = try #require(try answer.object()["errors"] as? [[String: String]])
                #expect(errors.map { $0["reason"] } == ["\(name) 2", "\(name) 3"])
            }
            for wrong in ["", " ", "a#b", String(repeating: "x", count: 64)] {
                #expect(try await come(wrong, to: rig).status == 422, "\(wrong)")
            }
        }
    }

    @Test func ofManyWhoComeAtOnceUnderOneNameOneComes() async throws {
        try await serving { [self] (rig) async throws in
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<8 {
                    group.addTask { try await self.come(number % 2 == 0 ? "Twin" : "TWIN", to: rig).status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.filter { $0 == 201 }.count == 1 && statuses.filter { $0 == 409 }.count == 7)
            let here = try Browser(try await come("Jonna", to: rig))
            let again = try await rig.ask("POST", "/v1/visit", headers: here.headers, body: #"{"name":"Other"}"#)
            #expect(again.status == 409)
        }
    }

    @Test(arguments: ["JONNA", "j onna", "Jonna.", "Јonna", "Ｊonna", "J-o-n-n-a"])
    func aNameThatLooksLikeAnotherIsTaken(name: String) async throws {
        try await serving { [self] (rig) async throws in
            _ = try Browser(try await come("Jonna", to: rig))
            #expect(try await come(name, to: rig).status == 409)
            #expect(try await come("Jonas", to: rig).status == 201)
            #expect(try await come("!!", to: rig).status == 201)
        }
    }

    @Test func whoSignsOutHearsNothingMore() async throws {
        try await serving { [self] (rig) async throws in
            let browser = try Browser(try await come("Jonna", to: rig))
            let stream = try rig.socket()
            stream.send("GET /v1/stream HTTP/1.1\r\nHost: localhost\r\nCookie: \(browser.cookie)\r\n\r\n")
            _ = try await stream.hears("retry: 2000\n\n")
            // Also if the disk is full.
            refusal.withLock { $0 = .store(fault: .diskFull(path: "/secret/path")) }
            #expect(try await rig.ask("DELETE", "/v1/visit", headers: browser.headers).status == 204)
            #expect(try await isSignedIn(browser, on: rig) == false)
            _ = try await stream.hears("0\r\n\r\n")
        }
    }

    @Test func whoIsBlockedSeesThePageAndMaySignOut() async throws {
        try await serving { [self] (rig) async throws in
            let browser = try Browser(try await come("Jonna", to: rig))
            host.refusal.withLock { $0 = .blocked(who: .account) }
            await host.visitor("Jonna")?.sendAway()
            while try await isSignedIn(browser, on: rig) { await Task.yield() }
            #expect(try await rig.ask("GET", "/", headers: browser.headers).status == 200)
            #expect(try await rig.ask("GET", "/v1/rooms", headers: browser.headers).status == 200)
            let said = try await rig.ask(
                "POST", "/v1/rooms/park/messages", headers: browser.headers, body: #"{"text":"hi"}"#)
            #expect(said.status == 403)
            host.refusal.withLock { $0 = nil }
            #expect(try await isSignedIn(browser, on: rig))
            #expect(try await rig.ask("DELETE", "/v1/visit", headers: browser.headers).status == 204)
        }
    }

    @Test func nobodyButTheOwnerLearnsPathsAndAddresses() async throws {
        try await serving { [self] (rig) async throws in
            refusal.withLock { $0 = .store(fault: .diskFull(path: "/secret/path")) }
            #expect(try await come("Jonna", to: rig).text.contains("/secret") == false)
            refusal.withLock { $0 = nil }
            let browser = try Browser(try await come("Jonna", to: rig))
            let jonna = try #require(host.visitor("Jonna"))
            for node in [jonna.node, rig.node] {
                await node.refuse(.file(fault: .readOnly(path: "/secret/path", reason: "no")), at: BeginUpload.name)
            }
            let upload = try await rig.ask("POST", "/v1/uploads", headers: browser.headers, body: "x")
            #expect(upload.status >= 400 && !upload.text.contains("/secret"))
            #expect(try await rig.own("POST", "/v1/uploads", body: "x").text.contains("/secret/path"))
            for headers in [[:], browser.headers] {
                #expect(try await rig.ask("GET", "/v1/peers", headers: headers).text.contains("\"address\"") == false)
            }
            #expect(try await rig.own("GET", "/v1/peers").text.contains("\"address\""))
        }
    }

    @Test func aRefusedProfileRenamesNobody() async throws {
        try await serving { [self] (rig) async throws in
            let browser = try Browser(try await come("Jonna", to: rig))
            let jonna = try #require(host.visitor("Jonna"))
            await jonna.node.refuse(.invalid(faults: [.lifetime]), at: ProfileChange.name)
            func rename(_ name: String) async throws -> Int {
                try await rig.ask(
                    "PATCH", "/v1/people/me", headers: browser.headers, body: #"{"name":"\#(name)"}"#
                ).status
            }
            #expect(try await rename("Dragon") == 422)
            #expect(await !jonna.node.requests.contains { $0.base is Rename })
            #expect(try await rename("Dragon") == 200)
            #expect(kept.withLock { $0 }.contains("Dragon"))
            // A name that is refused is in no profile either.
            let before = await jonna.node.requests.count { $0.base is ProfileChange }
            #expect(try await rename(Sample.me.name.text) == 409)
            #expect(await jonna.node.requests.count { $0.base is ProfileChange } == before)
        }
    }

    @Test func damagedLinesAreCounted() {
        #expect(VisitorBook("{}\nno JSON\n").damagedLines == 2 && VisitorBook("").damagedLines == 0)
    }

    @Test func aCodeSignsAnotherBrowserInAndFiveWrongOnesNobody() async throws {
        try await serving { [self] (rig) async throws in
            let first = try Browser(try await come("Jonna", to: rig))
            func comeBack(_ code: String, from address: UInt8 = 1) async throws -> HTTPAnswer {
                try await rig.ask("POST", "/v1/visit/return", body: #"{"code":"\#(code)"}"#, from: address)
            }
            let second = try Browser(
                try await comeBack(first.code.uppercased().replacing("-", with: " ")))
            for browser in [first, second] { #expect(try await isSignedIn(browser, on: rig)) }
            #expect(host.admissions == 1)
            let new = try await rig.ask("PUT", "/v1/visit/code", headers: second.headers).object()["code"] as? String
            #expect(try await comeBack(first.code).status == 403)
            for left in [3, 2, 1] {
                let detail = try await comeBack("wrong").object()["detail"] as? String
                #expect(detail?.contains("\(left) \(left == 1 ? "try" : "tries") left") == true)
            }
            #expect(try await comeBack("wrong").status == 429)
            // A correct code does not reset the number of guesses.
            #expect(try await comeBack(try #require(new)).status == 429)
            #expect(try await comeBack(try #require(new), from: 2).status == 200)
        }
    }

    @Test func aPasswordSignsAnotherBrowserIn() async throws {
        try await serving { [self] (rig) async throws in
            func comeBack(_ name: String, _ password: String, from address: UInt8 = 1) async throws -> HTTPAnswer {
                try await rig.ask(
                    "POST", "/v1/visit/return", body: #"{"name":"\#(name)","password":"\#(password)"}"#, from: address)
            }
            let first = try Browser(try await come("Jonna", to: rig))
            #expect(try await comeBack("Jonna", "open sesame").status == 403, "she has none yet")
            func set(_ password: String) async throws -> Int {
                try await rig.ask(
                    "PUT", "/v1/visit/password", headers: first.headers, body: #"{"password":"\#(password)"}"#
                ).status
            }
            #expect(try await set("open sesame") == 204)
            #expect(try await set("another one") == 409)
            #expect(try await comeBack("Jonna", "another one").status == 403)
            #expect(try await comeBack("nobody", "open sesame").status == 403)
            let second = try Browser(try await comeBack("jonna", "open sesame"))
            for browser in [first, second] { #expect(try await isSignedIn(browser, on: rig)) }
            let both = try await rig.ask("POST", "/v1/visit/return", body: #"{"name":"Jonna"}"#)
            #expect(both.status == 422)
        }
    }

    @Test func whoSignsOutOrIsRemovedIsNobody() async throws {
        try await serving { [self] (rig) async throws in
            let (jonna, tomasz) = (
                try Browser(try await come("Jonna", to: rig)), try Browser(try await come("Tomasz", to: rig))
            )
            let out = try await rig.ask("DELETE", "/v1/visit", headers: jonna.headers)
            #expect(out.status == 204 && out.headers["set-cookie"]?.contains("Max-Age=0") == true)
            #expect(try await isSignedIn(jonna, on: rig) == false)
            #expect(try await rig.own("DELETE", "/v1/visitors/\(String(repeating: "0", count: 64))").status == 404)
            let id = try #require(host.visitor("Tomasz")?.id.hex)
            #expect(try await rig.own("DELETE", "/v1/visitors/\(id)").status == 204)
            #expect(try await isSignedIn(tomasz, on: rig) == false)
            #expect(host.visitor("Tomasz") == nil && !kept.withLock { $0 }.contains("Tomasz"))
        }
    }

    @Test func aStartFindsWhoCameBefore() async throws {
        let browser = Mutex<Browser?>(nil)
        try await serving { [self] (rig) async throws in
            let new = try Browser(try await come("Jonna", to: rig))
            browser.withLock { $0 = new }
            let text = kept.withLock { $0 }
            let token = String(new.cookie.drop { $0 != "=" }.dropFirst())
            #expect(!text.contains(token) && !text.contains(new.code.replacing("-", with: "")))
        }
        #expect(host.visitors.isEmpty, "the server has ended")
        let known = try #require(browser.withLock { $0 })
        try await serving("no JSON\n\(kept.withLock { $0 }){}\n") { [self] (rig) async throws in
            #expect(try await isSignedIn(known, on: rig))
            #expect(host.visitor("Jonna") != nil)
        }
    }

    @Test func aFullCampHasRoomOnceSomebodyWasLongAway() async throws {
        try await serving(countMax: 2) { [self] (rig) async throws in
            let first = try Browser(try await come("Jonna", to: rig))
            _ = try Browser(try await come("Tomasz", to: rig))
            #expect(try await come("Carla", to: rig).status == 503)
            date.withLock { $0 += 29 * 86_400_000 }
            #expect(try await come("Carla", to: rig).status == 503)
            date.withLock { $0 += 2 * 86_400_000 }
            #expect(try await come("Carla", to: rig).status == 201)
            #expect(try await isSignedIn(first, on: rig) == false)
        }
    }

    @Test func oneAddressBringsOnlySomePeople() async throws {
        try await serving(countMax: 100) { [self] (rig) async throws in
            for number in 0..<20 { _ = try Browser(try await come("v\(number)", to: rig)) }
            #expect(try await come("v20", to: rig).status == 429)
            #expect(try await come("v20", to: rig, from: 2).status == 201)
        }
    }

    @Test func whoWritesTooMuchWaits() async throws {
        try await serving(now: { Instant(nanoseconds: 0) }) { [self] (rig) async throws in
            let browser = try Browser(try await come("Jonna", to: rig))
            var statuses: [Int] = []
            for _ in 0..<42 {
                let answer = try await rig.ask("PUT", "/v1/items/\(Sample.post.id.hex)/like", headers: browser.headers)
                statuses.append(answer.status)
            }
            #expect(statuses.filter { $0 == 200 }.count == 40 && statuses.last == 429)
            #expect(try await rig.ask("GET", "/v1/me", headers: browser.headers).status == 200)
        }
    }

    @Test func nobodyIsAdmittedWhoCannotBeKept() async throws {
        try await serving { [self] (rig) async throws in
            refusal.withLock { $0 = .store(fault: .diskFull(path: "/v")) }
            #expect(try await come("Jonna", to: rig).status == 507)
            #expect(host.visitors.isEmpty)
            refusal.withLock { $0 = nil }
            #expect(try await come("Jonna", to: rig).status == 201)
        }
    }

    @Test func pagesOfOtherSitesBringNobody() async throws {
        try await serving { [self] (rig) async throws in
            for headers in [["Sec-Fetch-Site": "cross-site"], ["Origin": "http://evil.example"]] {
                let answer = try await rig.ask("POST", "/v1/visit", headers: headers, body: #"{"name":"Jonna"}"#)
                #expect(answer.status == 403)
            }
            #expect(host.admissions == 0)
        }
    }

    @Test func aStreamHasTheVisitorsOwnEvents() async throws {
        try await serving { [self] (rig) async throws in
            let browser = try Browser(try await come("Jonna", to: rig))
            let stream = try rig.socket()
            stream.send("GET /v1/stream HTTP/1.1\r\nHost: localhost\r\nCookie: \(browser.cookie)\r\n\r\n")
            _ = try await stream.hears("retry: 2000\n\n")
            let jonna = try #require(host.visitor("Jonna"))
            await rig.node.tell(.message(Sample.message(7, "for the owner")))
            await jonna.node.tell(.message(Sample.message(8, "for Jonna")))
            let heard = try await stream.hears("for Jonna")
            #expect(!heard.contains("for the owner"))
        }
    }

    @Test func whoIsNotThereAnyMoreLeavesAndComesBackByItself() async throws {
        let time = Mutex<Int64>(0)
        try await serving(now: { Instant(nanoseconds: time.withLock { $0 }) }) { [self] (rig) async throws in
            let browser = try Browser(try await come("Jonna", to: rig))
            let visitors = try #require(rig.server.responder.visitors)
            await visitors.beat()
            #expect(host.visitors.count == 1)
            time.withLock { $0 += 91_000_000_000 }
            await visitors.beat()
            #expect(host.visitors.isEmpty)
            #expect(try await isSignedIn(browser, on: rig))
            #expect(host.admissions == 2)
        }
    }

    @Test func withoutVisitorsNobodyComes() async throws {
        try await HTTPRig.serving { rig in
            let visit = try await rig.ask("GET", "/v1/visit").object()
            #expect(visit["open"] as? Bool == false && visit["mesh"] == nil)
            let answer = try await rig.ask("POST", "/v1/visit", body: #"{"name":"Jonna"}"#)
            #expect(answer.status == 403)
            #expect(try await rig.own("GET", "/v1/visitors").status == 403)
        }
    }
}
