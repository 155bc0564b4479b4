import LatticeAPI

enum ProfileHandlers {
    static func register(in table: inout HandlerTable) {
        table.onDesk(ShowProfile.self, .personas) { desk, request, now throws(RequestError) in
            try await desk.reader.profile(request.peer, at: now)
        }
        table.onDesk(ListProfiles.self, .personas) { desk, _, now throws(RequestError) in
            .init(try await desk.reader.people(at: now))
        }
        table.onDeskWithPhoto(ProfileChange.self) { desk, change, photo, now throws(RequestError) in
            try await desk.setProfile(change, photo: photo, at: now)
        }
        table.onDesk(FollowPerson.self, [.writes, .personas]) { desk, request, now throws(RequestError) in
            try await desk.follow(request.peer, request.follows, at: now)
        }
        table.onDesk(ShowHere.self, .personas) { desk, _, _ throws(RequestError) in Here(try await desk.reader.here()) }
        table.onDesk(SetHere.self, [.writes, .personas]) { desk, request, _ throws(RequestError) in
            Here(try await desk.setHere(request.place))
        }
    }
}
