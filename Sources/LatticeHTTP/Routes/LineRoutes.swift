import LatticeAPI
import LatticeCore

/// What people do to lines of rooms and to private messages: look at one, react, edit, delete.
enum LineRoutes {
    private struct Words: Decodable {
        let text: String
    }

    static let all: [Route] = [
        Route(
            .get, "/v1/lines/{id}", .anybody,
            RouteFacts("line", "A line of a room, or a private message, as it is now.", SaidLine.schema), show),
        Route(
            .patch, "/v1/lines/{id}", .person,
            RouteFacts(
                "editLine", "Changes the text of your own line.", body: JSONSchema.object(("text", JSONSchema.text)),
                SaidLine.schema)
        ) { desk, call throws(HTTPProblem) in
            let edit = EditLine(try call.line(), try call.body(Words.self).text)
            return .json(try await desk.perform(edit).json)
        },
        Route(
            .delete, "/v1/lines/{id}", .person,
            RouteFacts(
                "deleteLine", "Deletes your own line: its text is erased everywhere.", SaidLine.schema)
        ) { desk, call throws(HTTPProblem) in .json(try await desk.perform(DeleteLine(try call.line())).json) },
        reaction(.put, true), reaction(.delete, false),
    ]

    private static func reaction(_ method: HTTPCall.Method, _ holds: Bool) -> Route {
        Route(
            method, "/v1/lines/{id}/reactions/{emoji}", .person,
            RouteFacts(
                holds ? "react" : "unreact",
                holds ? "Reacts to a line with one emoji." : "Takes back your reaction with this emoji.",
                SaidLine.schema)
        ) { desk, call throws(HTTPProblem) in
            .json(try await desk.perform(ReactToLine(try call.line(), call.value("emoji"), holds: holds)).json)
        }
    }

    private static let show: Route.Handler = { desk, call throws(HTTPProblem) in
        let said = try await desk.perform(ShowLine(try call.line()))
        guard case .room(let line) = said else {
            if !call.isPerson { throw HTTPProblem(RequestError.unknownLine) }
            return .json(said.json)
        }
        // As in its list of messages, the existence of a private room is private, too.
        if !call.isPerson {
            let isHidden = try await desk.me().privateRooms.contains(line.room)
            if line.isPrivate || isHidden { throw HTTPProblem(RequestError.unknownLine) }
        }
        return .json(line.json)
    }
}

extension RouteCall {
    func line() throws(HTTPProblem) -> RecordID { try Self.line(value("id"), "id") }
}
