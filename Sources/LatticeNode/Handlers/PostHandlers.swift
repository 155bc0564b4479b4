import LatticeAPI
import LatticeWire

enum PostHandlers {
    static func register(in table: inout HandlerTable) {
        registerReading(in: &table)
        registerWriting(in: &table)
        registerEvents(in: &table)
    }

    private static func registerReading(in table: inout HandlerTable) {
        table.onDesk(NearQuery.self, .personas) { desk, query, now throws(RequestError) in
            try await NearGuide(reader: desk.reader).list(query, at: now)
        }
        table.onDesk(SearchQuery.self, .personas) { desk, query, now throws(RequestError) in
            try await desk.reader.search(query, at: now)
        }
        table.onDesk(ShowItem.self, .personas) { desk, request, now throws(RequestError) in
            try await desk.reader.show(request.item, from: request.from, at: now)
        }
        table.onDesk(ListTimeline.self, .personas) { desk, request, now throws(RequestError) in
            try await desk.reader.timeline(request, at: now)
        }
    }

    private static func registerWriting(in table: inout HandlerTable) {
        table.onDeskWithPhoto(NewPost.self) { desk, post, photo, now throws(RequestError) in
            try await desk.post(post, photo: photo, at: now)
        }
        table.onDesk(NewComment.self, [.writes, .personas]) { desk, request, now throws(RequestError) in
            try await desk.comment(on: request.item, request.text, at: now)
        }
        table.onDeskWithPhoto(EditItem.self) { desk, request, photo, now throws(RequestError) in
            try await desk.edit(request, photo: photo, at: now)
        }
        table.onDesk(DeleteItem.self, [.writes, .personas]) { desk, request, now throws(RequestError) in
            try await desk.delete(request.item, at: now)
        }
        table.onDesk(LikeItem.self, [.writes, .personas]) { desk, request, now throws(RequestError) in
            try await desk.react(.like, to: request.item, request.likes, at: now)
        }
    }

    private static func registerEvents(in table: inout HandlerTable) {
        table.onDeskWithPhoto(CreateEvent.self) { desk, request, photo, now throws(RequestError) in
            try await desk.createEvent(request.event, photo: photo, at: now)
        }
        table.onDeskWithPhoto(EditEvent.self) { desk, request, photo, now throws(RequestError) in
            try await desk.editEvent(request.item, request.event, photo: photo, at: now)
        }
        table.onDesk(ListEvents.self, .personas) { desk, request, now throws(RequestError) in
            try await EventList(reader: desk.reader).page(request, at: now)
        }
        table.onDesk(AttendEvent.self, [.writes, .personas]) { desk, request, now throws(RequestError) in
            try await desk.react(.attendance, to: request.item, request.attends, at: now)
        }
    }
}
