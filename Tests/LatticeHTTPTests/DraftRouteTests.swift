import LatticeAPI
import LatticeCore
import LatticeGeo
import Testing

@Suite struct DraftRouteTests {
    @Test func aDraftIsKeptListedChangedAndDeleted() async throws {
        try await HTTPRig.serving { rig in
            let body = #"{"text":"hi","lat":1,"lon":2,"lifetime_seconds":90,"urgent":true}"#
            let kept = try await rig.own("POST", "/v1/drafts", body: body)
            #expect(kept.status == 201 && kept.headers["location"] == "/v1/drafts/3")
            let post = NewPost(
                text: "hi", at: Coordinate(latitude: 1, longitude: 2), lifetime: .seconds(90), isUrgent: true)
            #expect(await rig.node.requests.last == AnyHashable(KeepDraft(post)))
            let list = try await rig.own("GET", "/v1/drafts").object()
            let drafts = try #require(list["drafts"] as? [[String: Any]])
            #expect(drafts.map { $0["number"] as? Int } == [3])
            #expect(drafts.map { $0["written_at"] as? String } == [RFC3339.string(Sample.date)])
            #expect(try await rig.own("PATCH", "/v1/drafts/3", body: #"{"text":"ho"}"#).status == 200)
            #expect(await rig.node.requests.last == AnyHashable(EditDraft(3, text: "ho")))
            #expect(try await rig.own("DELETE", "/v1/drafts/3").status == 204)
            #expect(await rig.node.requests.last == AnyHashable(DeleteDrafts([3])))
        }
    }

    @Test func publishingTellsWhatStaysAndWhy() async throws {
        try await HTTPRig.serving { rig in
            let published = try await rig.own("POST", "/v1/drafts/publish", body: #"{"numbers":[3,4]}"#).object()
            #expect(await rig.node.requests.last == AnyHashable(PublishDrafts([3, 4])))
            let items = try #require(published["items"] as? [[String: Any]])
            #expect(items.map { $0["id"] as? String } == [Sample.post.id.hex])
            let failed = try #require(published["failed"] as? [[String: Any]])
            #expect(failed.map { $0["number"] as? Int } == [4] && failed.map { $0["code"] as? String } == ["invalid"])
            _ = try await rig.own("POST", "/v1/drafts/publish", body: "{}")
            #expect(await rig.node.requests.last == AnyHashable(PublishDrafts()))
        }
    }

    @Test func whatIsWrongIsRefused() async throws {
        try await HTTPRig.serving { rig in
            #expect(try await rig.ask("GET", "/v1/drafts").status == 401)
            #expect(try await rig.own("DELETE", "/v1/drafts/first").status == 404)
            #expect(try await rig.own("POST", "/v1/drafts/publish", body: #"{"numbers":[1.5]}"#).status == 422)
            #expect(try await rig.own("POST", "/v1/drafts/publish", body: #"{"numbers":null}"#).status == 422)
            for (error, status) in [
                (.unknownDraft(number: 3), 404), (.unknownMap(name: "camp"), 404),
                (.draftsFull(max: 500, withPhotos: false), 422),
            ] as [(RequestError, Int)] {
                await rig.node.refuse(error)
                let refused = try await rig.own("DELETE", "/v1/drafts/3")
                #expect(refused.status == status)
                #expect(try refused.object()["code"] as? String == error.code.rawValue)
            }
        }
    }
}
