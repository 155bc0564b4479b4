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
        registerFollowingMet(in: &table)
        table.onDesk(ShowHere.self, .personas) { desk, _, _ throws(RequestError) in Here(try await desk.reader.here()) }
        table.onDesk(SetHere.self, [.writes, .personas]) { desk, request, _ throws(RequestError) in
            Here(try await desk.setHere(request.place))
        }
    }

    /// Needs to know whom this persona has met, and who is here.
    private static func registerFollowingMet(in table: inout HandlerTable) {
        table.onPersona(
            FollowMet.self,
            { node, persona, request throws(RequestError) in
                var met = try await Contacts.ask(of: persona, for: node) { desk, now throws(RequestError) in
                    try desk.people(at: now)
                }
                // Those who are here are seen now.
                let here = Set(
                    ([PeerHandlers.owner(of: node)] + PeerHandlers.peers(of: node)).filter(\.isHere).map(\.id))
                for index in met.indices where here.contains(met[index].id) { met[index].lastSeen = node.clock.now }
                let desk = try node.publisher.desk(of: persona, for: node)
                let people = try await desk.follow(met, since: request.since, at: node.clock.now)
                node.personas.newsScopeChanged(of: persona)
                await node.publisher.wrote(people, by: persona, for: node)
                return .init(people)
            },
            withoutNode: { store, request throws(RequestError) in
                let met = try await store.known(blocks: false) { desk, now throws(RequestError) in
                    try desk.people(at: now)
                }
                return .init(try await store.archive.desk.follow(met, since: request.since, at: await store.time()))
            })
    }
}
