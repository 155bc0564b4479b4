import LatticeAPI
import LatticeCore

/// Photos of posts, events and people.
enum PhotoRoutes {
    private static let uploadSchema = JSONSchema.object(
        ("upload", JSONSchema.text),
        (
            "photo",
            JSONSchema.object(
                ("width", JSONSchema.integer), ("height", JSONSchema.integer), ("size", JSONSchema.integer))
        ))

    static let all: [Route] =
        [
            Route(
                .post, "/v1/uploads", .person,
                RouteFacts(
                    "uploadPhoto",
                    "Makes a photo of the picture that is the body of the request. A post, an event or a profile can name it "
                        + "within the hour.", status: 201, uploadSchema),
                beforeFile: { _ in BeginUpload() }, fileBytesMax: 64 << 20,
                { desk, call throws(HTTPProblem) in
                    guard let upload = call.call.upload else { preconditionFailure("the file comes before the answer") }
                    let photo = try await desk.perform(PreparePhoto(upload))
                    return .made(
                        ["upload": .text(upload.hex), "photo": photo.json], at: "/v1/uploads/\(upload.hex)")
                }),
            Route(
                .delete, "/v1/uploads/{upload}", .person,
                RouteFacts(
                    name: "cancelUpload", summary: "Removes a photo that nothing names yet.",
                    answers: [.init(status: 204, about: "It is gone.", schemas: [])])
            ) { desk, call throws(HTTPProblem) in
                guard let upload = UploadID(hex: call.value("upload")) else {
                    throw .notFound("There is no such upload; an upload has 16 digits.")
                }
                _ = try await desk.perform(CancelUpload(upload))
                return HTTPReply(204)
            },
        ] + ofItems + ofPeople

    /// Where the reader is: an item that is too far away to be read shows no photo.
    static let place: [RouteFacts.Parameter] = [.latitude, .longitude]

    private static let ofItems = [
        read("/v1/items/{id}/photo", "itemPhoto", "The photo of a post or an event.", place) {
            desk, call throws(HTTPProblem) in
            try await desk.perform(ReadPhoto(ItemReference(call.value("id")), from: try call.centre())).bytes
        },
        read(
            "/v1/items/{id}/thumbnail", "itemThumbnail", "A small picture of the photo of a post or an event.", place
        ) { desk, call throws(HTTPProblem) in
            let request = ReadPhoto(ItemReference(call.value("id")), .thumbnail, from: try call.centre())
            return try await desk.perform(request).bytes
        },
    ]

    private static let ofPeople = [
        read("/v1/people/{id}/photo", "personPhoto", "The photo of a person.") { desk, call throws(HTTPProblem) in
            try await desk.perform(ReadPersonPhoto(PeerReference(call.value("id")))).bytes
        },
        read("/v1/people/{id}/thumbnail", "personThumbnail", "A small picture of the photo of a person.") {
            desk, call throws(HTTPProblem) in
            try await desk.perform(ReadPersonPhoto(PeerReference(call.value("id")), .thumbnail)).bytes
        },
    ]

    /// A picture of a stranger's, which is nothing but a picture.
    private static func read(
        _ pattern: String, _ name: String, _ summary: String, _ parameters: [RouteFacts.Parameter] = [],
        _ bytes: @escaping @Sendable (HTTPDesk, RouteCall) async throws(HTTPProblem) -> [UInt8]
    ) -> Route {
        let facts = RouteFacts(
            name: name, summary: summary, parameters: parameters,
            answers: [
                .init(status: 200, about: summary, schemas: [(type: "image/jpeg", schema: JSONSchema.text)])
            ])
        return Route(.get, pattern, .anybody, facts) { desk, call throws(HTTPProblem) in
            HTTPReply(
                200, type: "image/jpeg",
                headers: [
                    "cache-control": "private, no-cache", "content-security-policy": "sandbox; default-src 'none'",
                ], body: .bytes(try await bytes(desk, call)))
        }
    }
}

/// The photo that a request names, with what it shows in words.
struct PhotoBody: Decodable {
    let upload: String
    let alt: String?
    /// Whether the picture itself is shared, too.
    let original: Bool?

    static let schema = JSONSchema.object(
        ("upload", JSONSchema.text), ("alt?", JSONSchema.text), ("original?", JSONSchema.flag))

    func source() throws(HTTPProblem) -> PhotoSource {
        guard let upload = UploadID(hex: upload) else {
            throw .invalid(HTTPProblem.Fault("photo.upload", "photo.upload must have 16 digits"))
        }
        return .upload(upload, original: original == true)
    }
}

extension PhotoInfo {
    var json: JSON {
        [
            "width": .integer(width), "height": .integer(height), "size": .integer(Int(size)), "alt": .text(alt),
        ]
    }

    static let schema = JSONSchema.object(
        ("width", JSONSchema.integer), ("height", JSONSchema.integer), ("size", JSONSchema.integer),
        ("alt?", JSONSchema.text))
}
