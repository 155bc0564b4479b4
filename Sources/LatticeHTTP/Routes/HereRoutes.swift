import LatticeAPI
import LatticeCore
import LatticeGeo

/// Where this person is: kept on this machine, and told to nobody without the token.
enum HereRoutes {
    private static let schema = Schema.object(("lat?", Schema.number(-90...90)), ("lon?", Schema.number(-180...180)))

    static let all: [Route] = [
        Route(
            .get, "/v1/here", .owner, RouteFacts("here", "Where you are; empty where nobody has said.", schema)
        ) { desk, _ throws(HTTPProblem) in .json(json(try await desk.here())) },
        Route(
            .put, "/v1/here", .owner,
            RouteFacts("setHere", "Says where you are.", body: Coordinate.schema, schema)
        ) { desk, call throws(HTTPProblem) in
            let body = try call.body(Position.self)
            guard let place = try RouteCall.place(body.lat, body.lon) else {
                throw .invalid(HTTPProblem.placeFaults)
            }
            return .json(json(try await desk.here(.setHere(place))))
        },
        Route(
            .delete, "/v1/here", .owner, RouteFacts("forgetHere", "Forgets where you are.", schema)
        ) { desk, _ throws(HTTPProblem) in .json(json(try await desk.here(.setHere(nil)))) },
        Route(
            .post, "/v1/here/gpsd", .owner,
            RouteFacts("askReceiver", "Reads where you are from a GPS receiver of this machine.", schema)
        ) { desk, _ throws(HTTPProblem) in
            guard let receiver = desk.settings.receiver else { throw noReceiver("no receiver is asked here") }
            let place: Coordinate
            do {
                place = try await receiver()
            } catch {
                throw noReceiver("\(error)")
            }
            return .json(json(try await desk.here(.setHere(place))))
        },
    ]

    private struct Position: Decodable {
        let lat: Double?
        let lon: Double?
    }

    private static func json(_ place: Coordinate?) -> JSON {
        ["lat": .number(place?.latitude), "lon": .number(place?.longitude)]
    }

    private static func noReceiver(_ reason: String) -> HTTPProblem {
        HTTPProblem(RequestError(.noAnswer, "\(reason); set your position on the map instead"))
    }
}
