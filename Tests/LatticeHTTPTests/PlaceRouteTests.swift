import LatticeAPI
import LatticeCore
import LatticeGeo
import Testing

@Suite struct PlaceRouteTests {
    @Test func aSimilarPlaceIsRefusedWithThoseThatAreHere() async throws {
        try await HTTPRig.serving { rig in
            let place = SimilarPlace(id: Sample.post.id, short: Sample.post.short, name: "Große Küche", metres: 12.5)
            await rig.node.refuse(.similarPlaces(places: [place]), at: CreatePlace.name)
            let refused = try await rig.own("POST", "/v1/places", body: #"{"name":"Kitchen","lat":1,"lon":2}"#)
            #expect(refused.status == 409)
            let problem = try refused.object()
            #expect(problem["code"] as? String == "similar")
            let similar = try #require(problem["similar"] as? [[String: Any]])
            try #require(similar.count == 1)
            #expect(similar[0]["id"] as? String == place.id.hex)
            #expect(similar[0]["short"] as? String == place.short)
            #expect(similar[0]["name"] as? String == place.name)
            #expect(similar[0]["metres"] as? Double == place.metres)
        }
    }

    @Test func anotherPlaceIsMadeIfSomebodyInsists() async throws {
        try await HTTPRig.serving { rig in
            _ = try await rig.own("POST", "/v1/places", body: #"{"name":"Kitchen","lat":1,"lon":2,"anyway":true}"#)
            let draft = PlaceDraft(name: "Kitchen", at: Coordinate(latitude: 1, longitude: 2))
            #expect(await rig.node.requests.last == AnyHashable(CreatePlace(draft, anyway: true)))
        }
    }
}
