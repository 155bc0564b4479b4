import LatticeAPI
import LatticeCore
import LatticeCrypto

/// Requests about people: of every persona, with a node, without one, and beside a damaged store.
enum KnownHandlers {
    static func register(in table: inout HandlerTable) {
        table.onKnown(ListKnownPeople.self) { desk, _, now throws(RequestError) in
            let (people, known) = try desk.people(at: now)
            return (.init(people), known)
        }
        table.onKnown(FindPerson.self) { desk, request, now throws(RequestError) in
            try await desk.person(request.peer, at: now)
        }
        table.onKnown(ShowSafetyNumber.self) { desk, request, now throws(RequestError) in
            try await desk.safetyNumber(request.peer, at: now)
        }
        table.onKnown(RemoveContact.self) { desk, request, now throws(RequestError) in
            try await desk.remove(request.peer, at: now)
        }
        table.onKnown(MuteRoom.self) { desk, request, _ throws(RequestError) in
            try await desk.mute(request.room, request.isMuted)
        }
        table.onKnown(ListMutedRooms.self) { desk, _, _ throws(RequestError) in try desk.muted() }
        registerMarks(in: &table)
    }

    private static func registerMarks(in table: inout HandlerTable) {
        table.onKnown(
            VerifyPerson.self, letsIn: { $0.isRight ? $1 : nil },
            { desk, request, now throws(RequestError) in
                try await desk.mark(request.peer, at: now) { person in
                    person.verified = request.isRight ? person.verified ?? now : nil
                }
            })
        table.onKnown(
            AddContact.self, letsIn: { $1 },
            { desk, request, now throws(RequestError) in
                try await desk.mark(request.peer, at: now) { person in
                    person.added = person.added ?? now
                    person.petname = request.petname ?? person.petname
                }
            })
        table.onKnown(
            BlockPerson.self, blocks: { $0.isBlocked },
            { desk, request, now throws(RequestError) in
                try await desk.mark(request.peer, at: now) { person in
                    person.blocked = request.isBlocked ? person.blocked ?? now : nil
                }
            })
        table.onKnown(
            BlockPeople.self, blocks: { _ in true },
            { desk, request, now throws(RequestError) in try await desk.block(request.entries, at: now) })
        table.onKnown(IgnorePerson.self) { desk, request, now throws(RequestError) in
            try await desk.mark(request.peer, at: now) { person in
                person.ignored = request.isIgnored ? person.ignored ?? now : nil
            }
        }
    }
}

extension HandlerTable {
    fileprivate typealias KnownWork<R: Request> =
        @Sendable (KnownDesk, R, WallTime) async throws(RequestError) ->
        KnownDesk.Outcome<R.Reply>

    /// - Parameters:
    ///   - letsIn: the contact who may link from now on, where only contacts may.
    ///   - blocks: whether somebody is now blocked.
    fileprivate mutating func onKnown<R: Request>(
        _: R.Type,
        letsIn: @escaping @Sendable (R, R.Reply) -> KnownPerson? = { _, _ in nil },
        blocks: @escaping @Sendable (R) -> Bool = { _ in false }, _ work: @escaping KnownWork<R>
    ) {
        add(
            Handler<R>(
                isOwnersAlone: false,
                { node, persona, request throws(RequestError) in
                    let reply = try await Contacts.ask(of: persona, for: node) { desk, now throws(RequestError) in
                        try await work(desk, request, now)
                    }
                    if persona.isOwner, let person = letsIn(request, reply) { Contacts.letIn(person, for: node) }
                    return reply
                },
                withoutNode: { store, request throws(RequestError) in
                    try await store.known(blocks: blocks(request)) { desk, now throws(RequestError) in
                        try await work(desk, request, now)
                    }
                },
                damaged: { store, request throws(RequestError) in
                    try await work(store.desk, request, store.file.clock.now).0
                }, onDesk: nil))
    }
}
