import LatticeAPI
import LatticeCore

// Replies of the node, each to the machine that asked, and what follows from them.
extension IRCGateway {
    mutating func answered(_ id: ConnectionID, _ ticket: IRCTicket, _ outcome: IRCOutcome) {
        registration.finished(id)
        guard let step = clients[id]?.underWay.answered(ticket) else {
            // The client is gone, so the person admitted for it leaves again.
            if case .success(.admitted) = outcome { clients.want(.leave(id)) }
            return registration.checkNextProof(into: &clients)
        }
        continueAfter(step, outcome, of: id)
        carryOutJobs(of: id)
        registration.checkNextProof(into: &clients)
        drain(id)
    }

    private mutating func continueAfter(_ step: IRCStep, _ outcome: IRCOutcome, of id: ConnectionID) {
        switch step {
        case .registration(let proof):
            carryOut(registration.answered(proof, outcome, of: id, into: &clients), of: id)
        case .people(let step): continueAfter(step, outcome, of: id)
        case .rooms(let step): carryOut(rooms.answered(step, outcome, of: id, people, into: &clients), of: id)
        case .moderation(let step):
            carryOut(IRCModeration.answered(step, outcome, of: id, people, into: &clients), of: id)
        case .history(let step): history.answered(step, outcome, of: id, people, into: &clients)
        case .messages(let step):
            carryOut(messages.answered(step, outcome, of: id, people, into: &clients), of: id)
        case .service(.postsChannel(let step)):
            IRCPostsChannel.answered(step, outcome, of: id, people, into: &clients)
        case .service(.posts(let step, let channel)):
            IRCPosts.answered(step, to: channel, outcome, of: id, into: &clients)
        case .service(.contacts(let step, let channel)):
            IRCContacts.answered(step, to: channel, outcome, of: id, into: &clients)
        case .service(.command(let command, let channel)):
            carryOut(service.answered(command, to: channel, outcome, of: id, people, into: &clients), of: id)
        case .who(let step):
            IRCWho.answered(step, outcome, of: id, people, rooms, spokeAt: messages.lastSpoke, into: &clients)
        }
    }

    private mutating func continueAfter(_ step: IRCPeople.Step, _ outcome: IRCOutcome, of id: ConnectionID) {
        switch step {
        case .claimed(let nick, let name): people.claimed(nick, name, outcome, of: id, into: &clients)
        case .renamed(let nick):
            guard case .failure(let error) = outcome else { return renamed(id, to: nick) }
            clients.numeric(id, .erroneousNickname, [nick], trailing: error.words)
        case .away(let text): people.answeredAway(text, outcome, of: id, rooms, into: &clients)
        case .claimedOnEntry(let nick):
            guard IRCPeople.isClaimed(outcome) else { return people.admit(id, nick, into: &clients) }
            people.refuse(
                nick, id, "This nick belongs to an account: sign in with SASL, or choose another nick", into: &clients)
        case .admitted(let nick, let name): admitted(nick, name, outcome, of: id)
        case .found(let nick, let last, let purpose):
            guard let peer = people.found(nick, last: last, outcome, of: id, into: &clients) else { return }
            found(peer, nick, purpose, of: id)
        }
    }

    private mutating func carryOut(_ verdict: IRCModeration.Verdict?, of id: ConnectionID) {
        switch verdict {
        case .removed(let person, let room, let reason):
            rooms.kick(person, from: room, by: id, reason, into: &clients)
        case .removedAbsent(let peer, let room): rooms.doNotExpect(peer, in: room, id)
        case .isPrivate(let room, let members):
            if let person = clients[id]?.person.flatMap({ people[$0] }) { rooms.leave(room, person) }
            rooms.take(members, of: room, id) { people[$0] != nil }
            lookAtTopic(of: room, id)
        case nil: break
        }
    }

    mutating func carryOut(_ verdict: IRCRooms.Verdict?, of id: ConnectionID) {
        switch verdict {
        case .joined(let room, let members): joined(room, members, id)
        case .joinedPosts: IRCPostsChannel.show(id, into: &clients)
        case .tookKey(let room, let known): history.showSince(known, room, id, into: &clients)
        case nil: break
        }
    }

    private mutating func joined(_ room: RoomName, _ members: [RoomMember]?, _ id: ConnectionID) {
        if let person = clients[id]?.person.flatMap({ people[$0] }) {
            rooms.joined(room, members, person, id, people, into: &clients)
            history.markOnJoin(room.text, id, into: &clients)
            rooms.welcome(to: room, members, person, id, people, into: &clients)
            clients[id]?.underWay.queueFirst(.topic(room, .joined))
        }
        history.showPast(room, id, into: &clients)
    }

    mutating func carryOut(_ verdict: IRCMessages.Verdict?, of id: ConnectionID) {
        switch verdict {
        case .serve(let text, let channel):
            carryOut(service.serve(text, to: channel, of: id, people, rooms, into: &clients), of: id)
        case .answer(let ctcp, let wish): service.answer(ctcp, wish, id, into: &clients)
        case .post(let text): IRCPostsChannel.post(text, of: id, into: &clients)
        case .find(let nick, let wish): find(nick, for: .tell(wish), of: id)
        case .spoke(let peer): people.spoke(id, with: peer)
        case nil: break
        }
    }

    private mutating func carryOut(_ verdict: IRCService.Verdict?, of id: ConnectionID) {
        switch verdict {
        case .forgotten(let room, let isHeld, let channel):
            if rooms.isInPrivate(room, id) {
                rooms.parted(.room(room), room.text, "Forgotten", id, people, into: &clients)
            }
            if let person = clients[id]?.person { rooms.remember(forgotten: room, by: person) }
            service.reportForgotten(room, isHeld: isHeld, channel, id, into: &clients)
        case .find(let nick, let channel): find(nick, for: .compareKeys(channel: channel), of: id)
        case nil: break
        }
    }

    private mutating func find(_ nick: String, for purpose: IRCPeople.Purpose, of id: ConnectionID) {
        guard let peer = people.find(nick, for: purpose, of: id, into: &clients) else { return }
        found(peer, nick, purpose, of: id)
    }

    private mutating func found(_ peer: PeerID, _ nick: String, _ purpose: IRCPeople.Purpose, of id: ConnectionID) {
        switch purpose {
        case .tell(let wish): messages.tell(wish, to: peer, called: nick, isHere: false, of: id, into: &clients)
        case .compareKeys(let channel):
            service.compareKeys(with: peer, IRCText.named(nick), channel, id, into: &clients)
        }
    }
}
