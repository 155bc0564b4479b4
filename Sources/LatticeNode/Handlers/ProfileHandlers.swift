import LatticeAPI

/// Profiles, follows, and where a persona is.
enum ProfileHandlers {
    static func register(in table: inout HandlerTable) {
        table.onWall(ShowProfile.self, .personas) { wall, request, now throws(RequestError) in
            try await wall.profile(request.peer, at: now)
        }
        table.onWall(ListProfiles.self, .personas) { wall, _, now throws(RequestError) in
            .init(try await wall.people(at: now))
        }
        table.onWall(ProfileChange.self, [.writes, .personas]) { wall, change, now throws(RequestError) in
            try await wall.setProfile(change, at: now)
        }
        table.onWall(FollowPerson.self, [.writes, .personas]) { wall, request, now throws(RequestError) in
            try await wall.follow(request.peer, request.follows, at: now)
        }
        table.onWall(ShowHere.self, .personas) { wall, _, _ throws(RequestError) in Here(try await wall.here()) }
        table.onWall(SetHere.self, [.writes, .personas]) { wall, request, _ throws(RequestError) in
            Here(try await wall.setHere(request.place))
        }
    }
}
