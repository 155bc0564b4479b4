import LatticeCore

extension DialEnd {
    /// What the doctor says of a dial that was answered and made no link.
    var words: String {
        switch self {
        case .noConnection(let reason): reason
        case .noAnswer, .noHost, .tooManyConnections: "it was not reached"
        case .wrongMeshKey: "it answers, but with a different passphrase than yours, or none"
        case .wrongVersion(let theirs, let ours):
            "it answers, but speaks version \(theirs) of the protocol and this one \(ours), or its mesh is closed and "
                + "this one open"
        case .otherPeer: "it answers, but it is not the peer that invited you"
        case .broken(let reason): "it answers, but \(reason) during the handshake"
        case .closed:
            "it answers, but it closed the connection during the handshake; perhaps its mesh needs a passphrase "
                + "(--passphrase-file), or it is another program or another version"
        case .handshake(let fault): "it answers, but \(fault)"
        }
    }
}
