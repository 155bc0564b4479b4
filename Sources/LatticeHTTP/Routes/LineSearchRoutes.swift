import LatticeAPI
import LatticeCore

/// Finding the owner's lines again.
enum LineSearchRoutes {
    static let all: [Route] = [
        Route(
            .get, "/v1/search/lines", .person,
            RouteFacts(
                "searchLines",
                "Lines of rooms and private messages that contain all of the words, newest first. A page may be shorter than asked for.",
                parameters: [
                    .init(name: "words", schema: JSONSchema.text, about: "The words to search for.", isRequired: true),
                    .init(name: "room", schema: JSONSchema.text, about: "Only lines of this room."),
                ] + .paged, FoundLine.page)
        ) { desk, call throws(HTTPProblem) in
            guard let words = call.query("words") else {
                throw .invalid(HTTPProblem.Fault("words", "words must be there"))
            }
            let room = try call.roomInQuery()
            let request = SearchLines(words, in: room.map { .room($0) }, page: try call.page())
            return .json(try await desk.perform(request).json)
        },
        Route(
            .get, "/v1/lines/{id}/around", .person,
            RouteFacts(
                "linesAround", "A line of a room with the five lines before and after it.", FoundLine.page)
        ) { desk, call throws(HTTPProblem) in
            .json(try await desk.perform(LinesAround(try call.line().hex)).json)
        },
    ]
}

extension SearchLines.Reply {
    var json: JSON { ["items": .list(lines.map(\.json)), "next": .text(next?.text)] }
}

extension FoundLine {
    var json: JSON {
        var fields: [(String, JSON)] = record.map { [("record", .text($0.hex))] } ?? []
        switch conversation {
        case .room(let room): fields.append(("room", .text(room.text)))
        case .peer(let peer): fields.append(("peer", .text(peer.text)))
        }
        return .object(
            fields + [
                ("from", .text(from.hex)), ("name", .text(name)), ("text", .text(text)), ("at", at.json),
                ("edited", .flag(isEdited)), ("private", .flag(isPrivate)),
            ])
    }

    static let schema = JSONSchema.object(
        ("record?", JSONSchema.id), ("room?", JSONSchema.text), ("peer?", JSONSchema.id), ("from", JSONSchema.id),
        ("name", JSONSchema.text), ("text", JSONSchema.text), ("at", JSONSchema.date), ("edited", JSONSchema.flag),
        ("private", JSONSchema.flag))

    static let page = JSONSchema.object(
        ("items", JSONSchema.list(JSONSchema.named("FoundLine"))), ("next?", JSONSchema.text))
}
