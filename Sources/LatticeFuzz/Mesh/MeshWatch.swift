import LatticeCore
import LatticeMesh
import LatticeWire

/// Tracks the events and effects of a mesh, and checks that they fit together.
struct MeshWatch {
    /// Links opened and not closed, in the order in which they opened.
    private(set) var open: [LinkID] = []
    /// Open links on which the mesh has said goodbye.
    private var farewelled: Set<LinkID> = []
    var dials: [DialID] = []
    private var lastDial: DialID?
    private(set) var asked: [PeerID] = []
    private(set) var pings: [LinkID: UInt64] = [:]
    var works: [ComparisonWork] = []
    /// Sessions of reconciliations that the mesh began.
    private(set) var questions: [UInt32] = []
    /// Records passed to the store without an outcome yet.
    var keeping: [RecordID] = []
    private var delivered: Set<RecordID> = []
    private var told: [PeerID: LinkState] = [:]
    private var peers: [LinkID: PeerID] = [:]
    private var hasLeft = false

    mutating func happens(_ event: MeshEvent) {
        switch event {
        case .linkOpened(let link, let opened):
            open.append(link)
            peers[link] = opened.peer
        case .linkClosed(let link, _):
            open.removeAll { $0 == link }
            pings[link] = nil
        case .answered(let peer, _, _): asked.removeAll { $0 == peer }
        case .leaving: hasLeft = true
        default: break
        }
    }

    mutating func saw(_ effects: [MeshEffect], of event: MeshEvent, by me: PeerID) throws(BrokenProperty) {
        for effect in effects {
            try checkLinks(of: effect, after: event)
            switch effect {
            case .dial(let dial, _):
                try hold(dial != lastDial && !dials.contains(dial), "one dial is two")
                try hold(!hasLeft, "somebody is dialled after we left")
                lastDial = dial
                dials.append(dial)
                try hold(dials.count <= MeshLimit.dialsMax, "\(dials.count) dials at once")
            case .send(let frame, let link): try said(frame, to: link)
            case .forward(let record, let timeToLive, let hops, _, _, let links):
                try forwarded(record, timeToLive: timeToLive, hops: hops, to: links, after: event)
            case .handPresence(let record, let timeToLive, let hops, _, let links):
                try hold(record.kind == .presence, "what is handed with its age is no presence")
                try forwarded(record, timeToLive: timeToLive, hops: hops, to: links, after: event)
            case .endorse(let probe, _):
                try hold(probe.path.count < Probe.stopsMax, "a probe has no room for our stop")
            case .close(let link, _):
                try hold(farewelled.insert(link).inserted, "goodbye is said twice on a link")
            case .deliver(let record, _, _):
                try hold(delivered.insert(record.id).inserted, "a record is delivered twice")
            case .stateChanged(let peer, _, let state, _): try changed(peer, to: state)
            case .ask(let peer, _, _, _): asked.append(peer)
            case .compare(let work):
                works.append(work)
                if work.side == .question { questions.append(work.session) }
            case .keep(let record, _, _, _): keeping.append(record.id)
            case .announce, .unreachable, .dialledSelf, .presenceChanged, .probed, .serve, .syncChanged,
                .comparedWith, .confirmed, .supplied, .outboxFull, .data, .datagram, .blob, .invitationEnded:
                break
            }
        }
    }

    private func checkLinks(of effect: MeshEffect, after event: MeshEvent) throws(BrokenProperty) {
        let links: [LinkID] =
            switch effect {
            case .send(_, let link), .close(let link, _), .serve(_, let link): [link]
            case .forward(_, _, _, _, _, let links), .handPresence(_, _, _, _, let links), .endorse(_, let links): links
            case .compare(let work): [work.link]
            case .data(.carry(_, let link)), .datagram(.carry(_, _, let link)): [link]
            default: []
            }
        try hold(Set(links).count == links.count, "one link is sent the same record twice")
        for link in links {
            try hold(open.contains(link), "\(effect.words) for a link that is gone, after \(event.words)")
            // A pong to a ping that was in flight is harmless.
            if case .send(.pong, _) = effect { continue }
            try hold(!farewelled.contains(link), "\(effect.words) after goodbye, after \(event.words)")
        }
    }

    /// A sent frame must decode at the other end and fit in one message.
    private mutating func said(_ frame: Frame, to link: LinkID) throws(BrokenProperty) {
        let bytes = frame.bytes
        try hold(bytes.count <= Frame.plaintextBytesMax - 2, "a frame fits no message")
        try hold(accepted { try Frame.decode(message: bytes[...]) } == [frame], "what is said cannot be read")
        if case .ping(let nonce) = frame { pings[link] = nonce }
    }

    private func forwarded(
        _ record: VerifiedRecord, timeToLive: UInt8, hops: UInt8, to links: [LinkID], after event: MeshEvent
    ) throws(BrokenProperty) {
        try hold((1...RecordFrame.timeToLiveMax).contains(timeToLive), "a record goes on with TTL \(timeToLive)")
        try hold((1...RecordFrame.timeToLiveMax).contains(hops), "a record goes on with \(hops) hops")
        try hold(!links.isEmpty, "a record goes on to nobody")
        let (giver, heard): (LinkID, VerifiedRecord)
        switch event {
        case .heard(let link, let record, _): (giver, heard) = (link, record)
        default: return
        }
        try hold(heard.id != record.id || !links.contains(giver), "a record goes back to the peer it came from")
    }

    private mutating func changed(_ peer: PeerID, to state: LinkState) throws(BrokenProperty) {
        try hold(told[peer, default: .notConnected] != state, "a state is reported twice")
        told[peer] = state == .notConnected ? nil : state
        guard state == .connected else { return }
        try hold(open.contains { peers[$0] == peer }, "connected is who has no link")
    }

    func inspect(_ mesh: Mesh) throws(BrokenProperty) {
        try hold(
            mesh.register.neighbourCount <= MeshLimit.linksMax, "\(mesh.register.neighbourCount) peers are connected")
        try hold(
            mesh.broadcast.outbox.count <= MeshLimit.outboxSentMax + MeshLimit.outboxWaitingMax, "too many lines wait")
        try hold(mesh.antiEntropy.progress.missing <= MeshLimit.wantedMax, "too many records are wanted")
        let views = mesh.peers()
        try hold(Set(views.compactMap(\.prefix)).count == views.compactMap(\.prefix).count, "somebody is listed twice")
        for view in views where view.state == .connected {
            try hold(open.contains { peers[$0] == view.peer }, "connected is who has no link")
        }
        if !open.contains(where: { !farewelled.contains($0) }) {
            try hold(mesh.register.neighbourCount == 0, "somebody is connected without a link")
        }
    }
}

extension MeshEvent {
    /// The name of the event without its values, for messages.
    var words: String { String("\(self)".prefix { $0 != "(" }) }
}

extension MeshEffect {
    var words: String { String("\(self)".prefix { $0 != "(" }) }
}
