import LatticeAPI
import LatticeCore
import LatticeGeo
import Testing

@testable import LatticeHTTP

/// The card of the mesh.
@Suite struct MeshCardRouteTests {
    @Test func everybodyReadsItAndItsDefaults() async throws {
        try await HTTPRig.serving { rig in
            let card = try await rig.ask("GET", "/v1/mesh").object()
            #expect(card["name"] as? String == "Camp <b>" && card["signer"] as? String == Sample.peer(2).hex)
            #expect(card["welcome"] as? String == "Hello!" && card["rules"] as? String == "Quiet at ten.\nNo fires.")
            #expect(card["radius_choices"] as? [Int] == [100, 2_000] && card["text_length"] as? Int == 280)
            #expect((card["area"] as? [String: Any])?["metres"] as? Int == 500)
            let pins = try #require(card["pins"] as? [[String: Any]])
            #expect(pins.map { $0["name"] as? String } == ["Kitchen", nil])
            func limits() async throws -> [String: Any] {
                try #require(try await rig.ask("GET", "/v1/me").object()["limits"] as? [String: Any])
            }
            #expect(try await limits()["text_clusters"] as? Int == 280)
            #expect(try await limits()["radius_choices"] as? [Double] == [100, 2_000])
            // A node without a store has none.
            await rig.node.refuse(.store(fault: .missing), at: ShowMeshCard.name)
            #expect(try await limits()["text_clusters"] as? Int == PostLimit.textClusters)
            await rig.node.refuse(.store(fault: .missing), at: ShowMeshCard.name)
            #expect(try await limits()["radius_choices"] as? [Double] == PostLimit.radiusChoices)
        }
    }

    @Test func theOwnerWritesItWhole() async throws {
        try await HTTPRig.serving { rig in
            let body = #"{"name":"Camp","area":{"lat":1,"lon":2,"metres":500},"pins":["Kitchen"],"rules":"No fires."}"#
            #expect(try await rig.ask("PUT", "/v1/mesh", body: body).status == 401)
            #expect(await rig.node.requests.isEmpty)
            #expect(try await rig.own("PUT", "/v1/mesh", body: body).status == 200)
            var draft = MeshCardDraft()
            (draft.name, draft.rules, draft.pins) = ("Camp", "No fires.", [PlaceReference("Kitchen")])
            draft.area = MapArea(try #require(Coordinate(latitude: 1, longitude: 2)), metres: 500)
            let whole = SetMeshCard(draft, remove: MeshCardDraft.Part.allCases)
            #expect(await rig.node.requests.last == AnyHashable(whole))
            for wrong in [
                "{}", #"{"name":"Camp","area":{"lat":91,"lon":2,"metres":500}}"#, #"{"name":"Camp","motto":"x"}"#,
                #"{"name":"Camp","text_length":"many"}"#, #"{"name":"Camp","area":{"lat":1}}"#,
            ] { #expect(try await rig.own("PUT", "/v1/mesh", body: wrong).status == 422, "\(wrong)") }
            await rig.node.refuse(
                .invalid(faults: [.radiusChoices(max: 8, maxKilometres: 100), .tooManyPins(max: 16)]),
                at: SetMeshCard.name)
            let refused = try await rig.own("PUT", "/v1/mesh", body: #"{"name":"Camp","radius_choices":[0]}"#)
            let errors = try #require(try refused.object()["errors"] as? [[String: Any]])
            #expect(refused.status == 422 && errors.map { $0["field"] as? String } == ["radius", "pins"])
        }
    }
}
