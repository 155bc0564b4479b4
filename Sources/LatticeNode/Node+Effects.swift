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
        case .dial(let dial, let address):
            logger.debug("dialling", metadata: ["address": "\(address)"])
            network.failures.dialled(dial, address)
            links.transport.dial(dial, address)
        case .send(let frame, let link): send(frame.bytes, frame.type, to: link)
        case .forward(let record, let timeToLive, let hops, let isStray, let targets):
            let carried = RecordFrame(timeToLive: timeToLive, hops: hops, isStray: isStray, signed: record.signed)
            send(.record(carried), to: targets)
            for link in targets { LinkPace.noteIfBusy(link, on: self) }
        case .handPresence(let record, let timeToLive, let hops, let age, let targets):
            let carried = PresenceFrame(
                timeToLive: timeToLive, hops: hops, ageMilliseconds: age, signed: record.signed)
            send(.presence(carried), to: targets)
        case .endorse(let probe, let targets):
            send(.probe(configuration.identity.endorse(probe, as: personas.owner.name)), to: targets)
        case .close(let link, let goodbye): links[link]?.close(goodbye)
        case .deliver(let record, let hops): deliver(record, hops: hops)
        case .announce(let presence):
            announcer.announce(presence, for: self)
        case .stateChanged(let peer, let name, let state, let end): linkChanged(peer, name, state, end)
        case .ask(let peer, let name, let context): tell(.invitation(peer, name, context: context))
        case .unreachable(let sighting, let end):
            tell(.notice(.unreachable(name: sighting.name, address: sighting.address, end: end)))
        case .dialledSelf(let address): tell(.notice(.dialledSelf(address: address)))
        case .presenceChanged(let peer, let presence, let hops): presenceChanged(of: peer, presence, hops: hops)
        case .probed(let nonce, let outcome): waits.resolve(.probed(nonce: nonce), .probed(outcome))
        case .confirmed(let records): publisher.confirmed(records, for: self)
        case .compare(let work): reconciliation?.add(work)
        case .keep(let record, let age, _): ingest.fetched(record, ageSeconds: age, for: self)
        case .supply(let ids, let id): if let link = links[id] { server.serve(ids, to: link) }
        case .syncChanged: syncChanged()
        case .comparedWith: compared()
        case .outboxFull: break  // `submit` returns it.
        case .data(let effect): data.carryOut(effect, for: self)
        }
    }

    private func send(_ frame: Frame, to targets: [LinkID]) {
        let bytes = frame.bytes
        for link in targets { send(bytes, frame.type, to: link) }
    }

    private func send(_ frame: [UInt8], _ type: Frame.TypeNumber, to id: LinkID) {
        if links.send(frame, to: id) { meter.metrics.sent(type) }
    }

    private func deliver(_ record: VerifiedRecord, hops: UInt8) {
        meter.metrics.took(record.kind, hops > 0 ? .heard : .said)
        // Our own record was stored before the mesh got it; its writer notifies fronts.
        guard hops > 0 else { return }
        ingest.heard(record, hops: hops, for: self)
    }

    /// - Returns: `nil` unless it is a line of a room that a persona here is in.
    func message(_ record: VerifiedRecord, at time: WallTime, hops: Int?, isLate: Bool) -> Message? {
        do {
            let line = try Message(record.record, id: record.id, at: time, hops: hops, isLate: isLate)
            return personas.owner.rooms.contains(line.room) || personas.hasVisitors(in: line.room) ? line : nil
        } catch {
            // A signed record that is no chat line: relayed for peers that can read it, not shown.
            logger.debug("malformed chat record", metadata: ["error": "\(error)"])
            return nil
        }
    }

    /// Delivers a line of a public room to everybody in it.
    func tellLine(_ line: Message) {
        let isOwnerIn = personas.owner.rooms.contains(line.room)
        let isForOwner = isOwnerIn && personas.owner.privacy.isPublic(line.room)
        if isForOwner { tellOwner(.message(line)) } else if isOwnerIn { rooms.tellOfNamesake(line.room, for: self) }
        if isForOwner || personas.hasVisitors(in: line.room) { personas.deliverToVisitors(.message(line)) }
    }
}

extension NodeEvent {
    /// Whether it goes to everybody; lines are delivered room by room.
    var isForEverybody: Bool {
        switch self {
        case .ready, .peer, .presence, .notice, .sync, .placed, .changed: true
        case .message, .privateMessage, .privateProgress, .invitation, .missed, .nameClash, .renamed, .standing, .me,
            .room, .sent, .posted, .activity:
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
