import LatticeAPI
import LatticeCore

enum PeopleRoutes {
    static let all: [Route] = [
        Route(
            .get, "/v1/people", .anybody,
            RouteFacts(
                "people", "People with a profile, those you follow first; 1,000 at most.", parameters: .paged,
                JSONSchema.object(("items", JSONSchema.list(JSONSchema.named("Person"))), ("next?", JSONSchema.text)))
        ) { desk, call throws(HTTPProblem) in
            let part = try call.part(of: try await desk.perform(ListProfiles()).people) { $0.id.hex }
            let items = try await named(Array(part.items), desk)
            return .json(["items": .list(items.map(\.json)), "next": part.next])
        },
        Route(
            .get, "/v1/people/{id}", .anybody,
            RouteFacts("person", "The profile of a person.", JSONSchema.named("Person"))
        ) { desk, call throws(HTTPProblem) in
            let person = try await desk.perform(ShowProfile(PeerReference(call.value("id"))))
            return .json(try await named([person], desk)[0].json)
        },
        Route(
            .get, "/v1/people/me", .anybody,
            RouteFacts("ownProfile", "Your own profile.", JSONSchema.named("Person"))
        ) { desk, _ throws(HTTPProblem) in
            .json(try await named([try await desk.perform(ShowProfile())], desk)[0].json)
        },
        Route(
            .patch, "/v1/people/me", .person,
            RouteFacts(
                "setProfile", "Changes your profile. A `photo` that is `null` removes yours.",
                body: JSONSchema.object(
                    ("name?", JSONSchema.text), ("about?", JSONSchema.text), ("colour?", JSONSchema.colour),
                    ("photo?", ["oneOf": [PhotoBody.schema, ["type": "null"]]])),
                JSONSchema.named("Person")), change),
        follow(.put, true), follow(.delete, false),
        Route(
            .post, "/v1/follows", .person,
            RouteFacts(
                "followMet",
                "Follows the people who were here since a time, without those you ignore or follow; at most \(FollowMet.peopleMax) "
                    + "of them.",
                body: JSONSchema.object(("since", JSONSchema.date)),
                JSONSchema.object(("items", JSONSchema.list(JSONSchema.named("Person")))))
        ) { desk, call throws(HTTPProblem) in
            let text = try call.body(Met.self).since
            guard let since = RFC3339.read(text) else {
                throw .invalid(HTTPProblem.Fault("since", "since must be a date such as 2026-12-01T00:00:00Z"))
            }
            let people = try await named(try await desk.perform(FollowMet(since: since)).people, desk)
            return .json(["items": .list(people.map(\.json))])
        },
    ]

    private struct Met: Decodable {
        let since: String
    }

    private static func follow(_ method: HTTPCall.Method, _ follows: Bool) -> Route {
        Route(
            method, "/v1/people/{id}/follow", .person,
            RouteFacts(
                follows ? "follow" : "unfollow", follows ? "Follows a person." : "Stops following a person.",
                JSONSchema.named("Person"))
        ) { desk, call throws(HTTPProblem) in
            .json(try await desk.perform(FollowPerson(PeerReference(call.value("id")), follows)).json)
        }
    }

    /// People without a profile still have a name.
    private static func named(_ people: [PersonInfo], _ desk: HTTPDesk) async throws(HTTPProblem) -> [PersonInfo] {
        guard people.contains(where: { $0.name == nil }) else { return people }
        let me = try await desk.me()
        var names: [PeerID: String] = [:]
        for peer in try await desk.peers() {
            if let id = peer.id, !peer.name.isEmpty { names[id] = peer.name }
        }
        names[me.id] = me.name.text
        return people.map { person in
            var person = person
            person.name = person.name ?? names[person.id]
            return person
        }
    }

    private struct Change: Decodable {
        let name: String?
        let about: String?
        let colour: String?
        let photo: PhotoBody?
        let removesPhoto: Bool

        private enum Field: CodingKey {
            case name, about, colour, photo
        }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: Field.self)
            name = try fields.decodeIfPresent(String.self, forKey: .name)
            about = try fields.decodeIfPresent(String.self, forKey: .about)
            colour = try fields.decodeIfPresent(String.self, forKey: .colour)
            photo = try fields.decodeIfPresent(PhotoBody.self, forKey: .photo)
            removesPhoto = fields.contains(.photo) && photo == nil
        }
    }

    private static let change: Route.Handler = { desk, call throws(HTTPProblem) in
        let body = try call.body(Change.self, removable: ["photo"])
        var change = ProfileChange(about: body.about, alt: body.photo?.alt)
        if let photo = body.photo { change.photo = .new(try photo.source()) }
        if body.removesPhoto { change.photo = .remove }
        if let name = body.name {
            do throws(NameError) {
                change.name = try PeerName(name)
            } catch {
                throw .invalid(HTTPProblem.Fault("name", error.description))
            }
        }
        if let text = body.colour {
            guard let colour = Colour(parsing: text) else {
                throw .invalid(
                    HTTPProblem.Fault("colour", "colour must have six hexadecimal digits, such as #1e90ff"))
            }
            change.colour = colour
        }
        guard let name = change.name else { return .json(try await desk.perform(change).json) }
        let reserved =
            if let seat = call.seat { try await desk.visitors?.reserve(name, for: seat) } else { nil as String? }
        do throws(HTTPProblem) {
            let person = try await desk.perform(change)
            // The name is shown in rooms, too.
            _ = try await desk.perform(Rename(name))
            if let seat = call.seat { try await desk.visitors?.renamed(seat, name) }
            await desk.visitors?.release(reserved)
            return .json(person.json)
        } catch {
            await desk.visitors?.release(reserved)
            throw error
        }
    }
}
