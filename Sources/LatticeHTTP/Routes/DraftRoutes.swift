import LatticeAPI
import LatticeCore
import LatticeGeo

/// Posts that the caller has written and not published.
enum DraftRoutes {
    static let all: [Route] = [
        Route(
            .get, "/v1/drafts", .person,
            RouteFacts(
                "drafts", "Your drafts, in the order in which they were written.",
                JSONSchema.object(("drafts", JSONSchema.list(JSONSchema.named("Draft")))))
        ) { desk, _ throws(HTTPProblem) in
            .json(["drafts": .list(try await desk.perform(ListDrafts()).drafts.map(\.json))])
        },
        Route(
            .post, "/v1/drafts", .person,
            RouteFacts(
                "keepDraft",
                "Keeps a post, with its place and the current time, until you publish it. Nobody else gets it before. Up to 500, 50 "
                    + "of them with photos; the original of a photo is not kept.",
                body: PostRoutes.newPost, status: 201, JSONSchema.named("Draft"))
        ) { desk, call throws(HTTPProblem) in
            let draft = try await desk.perform(KeepDraft(try PostRoutes.newPost(call)))
            return .made(draft.json, at: "/v1/drafts/\(draft.number)")
        },
        Route(
            .patch, "/v1/drafts/{number}", .person,
            RouteFacts(
                "editDraft", "Replaces the words of a draft.", body: JSONSchema.object(("text", JSONSchema.text)),
                JSONSchema.named("Draft"))
        ) { desk, call throws(HTTPProblem) in
            .json(try await desk.perform(EditDraft(try number(call), text: try call.body(Words.self).text)).json)
        },
        Route(
            .delete, "/v1/drafts/{number}", .person,
            RouteFacts(
                name: "deleteDraft", summary: "Deletes a draft.",
                answers: [.init(status: 204, about: "It is deleted.", schemas: [])])
        ) { desk, call throws(HTTPProblem) in
            _ = try await desk.perform(DeleteDrafts([try number(call)]))
            return HTTPReply(204)
        },
        Route(
            .post, "/v1/drafts/publish", .person,
            RouteFacts(
                "publishDrafts",
                "Publishes drafts in the order in which they were written, without `numbers` all of them. Those that cannot be "
                    + "published stay, and `failed` says why.",
                body: JSONSchema.object(("numbers?", JSONSchema.list(JSONSchema.integer))), PublishDrafts.Reply.schema)
        ) { desk, call throws(HTTPProblem) in
            let numbers = try call.body(Numbers.self).numbers?.map(\.value)
            return .json(try await desk.perform(PublishDrafts(numbers)).json)
        },
    ]

    private struct Words: Decodable {
        let text: String
    }

    private struct Numbers: Decodable {
        let numbers: [WholeNumber]?

        private enum CodingKeys: CodingKey {
            case numbers
        }

        /// `null` does not mean all: somebody would publish more than they meant.
        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            numbers = fields.contains(.numbers) ? try fields.decode([WholeNumber].self, forKey: .numbers) : nil
        }
    }

    private static func number(_ call: RouteCall) throws(HTTPProblem) -> Int {
        guard let number = Int(call.value("number")) else {
            throw .notFound("There is no draft of this name; a draft has a number.")
        }
        return number
    }
}

extension DraftInfo {
    fileprivate var json: JSON {
        [
            "number": .integer(number), "text": .text(text), "lat": .number(place.latitude),
            "lon": .number(place.longitude), "blur": .integer(blur), "place_name": .text(placeName),
            "written_at": written.json, "lifetime_seconds": .integer(lifetime.map { Int($0.components.seconds) }),
            "urgent": .flag(isUrgent), "at_place": .text(atPlace?.hex), "unlock_metres": .integer(unlockMetres),
            "photo": photo?.json,
        ]
    }

    static let schema = JSONSchema.object(
        ("number", JSONSchema.integer), ("text", JSONSchema.text), ("lat", JSONSchema.number(-90...90)),
        ("lon", JSONSchema.number(-180...180)), ("blur?", JSONSchema.integer(1...12)), ("place_name?", JSONSchema.text),
        ("written_at", JSONSchema.date), ("lifetime_seconds?", JSONSchema.integer), ("urgent", JSONSchema.flag),
        ("at_place?", JSONSchema.id), ("unlock_metres?", JSONSchema.integer), ("photo?", PhotoInfo.schema))
}

extension PublishDrafts.Reply {
    fileprivate var json: JSON {
        let failed: [JSON] = failed.map { failed in
            let problem = HTTPProblem(withoutPaths: failed.error)
            return ["number": .integer(failed.number), "code": .text(problem.code), "detail": .text(problem.detail)]
        }
        return ["items": .list(items.map(\.json)), "failed": .list(failed)]
    }

    fileprivate static let schema = JSONSchema.object(
        ("items", JSONSchema.list(JSONSchema.named("Item"))),
        (
            "failed",
            JSONSchema.list(
                JSONSchema.object(
                    ("number", JSONSchema.integer), ("code", JSONSchema.text), ("detail", JSONSchema.text)))
        ))
}
