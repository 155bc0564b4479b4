import LatticeAPI

enum PlaceHandlers {
    static func register(in table: inout HandlerTable) {
        table.onDeskWithPhoto(CreatePlace.self) { desk, request, photo, now throws(RequestError) in
            try await desk.createPlace(request, photo: photo, at: now)
        }
        table.onDeskWithPhoto(EditPlace.self) { desk, request, photo, now throws(RequestError) in
            try await desk.editPlace(request, photo: photo, at: now)
        }
        table.onDesk(FindPlace.self, .personas) { desk, request, now throws(RequestError) in
            let guide = PlaceGuide(reader: desk.reader)
            return try await guide.info(try await guide.find(request.place, at: now), at: now)
        }
        table.onDesk(ListPlaces.self, .personas) { desk, query, now throws(RequestError) in
            try await PlaceGuide(reader: desk.reader).list(query, at: now)
        }
        table.onDesk(ShowMeshCard.self, .personas) { desk, _, now throws(RequestError) in
            try await desk.card(at: now)
        }
        table.onDesk(SetMeshCard.self, .writes) { desk, request, now throws(RequestError) in
            try await desk.setCard(request, at: now)
        }
        table.onDesk(TakeMeshCard.self, .writes) { desk, request, now throws(RequestError) in
            try await desk.takeCard(of: request.peer, at: now)
        }
    }
}
