import LatticeAPI
import LatticeWire

/// Posts, comments, events and reactions to them.
enum PostHandlers {
    static func register(in table: inout HandlerTable) {
        registerReading(in: &table)
        registerWriting(in: &table)
        registerEvents(in: &table)
    }

    private static func registerReading(in table: inout HandlerTable) {
        table.onWall(NearQuery.self, .personas) { wall, query, now throws(RequestError) in
            try await wall.near(query, at: now)
        }
        table.onWall(SearchQuery.self, .personas) { wall, query, now throws(RequestError) in
            try await wall.search(query, at: now)
        }
        table.onWall(ShowItem.self, .personas) { wall, request, now throws(RequestError) in
            try await wall.show(request.item, from: request.from, at: now)
        }
        table.onWall(ListTimeline.self, .personas) { wall, request, now throws(RequestError) in
            try await wall.timeline(request.page, at: now)
        }
        table.onWall(ListActivity.self, .personas) { wall, request, now throws(RequestError) in
            try await wall.activity(request.page, at: now)
        }
    }

    private static func registerWriting(in table: inout HandlerTable) {
        table.onWall(NewPost.self, [.writes, .personas]) { wall, post, now throws(RequestError) in
            try await wall.post(post, at: now)
        }
        table.onWall(NewComment.self, [.writes, .personas]) { wall, request, now throws(RequestError) in
            try await wall.comment(on: request.item, request.text, at: now)
        }
        table.onWall(EditItem.self, [.writes, .personas]) { wall, request, now throws(RequestError) in
            try await wall.edit(request.item, request.text, at: now)
        }
        table.onWall(DeleteItem.self, [.writes, .personas]) { wall, request, now throws(RequestError) in
            try await wall.delete(request.item, at: now)
        }
        table.onWall(LikeItem.self, [.writes, .personas]) { wall, request, now throws(RequestError) in
            try await wall.react(.like, to: request.item, request.likes, at: now)
        }
    }

    private static func registerEvents(in table: inout HandlerTable) {
        table.onWall(CreateEvent.self, [.writes, .personas]) { wall, request, now throws(RequestError) in
            try await wall.createEvent(request.event, at: now)
        }
        table.onWall(EditEvent.self, [.writes, .personas]) { wall, request, now throws(RequestError) in
            try await wall.editEvent(request.item, request.event, at: now)
        }
        table.onWall(AttendEvent.self, [.writes, .personas]) { wall, request, now throws(RequestError) in
            try await wall.react(.attendance, to: request.item, request.attends, at: now)
        }
    }
}
