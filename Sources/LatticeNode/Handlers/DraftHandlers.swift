import LatticeAPI

/// Drafts of posts, each persona's own.
enum DraftHandlers {
    static func register(in table: inout HandlerTable) {
        table.onDeskWithPhoto(KeepDraft.self) { desk, request, photo, now throws(RequestError) in
            try await desk.keepDraft(request.post, photo: photo, at: now)
        }
        table.onDesk(ListDrafts.self, .personas) { desk, _, _ throws(RequestError) in
            DraftList(try await desk.drafts().map { DraftInfo($0) })
        }
        table.onDesk(EditDraft.self, .personas) { desk, request, now throws(RequestError) in
            try await desk.editDraft(request.number, text: request.text, at: now)
        }
        table.onDesk(DeleteDrafts.self, .personas) { desk, request, _ throws(RequestError) in
            try await desk.deleteDrafts(request.numbers)
            return Done()
        }
        table.onDesk(PublishDrafts.self, [.writes, .personas]) { desk, request, now throws(RequestError) in
            try await desk.publishDrafts(request.numbers, at: now)
        }
        // A path is one of this machine.
        table.onDesk(ImportDrafts.self) { desk, request, now throws(RequestError) in
            try await desk.importDrafts(request.path, at: now)
        }
    }
}
