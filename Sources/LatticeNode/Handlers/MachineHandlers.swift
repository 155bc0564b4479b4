import LatticeAPI
import LatticeCore
import LatticeMesh

/// Requests about the node itself. Every persona may look; links and policy belong to the owner.
enum MachineHandlers {
    static func register(in table: inout HandlerTable) {
        table.onPersona(ShowMe.self) { node, persona, _ throws(RequestError) in node.me(persona) }
        table.onPersona(ListPeers.self) { node, persona, _ throws(RequestError) in
            .init(await node.peers(seenBy: persona))
        }
        table.onPersona(ProbePeer.self) { node, persona, request throws(RequestError) in
            try await node.probe(try await node.peer(request.peer, for: persona))
        }
        table.onPersona(Flush.self) { node, _, request throws(RequestError) in
            .init(unconfirmed: await node.flush(timeout: request.timeout, request.lines))
        }
        table.onPersona(ShowStats.self) { node, _, _ throws(RequestError) in await node.statsInFull() }
        table.onOwner(ShowHealth.self) { node, _ throws(RequestError) in node.health }
        registerLinks(in: &table)
        registerSync(in: &table)
    }

    private static func registerLinks(in table: inout HandlerTable) {
        table.onOwner(DialAddress.self) { node, request throws(RequestError) in
            node.handle(
                .sighted(Sighting(source: .given, peer: nil, name: nil, meshTag: nil, address: request.address)))
            return Done()
        }
        table.onOwner(InvitePeer.self) { node, request throws(RequestError) in
            node.handle(.wanted(request.prefix))
            return Done()
        }
        table.onOwner(AnswerInvitation.self) { node, request throws(RequestError) in
            node.handle(.answered(try await node.peer(request.peer), accept: request.accept))
            return Done()
        }
    }

    private static func registerSync(in table: inout HandlerTable) {
        table.onPersona(SyncNow.self) { node, _, _ throws(RequestError) in
            guard node.wall != nil else { throw .noStore }
            node.handle(.syncWanted)
            return Done()
        }
        table.onPersona(
            ShowSyncStatus.self,
            { node, _, _ throws(RequestError) in try await node.syncStatus() },
            withoutNode: { store, _ throws(RequestError) in
                let stored = try await store.wall.reader.syncStatus(at: await store.time())
                return SyncStatus(
                    progress: nil, caughtUpAt: stored.caughtUpAt, groups: stored.groups,
                    peers: stored.peers(connected: [], names: [:]))
            })
    }
}
