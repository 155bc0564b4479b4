import LatticeAPI
import LatticeCore
import LatticeGeo

/// `#posts`: posts near this node.
enum IRCPostsChannel {
    enum Step: Sendable {
        case past
        case posted(String)
    }

    static func show(_ id: ConnectionID, into clients: inout IRCClients) {
        let page = PageRequest(limit: clients.limits.replayLines)
        clients.ask(id, .posts(.near(NearQuery(.posts, centre: nil, page: page))), then: .service(.postsChannel(.past)))
    }

    static func post(_ text: String, of id: ConnectionID, into clients: inout IRCClients) {
        clients.ask(id, .posts(.post(NewPost(text: text))), then: .service(.postsChannel(.posted(text))))
    }

    static func answered(
        _ step: Step, _ outcome: IRCOutcome, of id: ConnectionID, _ people: IRCPeople,
        into clients: inout IRCClients
    ) {
        let posts = IRCChannel.postsName
        switch (step, outcome) {
        case (.past, .success(.answer(.posts(.page(let page))))):
            for item in page.items.sorted(by: { $0.at < $1.at }) where clients.hears(item.author, id) {
                show(item, to: [id], isPast: true, people, into: &clients)
            }
        case (.past, .failure(let error)) where error.code == .placeNeeded:
            clients.note(id, IRCService.placeUnknown, to: posts)
        case (.past, .failure(let error)): clients.note(id, error.words, to: posts)
        // The node notifies everybody else whom the post concerns.
        case (.posted(let text), .success(.answer(.posts(.item(let item))))):
            clients.echo(IRCSaying(text, isNotice: false), to: posts, msgid: item.id.hex, at: item.at, id)
        case (.posted, .failure(let error)):
            let isLost = error.code == .placeNeeded || error.faults.contains { $0 == .noPlace }
            let sentence = isLost ? IRCService.placeUnknown : error.words
            clients.numeric(id, .cannotSend, [posts], trailing: sentence)
        case (_, .success): break
        }
    }

    static func show(
        _ item: ItemInfo, to ids: [ConnectionID], isPast: Bool = false, _ people: IRCPeople,
        into clients: inout IRCClients
    ) {
        guard !ids.isEmpty, item.state == .shown, let text = item.text ?? item.title else { return }
        var name: PeerName?
        do { name = try PeerName(item.authorName) } catch { name = nil }
        var line = clients.line(from: people.speaker(item.author, name), "PRIVMSG", [IRCChannel.postsName])
        (line.time, line.msgid) = (item.at, item.id.hex)
        if let place = item.place {
            line.others = [
                .init("+lattice/lat", "\(place.latitude)"), .init("+lattice/lon", "\(place.longitude)"),
            ]
        }
        var whole = item.kind == .event ? "\(item.title ?? ""): \(text)" : text
        if let place = item.placeName { whole += " (\(place))" }
        if let metres = item.metres { whole += " – \(Int(metres.rounded())) m from here" }
        clients.deliver(line.pieces(whole, .says), isLate: isPast, to: ids)
    }
}
