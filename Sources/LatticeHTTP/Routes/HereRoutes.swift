import LatticeAPI
import LatticeCore
import LatticeGeo

/// The owner's place, shared with terminal commands. A browser has a place of its own and sends it with its requests.
/// The owner's place changes only if a client sets it.
enum HereRoutes {
    private static let schema = JSONSchema.object(
        ("lat?", JSONSchema.number(-90...90)), ("lon?", JSONSchema.number(-180...180)))

    static let all: [Route] = [
        Route(
            .get, "/v1/here", .person,
            RouteFacts(
                "here", "Your place, used by requests without a place; empty if none is set.", schema)
        ) { desk, _ throws(HTTPProblem) in .json(json(try await desk.perform(ShowHere()).place)) },
        Route(
            .put, "/v1/here", .person,
            RouteFacts(
                "setHere", "Sets your place; the owner's is that of the terminal, too.", body: Coordinate.schema, schema
            )
        ) { desk, call throws(HTTPProblem) in
            let body = try call.body(Position.self)
            guard let place = try RouteCall.place(body.lat, body.lon) else {
                throw .invalid(HTTPProblem.placeFaults)
            }
            return .json(json(try await desk.perform(SetHere(place)).place))
        },
        Route(
            .delete, "/v1/here", .person, RouteFacts("forgetHere", "Forgets your place.", schema)
        ) { desk, _ throws(HTTPProblem) in .json(json(try await desk.perform(SetHere(nil)).place)) },
        Route(
            .post, "/v1/here/gpsd", .owner,
            RouteFacts(
                "askReceiver", "Reads the position from the GPS receiver of this machine; does not change /v1/here.",
                Coordinate.schema)
        ) { desk, _ throws(HTTPProblem) in
            guard let receiver = desk.settings.receiver else { throw HTTPProblem(ReceiverFault.absent) }
            do throws(ReceiverFault) {
                return .json(json(try await receiver()))
            } catch {
                throw HTTPProblem(error)
            }
        },
    ]

    private struct Position: Decodable {
        let lat: Double?
        let lon: Double?
    }

    private static func json(_ place: Coordinate?) -> JSON {
        ["lat": .number(place?.latitude), "lon": .number(place?.longitude)]
    }
}

extension HTTPProblem {
    fileprivate init(_ fault: ReceiverFault) {
        switch fault {
        case .absent:
            self.init(
                503, "noReceiver", "This machine has no GPS receiver (gpsd does not answer). Choose a place on the map."
            )
        case .noFix:
            self.init(
                503, "noFix", "The GPS receiver has no position yet. Try again under an open sky, or use the map.")
        }
    }
}
