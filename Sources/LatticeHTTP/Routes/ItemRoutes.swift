import LatticeAPI
import LatticeCore

enum ItemRoutes {
    private struct Words: Decodable {
        let text: String
    }

    private struct Change: Decodable {
        let text: String?
        let photo: Photo?
        let removesPhoto: Bool

        /// Another photo, other words for the one that is there, or both.
        struct Photo: Decodable {
            let upload: String?
            let alt: String?
            let original: Bool?

            static let schema = JSONSchema.object(
                ("upload?", JSONSchema.text), ("alt?", JSONSchema.text), ("original?", JSONSchema.flag))

            func change() throws(HTTPProblem) -> PhotoChange? {
                if let upload { return .new(try PhotoBody(upload: upload, alt: alt, original: original).source()) }
                guard alt == nil else { return nil }
                throw .invalid(HTTPProblem.Fault("photo.upload", "photo needs an upload, an alt or both"))
            }
        }

        private enum Field: CodingKey {
            case text, photo
        }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: Field.self)
            text = try fields.decodeIfPresent(String.self, forKey: .text)
            photo = try fields.decodeIfPresent(Photo.self, forKey: .photo)
            removesPhoto = fields.contains(.photo) && photo == nil
        }
    }

    private static let words = JSONSchema.object(("text", JSONSchema.text))

    static let all: [Route] = [
        Route(
            .get, "/v1/items/{id}", .anybody,
            RouteFacts(
                "item", "One item with its comments and likes.", parameters: [.latitude, .longitude],
                JSONSchema.named("ItemDetail")), show),
        Route(
            .patch, "/v1/items/{id}", .person,
            RouteFacts(
                "edit",
                "Changes the text or the photo of your own item. A `photo` without an `upload` gets other words; "
                    + "`null` removes it.",
                body: JSONSchema.object(
                    ("text?", JSONSchema.text), ("photo?", ["oneOf": [Change.Photo.schema, ["type": "null"]]])),
                JSONSchema.named("Item"))
        ) { desk, call throws(HTTPProblem) in
            let body = try call.body(Change.self, removable: ["photo"])
            let photo: PhotoChange? =
                if let new = body.photo { try new.change() } else if body.removesPhoto { .remove } else { nil }
            let edit = EditItem(call.item, text: body.text, photo: photo, alt: body.photo?.alt)
            return .json(try await desk.perform(edit).json)
        },
        Route(
            .delete, "/v1/items/{id}", .person,
            RouteFacts(
                "delete", "Deletes your own item, or a comment on it.",
                JSONSchema.named("Item"))
        ) { desk, call throws(HTTPProblem) in .json(try await desk.perform(DeleteItem(call.item)).json) },
        Route(
            .post, "/v1/items/{id}/comments", .person,
            RouteFacts("comment", "Adds a comment to an item.", body: words, status: 201, JSONSchema.named("Item"))
        ) { desk, call throws(HTTPProblem) in
            let item = try await desk.perform(NewComment(on: call.item, text: try call.body(Words.self).text))
            return .made(item.json, at: "/v1/items/\(item.id.hex)")
        },
        like(.put, true), like(.delete, false), attendance(.put, true), attendance(.delete, false),
    ]

    private static func like(_ method: HTTPCall.Method, _ likes: Bool) -> Route {
        Route(
            method, "/v1/items/{id}/like", .person,
            RouteFacts(
                likes ? "like" : "unlike", likes ? "Likes an item." : "Removes your like.", JSONSchema.named("Item"))
        ) { desk, call throws(HTTPProblem) in .json(try await desk.perform(LikeItem(call.item, likes)).json) }
    }

    private static func attendance(_ method: HTTPCall.Method, _ attends: Bool) -> Route {
        Route(
            method, "/v1/items/{id}/attendance", .person,
            RouteFacts(
                attends ? "attend" : "unattend",
                attends ? "Says that you are going to an event." : "Says that you are not going.",
                JSONSchema.named("Item"))
        ) { desk, call throws(HTTPProblem) in .json(try await desk.perform(AttendEvent(call.item, attends)).json) }
    }

    private static let show: Route.Handler = { desk, call throws(HTTPProblem) in
        .json(try await desk.detail(call.value("id"), from: try call.centre()).json)
    }
}

extension RouteCall {
    fileprivate var item: ItemReference { ItemReference(value("id")) }
}
