import LatticeAPI
import LatticeCore
import LatticeMesh

/// Requests about the node itself. Every persona may look; links and policy belong to the owner.
enum MachineHandlers {
    static func register(in table: inout HandlerTable) {
        table.onPersona(ShowMe.self) { node, persona, _ throws(RequestError) in node.me(persona) }
        table.onPersona(Flush.self) { node, _, request throws(RequestError) in
            .init(unconfirmed: await Waits.flush(timeout: request.timeout, request.lines, on: node))
        }
        registerLinks(in: &table)
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
            node.handle(.answered(try await node.peer(request.peer, for: node.personas.owner), accept: request.accept))
            return Done()
        }
    }
}
