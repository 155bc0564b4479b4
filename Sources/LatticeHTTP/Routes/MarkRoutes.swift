import LatticeAPI
import LatticeCore

/// What a person thinks of others: whom they verified, ignore or block, and which rooms they muted.
enum MarkRoutes {
    static let all: [Route] =
        [
            Route(
                .get, "/v1/marks", .person,
                RouteFacts(
                    "marks", "Whom you verified, ignore and block, and which rooms you muted.", ContactMarks.schema)
            ) { desk, _ throws(HTTPProblem) in
                let people = try await desk.perform(ListKnownPeople()).people
                let muted = try await desk.perform(ListMutedRooms()).rooms
                return .json(ContactMarks(people, muted: muted).json)
            },
            Route(
                .get, "/v1/people/{id}/number", .person,
                RouteFacts(
                    "safetyNumber",
                    "The number that you and this person compare: 12 groups of 5 digits, and the same as 12 words. Both of you see "
                        + "the same, unless somebody pretends to be one of you.", SafetyNumberInfo.schema)
            ) { desk, call throws(HTTPProblem) in
                .json(try await desk.perform(ShowSafetyNumber(PeerReference(call.value("id")))).json)
            },
        ] + verify + ignore + block + mute

    private static let verify = person(
        "verify", "Marks a person as verified: you have compared the number.", "unverify", "Removes that mark."
    ) { VerifyPerson($0, $1) }

    private static let ignore = person(
        "ignore", "Ignores a person: what they write is not shown to you. Others still see it.", "unignore",
        "Stops ignoring a person."
    ) { IgnorePerson($0, $1) }

    private static let block = person(
        "block",
        "Blocks a person. Nothing of a person whom the owner blocks is stored or relayed. A visitor who blocks somebody sees "
            + "nothing of them.", "unblock", "Stops blocking a person."
    ) { BlockPerson($0, $1) }

    /// PUT sets a mark, and DELETE removes it.
    private static func person<R: Request>(
        _ name: String, _ about: String, _ undoing: String, _ aboutUndoing: String,
        _ request: @escaping @Sendable (PeerReference, Bool) -> R
    ) -> [Route] where R.Reply == KnownPerson {
        [(HTTPCall.Method.put, name, about, true), (.delete, undoing, aboutUndoing, false)].map {
            method, operation, about, holds in
            Route(
                method, "/v1/people/{id}/\(name)", .person,
                RouteFacts(operation, about, KnownPerson.schema)
            ) { desk, call throws(HTTPProblem) in
                .json(try await desk.perform(request(PeerReference(call.value("id")), holds)).json)
            }
        }
    }

    private static let mute = [
        (HTTPCall.Method.put, "mute", "Mutes a room: it is stored, and no message in it counts or rings.", true),
        (.delete, "unmute", "Stops muting a room.", false),
    ].map { method, name, about, holds in
        Route(
            method, "/v1/rooms/{name}/mute", .person,
            RouteFacts(name, about, JSONSchema.object(("muted", JSONSchema.list(JSONSchema.text))))
        ) { desk, call throws(HTTPProblem) in
            let rooms = try await desk.perform(MuteRoom(try call.room(), holds)).rooms
            return .json(["muted": .list(rooms.map { .text($0.text) })])
        }
    }
}

extension ContactMarks {
    var json: JSON {
        func list(_ people: Set<PeerID>) -> JSON { .list(people.sorted().map { .text($0.hex) }) }
        return [
            "verified": list(verified), "ignored": list(ignored), "blocked": list(blocked),
            "muted": .list(muted.sorted().map { .text($0.text) }),
        ]
    }

    fileprivate static let schema = JSONSchema.object(
        ("verified", JSONSchema.list(JSONSchema.id)), ("ignored", JSONSchema.list(JSONSchema.id)),
        ("blocked", JSONSchema.list(JSONSchema.id)), ("muted", JSONSchema.list(JSONSchema.text)))
}

extension KnownPerson {
    /// A mark that they do not have is left out; each other one has its date.
    fileprivate var json: JSON {
        [
            "id": .text(id.hex), "short": .text(id.short), "name": .text(name?.text),
            "verified": verified?.json, "ignored": ignored?.json, "blocked": blocked?.json,
        ]
    }

    fileprivate static let schema = JSONSchema.object(
        ("id", JSONSchema.id), ("short", JSONSchema.text), ("name?", JSONSchema.text),
        ("verified?", JSONSchema.date), ("ignored?", JSONSchema.date), ("blocked?", JSONSchema.date))
}

extension SafetyNumberInfo {
    fileprivate var json: JSON {
        [
            "groups": .list(groups.map { .text($0) }), "words": .list(words.map { .text($0) }),
            "verified": .flag(person.verified != nil),
        ]
    }

    fileprivate static let schema = JSONSchema.object(
        ("groups", JSONSchema.list(["type": "string", "pattern": "^[0-9]{5}$"])),
        ("words", JSONSchema.list(JSONSchema.text)), ("verified", JSONSchema.flag))
}
