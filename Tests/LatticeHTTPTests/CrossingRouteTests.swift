import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeHTTP

/// What may cross bridges.
@Suite struct CrossingRouteTests {
    @Test func theOwnerSeesHowBridgesAreDoing() async throws {
        try await HTTPRig.serving { rig in
            #expect(try await rig.ask("GET", "/v1/bridge/status").status == 401)
            let status = try await rig.own("GET", "/v1/bridge/status").object()
            let bridges = try #require(status["bridges"] as? [[String: Any]])
            #expect(status["anybody_crosses"] as? Bool == true && bridges.count == 2)
            #expect(bridges.map { $0["connected"] as? Bool } == [false, true])
            #expect((bridges.first?["obstacle_out"] as? [String: Any])?["code"] as? String == "full")
            #expect(bridges.first?["behind_out"] as? Int == 4 && bridges.first?["clock_ahead_s"] as? Double == -94)
            #expect((bridges.first?["out"] as? [String: Any])?["repeated"] as? Int == 6)
            #expect(bridges.last?["lost_at"] == nil && bridges.last?["broker"] == nil)
        }
    }

    @Test func aPersonSaysWhatMayCross() async throws {
        try await HTTPRig.serving { rig in
            #expect(try await rig.ask("GET", "/v1/bridge").status == 401)
            let read = try await rig.own("GET", "/v1/bridge").object()
            #expect(read["allows"] as? Bool == true && read["rooms"] as? [String] == ["#park"])
            #expect(read["until"] as? String != nil)
            let park = Sample.room("#park")
            for (body, request) in [
                (##"{"allows":true,"rooms":["#park","park"]}"##, SetCrossing(rooms: [park, park])),
                (#"{"allows":true}"#, SetCrossing(rooms: [])), (#"{"allows":false}"#, SetCrossing(rooms: nil)),
                (#"{"allows":false,"rooms":[]}"#, SetCrossing(rooms: nil)),
                (#"{"allows":true,"rooms":null}"#, SetCrossing(rooms: [])),
            ] {
                #expect(try await rig.own("PUT", "/v1/bridge", body: body).status == 200)
                #expect(await rig.node.requests.last == AnyHashable(request), "\(body)")
            }
            let before = await rig.node.requests.count
            #expect(try await rig.ask("PUT", "/v1/bridge", body: #"{"allows":true}"#).status == 401)
            for wrong in [
                "{}", ##"{"allows":false,"rooms":["#park"]}"##, #"{"allows":true,"rooms":[""]}"#, #"{"allows":1}"#,
            ] { #expect(try await rig.own("PUT", "/v1/bridge", body: wrong).status == 422, "\(wrong)") }
            #expect(await rig.node.requests.count == before)
            await rig.node.refuse(.invalid(faults: [.privateRoom(room: park)]), at: SetCrossing.name)
            let refused = try await rig.own("PUT", "/v1/bridge", body: ##"{"allows":true,"rooms":["#park"]}"##)
            let errors = try #require(try refused.object()["errors"] as? [[String: Any]])
            #expect(refused.status == 422 && errors.map { $0["field"] as? String } == ["rooms"])
        }
    }
}
