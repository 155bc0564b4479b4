import LatticeAPI
import LatticeCore

/// Who writes here.
enum PeopleRoutes {
    static let all: [Route] = [
        Route(
            .get, "/v1/people", .anybody,
            RouteFacts(
                "people", "Everybody with a profile, those you follow first; 1,000 at most.", parameters: .paged,
                Schema.object(("items", Schema.list(Schema.named("Person"))), ("next?", Schema.text)))
        ) { desk, call throws(HTTPProblem) in
            let people: [PersonInfo] = try await desk.ask(.wall(.people)) { answer in
                if case .wall(.people(let people)) = answer { people } else { nil }
            }
            let part = try call.part(of: people) { $0.id.hex }
            return .json(["items": .list(part.items.map(\.json)), "next": part.next])
        },
        Route(
            .get, "/v1/people/{id}", .anybody,
            RouteFacts("person", "Somebody's profile; `me` is your own.", Schema.named("Person"))
        ) { desk, call throws(HTTPProblem) in
            let id = call.value("id")
            return .json(try await desk.person(.profile(id == "me" ? nil : PeerReference(id))).json)
        },
        Route(
            .patch, "/v1/people/me", .owner,
            RouteFacts(
                "setProfile", "Changes your own profile.",
                body: Schema.object(("name?", Schema.text), ("about?", Schema.text), ("colour?", Schema.colour)),
                Schema.named("Person")), change),
        follow(.put, true), follow(.delete, false),
    ]

    private static func follow(_ method: HTTPCall.Method, _ follows: Bool) -> Route {
        Route(
            method, "/v1/people/{id}/follow", .owner,
            RouteFacts(
                follows ? "follow" : "unfollow", follows ? "Follows somebody." : "Follows them no more.",
                Schema.named("Person"))
        ) { desk, call throws(HTTPProblem) in
            .json(try await desk.person(.follow(PeerReference(call.value("id")), follows)).json)
        }
    }

    private struct Change: Decodable {
        let name: String?
        let about: String?
        let colour: String?
    }

    private static let change: Route.Handler = { desk, call throws(HTTPProblem) in
        let body = try call.body(Change.self)
        var change = ProfileChange(about: body.about)
        if let name = body.name {
            do throws(NameError) {
                change.name = try PeerName(name)
            } catch {
                throw .invalid(RequestError.FieldFault("name", error.description))
            }
        }
        if let text = body.colour {
            guard let colour = Colour(parsing: text) else {
                throw .invalid(RequestError.FieldFault("colour", "a colour has six digits, as in #1e90ff"))
            }
            change.colour = colour
        }
        // Those who are there see the name in their rooms, too, not in the profile alone.
        if let name = change.name { try await desk.done(.rename(name)) }
        return .json(try await desk.person(.setProfile(change)).json)
    }
}
