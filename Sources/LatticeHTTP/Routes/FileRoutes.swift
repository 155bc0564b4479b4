import LatticeAPI
import LatticeCore
import LatticeGeo
import LatticeSocket

/// Files that people share.
enum FileRoutes {
    static let all: [Route] = [
        Route(
            .get, "/v1/files", .person,
            RouteFacts(
                "files", "The newest 200 files that people shared, newest first.",
                parameters: [
                    .init(name: "room", schema: JSONSchema.text, about: "Only files of this room."),
                    .init(
                        name: "person", schema: JSONSchema.text, about: "Only files sent between you and this person."),
                ],
                JSONSchema.object(("items", JSONSchema.list(FileInfo.schema))))
        ) { desk, call throws(HTTPProblem) in
            let files = try await desk.perform(ListFiles(for: try audience(call))).files
            return .json(["items": .list(files.map(\.json))])
        },
        Route(
            .post, "/v1/files", .person,
            RouteFacts(
                "shareFile",
                "Shares the file that is the body of the request, and announces it by a line. In a private room, and for one person, it is "
                    + "encrypted. Give either room or person.",
                parameters: [
                    .init(name: "name", schema: JSONSchema.text, about: "What others call it.", isRequired: true),
                    .init(name: "room", schema: JSONSchema.text, about: "Those who are in this room get it."),
                    .init(name: "person", schema: JSONSchema.text, about: "This person gets it in a private message."),
                ], status: 201, FileInfo.schema),
            beforeFile: { call throws(HTTPProblem) in BeginUpload(for: try shared(call).1) },
            { desk, call throws(HTTPProblem) in
                let (name, _) = try shared(call)
                guard let upload = call.call.upload else { preconditionFailure("the file comes before the answer") }
                let file = try await desk.perform(ShareUpload(upload, as: name))
                return .made(file.json, at: "/v1/files/\(file.id.hex)")
            }),
        Route(
            .get, "/v1/files/{id}", .person, RouteFacts("file", "One file.", FileInfo.schema)
        ) { desk, call throws(HTTPProblem) in
            .json(try await desk.perform(ShowFile(try call.line().hex)).json)
        },
        Route(
            .delete, "/v1/files/{id}", .person,
            RouteFacts(
                "removeFile",
                "Takes a file of yours back, with the line that names it; of somebody else's the copy here is removed.",
                FileInfo.schema)
        ) { desk, call throws(HTTPProblem) in
            .json(try await desk.perform(RemoveFile(try call.line().hex)).json)
        },
        Route(
            .post, "/v1/files/{id}/fetch", .person,
            RouteFacts(
                "fetchFile",
                "Fetches a file from all neighbours that have it. Its state is `here` when its content can be read.",
                FileInfo.schema)
        ) { desk, call throws(HTTPProblem) in
            .json(try await desk.perform(GetFile(try call.line().hex, into: nil)).json)
        },
        Route(
            .delete, "/v1/files/{id}/fetch", .person,
            RouteFacts(
                "cancelFile",
                "Stops fetching a file. What has come is kept. A visitor stops only what they asked for, and it goes on if somebody "
                    + "else asked for it, too.", FileInfo.schema)
        ) { desk, call throws(HTTPProblem) in
            .json(try await desk.perform(CancelFile(try call.line().hex)).json)
        },
        Route(
            .get, "/v1/files/{id}/content", .person,
            RouteFacts(
                name: "fileContent", summary: "The bytes of a file that is here; one range of them if asked for.",
                answers: [
                    .init(status: 200, about: "All of it.", schemas: types),
                    .init(status: 206, about: "The range that was asked for.", schemas: types),
                ]), content),
    ]

    /// What the file is called, and whom it is for.
    private static func shared(_ call: RouteCall) throws(HTTPProblem) -> (String, FileAudience) {
        guard let name = call.query("name"), !name.isEmpty else {
            throw .invalid(HTTPProblem.Fault("name", "name is missing"))
        }
        guard let audience = try audience(call) else {
            throw .invalid(HTTPProblem.Fault("room", "room or person is missing"))
        }
        return (name, audience)
    }

    static func audience(_ call: RouteCall) throws(HTTPProblem) -> FileAudience? {
        switch (try call.roomInQuery(), call.query("person")) {
        case (let room?, nil): return .room(room)
        case (nil, let person?): return .person(PeerReference(person))
        case (nil, nil): return nil
        case (.some, .some): throw .invalid(HTTPProblem.Fault("person", "give either room or person"))
        }
    }

    /// Other files are bytes: nothing that a stranger shared is shown as a page.
    private static let shown = ["image/jpeg", "image/png", "image/webp", "image/gif"]
    private static let bytesType = "application/octet-stream"
    private static let types = (shown + [bytesType]).map { (type: $0, schema: JSONSchema.text) }

    private static let content: Route.Handler = { desk, call throws(HTTPProblem) in
        let id = try call.line()
        let file = try await desk.perform(ShowFile(id.hex))
        guard file.state == .here else {
            throw HTTPProblem(
                409, "notHere", "This file is not here yet. POST /v1/files/\(id.hex)/fetch fetches it.")
        }
        let tag = "\"\(id.hex)\""
        var headers = [
            "etag": tag, "accept-ranges": "bytes", "cache-control": "private, no-cache",
            "content-security-policy": "sandbox; default-src 'none'",
            "content-disposition": "attachment; filename*=UTF-8''\(PercentText.encoded(file.name))",
        ]
        let type = shown.contains(file.type) ? file.type : bytesType
        func reply(_ status: Int, _ range: Range<Int64>) -> HTTPReply {
            HTTPReply(
                status, type: type, headers: headers,
                body: .pieces(FilePieces(node: desk.node, file: id.hex, range: range)))
        }
        let isSame = call.call.headers["if-range"].map { $0 == tag } ?? true
        switch ByteRange(isSame ? call.call.headers["range"] : nil, of: Int(file.size)) {
        case .whole: return reply(200, 0..<file.size)
        case .part(let part):
            let range = Int64(part.lowerBound)..<Int64(part.upperBound)
            headers["content-range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)"
            return reply(206, range)
        case .unsatisfiable:
            var problem = HTTPProblem(416, "outside", "The file has \(file.size) bytes. Ask for a range within them.")
            problem.headers["content-range"] = "bytes */\(file.size)"
            throw problem
        }
    }
}

/// Bytes of a file, read while they are sent.
package struct FilePieces: Sendable {
    let node: any MeshNode
    let file: String
    let range: Range<Int64>

    /// - Returns: `nil` at the end.
    func next(from offset: Int64) async throws(RequestError) -> [UInt8]? {
        guard offset < range.upperBound else { return nil }
        let length = Int(min(range.upperBound - offset, Int64(ReadFile.lengthMax)))
        let bytes = try await node.perform(ReadFile(file, from: offset, length: length)).bytes
        guard !bytes.isEmpty else { throw .unknownItem(id: file) }
        return bytes
    }
}

extension FileInfo {
    var json: JSON {
        var fields: [(String, JSON)] = [
            ("id", .text(id.hex)), ("name", .text(name)), ("type", .text(type)), ("size", .integer(Int(size))),
            ("by", by.json), ("at", at.json), ("state", .text(state.rawValue)),
            ("here", .integer(Int(here))), ("private", .flag(isPrivate)),
        ]
        if let with { fields.append(("with", with.json)) }
        if isDelivered { fields.append(("delivered", .flag(true))) }
        if mayStop { fields.append(("stoppable", .flag(true))) }
        if let room { fields.append(("room", .text(room.text))) }
        if let bounds { fields.append(("bounds", .list(bounds.degrees.map { .number($0) }))) }
        return .object(fields)
    }

    static let schema = JSONSchema.object(
        ("id", JSONSchema.id), ("name", JSONSchema.text), ("type", JSONSchema.text), ("size", JSONSchema.integer),
        ("by", person), ("at", JSONSchema.date), ("room?", JSONSchema.text), ("with?", person),
        ("private", JSONSchema.flag), ("delivered?", JSONSchema.flag), ("stoppable?", JSONSchema.flag),
        ("state", JSONSchema.one(of: "shared", "coming", "waiting", "here")), ("here", JSONSchema.integer),
        ("bounds?", JSONSchema.list(JSONSchema.number)))

    private static let person = JSONSchema.object(
        ("id", JSONSchema.id), ("short", JSONSchema.text), ("name?", JSONSchema.text))
}
