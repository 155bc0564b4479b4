package import LatticeCore

extension NodeRequest {
    /// The methods whose `peer` is a key here and may be any name of somebody where people write requests down.
    private static let namesOfPersons: Set<String> = [
        "tell", "privateHistory", "probe", "answer",
    ]
    /// Stands for somebody who is yet to be found; nobody has this key.
    private static let nobody = PeerID(.zero)

    /// Reads a request in which somebody may be called by another name than the key.
    ///
    /// - Returns: the request, and whom it is of, who has to be found first; `nil` if it says so itself.
    /// - Throws: `UnknownCall`, or what is wrong with the parameters.
    package static func read(_ name: String, _ decoder: any Decoder) throws -> (NodeRequest, of: PeerReference?) {
        let params = CallParams(decoder)
        guard namesOfPersons.contains(name), let peer: PeerReference = try params.optional(.peer),
            PeerID(hex: peer.text) == nil
        else { return (try NodeRequest(name, params), nil) }
        return (try NodeRequest(name, CallParams(decoder, peer: nobody)), peer)
    }

    /// The same of another person; what is of nobody stays as it is.
    package func of(_ peer: PeerID) -> NodeRequest {
        switch self {
        case .tell(_, let text, let style, let isNotice): .tell(peer, text, style: style, isNotice: isNotice)
        case .privateHistory(_, let limit): .privateHistory(peer, limit: limit)
        case .probe: .probe(peer)
        case .answer(_, let accept): .answer(peer, accept: accept)
        case .say, .rename, .join, .part, .me, .peers, .connect, .invite, .flush, .sync, .syncStatus,
            .history, .conversations, .stats, .health:
            self
        }
    }
}
