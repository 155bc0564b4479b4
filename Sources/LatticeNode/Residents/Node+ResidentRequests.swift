import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeLink
import LatticeMesh
import LatticeWire

// What residents ask for, done in their name. What is the owner's alone, whom they know, where they are, what they keep, is not told.
extension Node {
    func perform<R: Request>(_ request: R, for stay: Residents.Stay) async throws(RequestError) -> R.Reply {
        try await HandlerTable.all[R.self].perform(request, for: try person(of: stay), on: self)
    }

    private func person(of stay: Residents.Stay) throws(RequestError) -> Residents.Person {
        guard !hasStopped else { throw .nodeStopped }
        guard let person = residents[stay] else { throw .gone }
        return person
    }

    func perform(_ request: NodeRequest, for stay: Residents.Stay) async throws(RequestError) -> Answer {
        let person = try person(of: stay)
        switch request {
        case .say(let text, let style, let room, let audience, let isNotice):
            let speech = SpokenText(text, style, isNotice: isNotice)
            if person.privacy.isPrivate(room) {
                try checkText(text)
                try person.privacy.check(audience, in: room)
                return try await sayPrivately(speech, in: room, by: person)
            }
            let speaker = Speaker(identity: person.identity, name: person.name, privacy: person.privacy)
            return try await say(speech, in: room, for: audience, by: speaker)
        case .rename(let name):
            guard name != person.name else { return .done }
            residents.change(stay.id) { $0.name = name }
            await person.wall?.rename(name)
            announce([stay.id])
        case .join(let room): try join(room, person)
        case .part(let room):
            residents.change(stay.id) { $0.rooms.removeAll { $0 == room } }
            announce([stay.id])
        case .me:
            return .me(
                Me(
                    id: stay.id, name: person.name, mesh: configuration.mesh, port: links.port,
                    discovery: discoveryNow, rooms: person.rooms, isClosed: configuration.meshKey != nil))
        case .peers:
            let everybody = await peersWithHosts()
            return .peers([owner] + everybody.filter { $0.id != stay.id })
        case .probe, .flush, .sync, .syncStatus, .stats: return try await perform(request)
        case .history(let query):
            guard let own = person.wall else { throw .noStore }
            return .history(try await own.history(query, at: clock.now))
        case .wall(let request): return .wall(try await perform(request, for: person))
        case .connect, .invite, .answer, .health: throw .ownersAlone
        case .tell(let peer, let text, let style, let isNotice):
            guard let own = person.wall else { throw .noStore }
            let speech = SpokenText(text, style, isNotice: isNotice)
            let message = try await own.mail.tell(peer, speech, as: person.name, at: clock.now)
            await residentWrote(stay.id)
            return .told(named(message))
        case .privateHistory(let peer, let limit):
            guard let own = person.wall else { throw .noStore }
            return .privateHistory(try await own.mail.history(with: peer, limit: limit).map(named))
        case .conversations:
            guard let own = person.wall else { throw .noStore }
            return .privateHistory(try await own.mail.conversations().map(named))
        }
        return .done
    }

    private func join(_ room: RoomName, _ person: Residents.Person) throws(RequestError) {
        try person.privacy.check(room)
        let id = person.identity.peer
        residents.change(id) { $0.privacy.entered(room) }
        guard !person.rooms.contains(room) else { return }
        let wish = Presence(
            isHere: true, name: person.name, rooms: Array(person.rooms.prefix(Presence.roomsMax - 1)) + [room])
        guard person.rooms.count < Presence.roomsMax, wish.body.count <= MeshLimit.presenceBytesMax else {
            throw RequestError(
                .tooManyRooms, "you are in \(Presence.roomsMax) rooms, the most there can be; leave one first")
        }
        residents.change(id) { $0.rooms.append(room) }
        announce([id])
    }

    /// As residents see whoever runs the node.
    private var owner: PeerInfo {
        PeerInfo(
            id: mesh.me, prefix: mesh.me.prefix, name: name.text, state: .notConnected, hops: 0, isHere: true,
            rooms: rooms.filter { privacy.isPublic($0) })
    }

    // MARK: - The wall

    /// What is written is theirs; what the owner's folder says of the owner is not for them.
    private func perform(
        _ request: WallRequest, for person: Residents.Person
    ) async throws(RequestError) -> WallAnswer {
        guard let own = person.wall else { throw .noStore }
        switch request {
        case .near, .show, .search, .profile, .people, .here: return try await own.perform(request, at: clock.now)
        case .post, .comment, .delete, .edit:
            let answer = try await own.perform(request, at: clock.now)
            await residentWrote(person.identity.peer)
            return answer
        // Of reactions and follows the store knows the owner's alone.
        case .like, .attend, .follow, .timeline, .activity, .setProfile, .createEvent, .editEvent, .setHere,
            .storeStats,
            .storeCheck, .storeRebuild, .storeVacuum, .keepRule, .setKeepRule, .exportBundle, .importBundle:
            throw .ownersAlone
        }
    }

    // MARK: - People

    /// Who was met, without what the owner thinks of them.
    func unmarked() -> [KnownPerson] {
        acquaintances.known.all.map { known in
            KnownPerson(
                id: known.id, name: known.name, namedSince: known.namedSince, firstSeen: known.firstSeen,
                lastSeen: known.lastSeen)
        }
    }

    /// Who is meant; a whole id needs no search.
    func peer(_ reference: PeerReference, for person: Residents.Person) throws(RequestError) -> PeerID {
        if let id = reference.id { return id }
        return try find(reference, for: person).id
    }

    func find(
        _ reference: PeerReference, for person: Residents.Person
    ) throws(RequestError) -> KnownPerson {
        let me = person.identity.peer
        let here = ([owner] + peers()).compactMap { peer -> KnownPerson? in
            peer.id.map { KnownPerson(id: $0, name: PeerName.announced(peer.name)) }
        }
        let found = Naming.meant(by: reference.text, among: unmarked() + here).filter { $0.id != me }
        guard found.count <= 1 else { throw Naming.ambiguous(found, at: clock.now) }
        if let one = found.first ?? PeerID(hex: reference.text).map({ KnownPerson(id: $0) }) { return one }
        let safe = DisplayText.isolated(String(reference.text.prefix(64)))
        throw RequestError(.unknownPeer, "I don't know anyone called \(safe); you can also give a full id (64 digits)")
    }
}

extension PeerName {
    /// - Returns: `nil` for what is only announced and no name.
    fileprivate static func announced(_ text: String) -> PeerName? {
        do {
            return try PeerName(text)
        } catch {
            return nil
        }
    }
}
