import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeLink
import LatticeMesh
import LatticeWire
import Logging

// Carries out the mesh's effects.
extension Node {
    func carryOut(_ effect: MeshEffect) {
        switch effect {
        case .dial(let dial, let address): LinkTable.dial(dial, address, for: self)
        case .send(let frame, let link): LinkTable.send(frame.bytes, frame.type, to: link, for: self)
        case .forward(let record, let timeToLive, let hops, let isStray, let isUrgent, let targets):
            let carried = RecordFrame(timeToLive: timeToLive, hops: hops, isStray: isStray, signed: record.signed)
            LinkTable.send(.record(carried), to: targets, isUrgent: isUrgent, for: self)
            for link in targets { LinkPace.noteIfBusy(link, on: self) }
        case .handPresence(let record, let timeToLive, let hops, let age, let targets):
            let carried = PresenceFrame(
                timeToLive: timeToLive, hops: hops, ageMilliseconds: age, signed: record.signed)
            LinkTable.send(.presence(carried), to: targets, for: self)
        case .endorse(let probe, let targets):
            let endorsed = configuration.identity.endorse(probe, as: personas.owner.name)
            LinkTable.send(.probe(endorsed), to: targets, for: self)
        case .close(let link, let goodbye): links[link]?.close(goodbye)
        case .deliver(let record, let hops, let isUrgent):
            meter.metrics.took(record.kind, hops > 0 ? .heard : .said)
            // Our own record was stored before the mesh got it; its writer notifies fronts.
            if hops > 0 { ingest.heard(record, hops: hops, isUrgent: isUrgent, for: self) }
        case .announce(let presence): announcer.announce(presence, for: self)
        case .stateChanged(let peer, let name, let state, let end):
            Contacts.linkChanged(peer, name, state, end, for: self)
            if state == .notConnected { configuration.announced.onNews?(.left(peer)) }
            blobs?.linksChanged(for: self)
        case .ask(let peer, let name, let context, let link):
            notifier.tell(.invitation(peer, name, context: context), for: self)
            configuration.announced.onNews?(.invited(peer, name, context: context, on: link))
        case .invitationEnded(let peer, let outcome): configuration.announced.onNews?(.answered(peer, outcome))
        case .unreachable(let sighting, let end):
            let notice = Notice.unreachable(name: sighting.name, address: sighting.address, end: end)
            notifier.tell(.notice(notice), for: self)
        case .dialledSelf(let address): notifier.tell(.notice(.dialledSelf(address: address)), for: self)
        case .presenceChanged(let peer, let presence, let hops):
            Contacts.presenceChanged(of: peer, presence, hops: hops, for: self)
        case .probed(let nonce, let outcome): waits.resolve(.probed(nonce: nonce), .probed(outcome))
        case .confirmed(let records): publisher.confirmed(records, for: self)
        case .compare(let work): sync.reconciliation?.add(work)
        case .keep(let record, let age, let isUrgent, _):
            ingest.fetched(record, ageSeconds: age, isUrgent: isUrgent, for: self)
        case .serve(let ids, let link): sync.serve(ids, to: link, for: self)
        case .syncChanged: sync.changed(for: self)
        case .comparedWith: sync.compared(for: self)
        case .supplied(let record, let verdict): ingest.supplied(record, verdict, for: self)
        case .outboxFull: break  // `submit` returns it.
        case .data(let effect): data.carryOut(effect, for: self)
        case .datagram(let effect): carryOut(effect)
        case .blob(let frame, let link): blobs?.received(frame, on: link, for: self)
        }
    }
}

extension NodeEvent {
    /// Whether it goes to everybody; lines are delivered room by room.
    var isForEverybody: Bool {
        switch self {
        case .ready, .peer, .presence, .notice, .sync, .placed, .changed: true
        case .message, .lineChanged, .pinned, .privateMessage, .privateMessageChanged, .privateProgress, .invitation,
            .missed,
            .nameClash, .renamed,
            .contactMarks,
            .me,
            .room, .sent, .read, .posted, .notification, .notificationsSeen, .urgentDismissed:
            false
        }
    }
}

extension PeerState {
    init(_ state: LinkState) {
        switch state {
        case .notConnected: self = .notConnected
        case .connecting: self = .connecting
        case .connected: self = .connected
        }
    }
}
