import LatticeAPI
import LatticeCore

enum AwayHandlers {
    static func register(in table: inout HandlerTable) {
        table.onPersona(SetAway.self) { node, persona, request throws(RequestError) in
            if let text = request.text, text.utf8.count > SetAway.textBytesMax {
                throw .lineTooLong(bytes: text.utf8.count, max: SetAway.textBytesMax)
            }
            let isChange = persona.away != request.text
            var missed = 0
            node.personas.change(persona.id) { missed = $0.setAway(request.text) }
            if isChange {
                node.announcer.presenceChanged(of: persona.id, for: node)
                if persona.isOwner { node.notifier.deliverMe(for: node) }
            }
            return SetAway.Reply(request.text, missed: missed)
        }
    }
}
