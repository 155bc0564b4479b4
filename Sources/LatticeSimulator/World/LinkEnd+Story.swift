import LatticeCore
import LatticeMesh
import LatticeWire

extension LinkEnd {
    /// As the story of a run tells it, and as its hash counts it.
    var story: String {
        switch self {
        case .goodbye(let goodbye): goodbye.text.isEmpty ? "it said goodbye" : DisplayText.safe(goodbye.text)
        case .refused(.full): "it keeps as many links as it wants; it is reached through others"
        case .refused(.duplicate), .refusedByUs(.duplicate): "another link to it is kept"
        case .refused(let refusal): "it refused: \(refusal)"
        case .refusedByUs(.full), .rearranged: "it is reached through others"
        case .refusedByUs(let refusal): "it was refused: \(refusal)"
        case .silent: "it does not answer any more"
        case .broken(let reason): reason
        case .addressGone: "the address that this machine had there is gone"
        case .fault(let reason): "it broke the protocol: \(reason)"
        case .left: "this side left"
        case .blocked: "you have blocked it"
        case .dial(let end): end.story
        case .otherThere(let address): "somebody else answers at \(address)"
        }
    }
}

extension DialEnd {
    var story: String {
        switch self {
        case .noConnection(let reason), .broken(let reason): reason
        case .noAnswer, .noHost, .tooManyConnections, .wrongMeshKey, .wrongVersion, .otherPeer, .closed, .handshake:
            "\(self)"
        }
    }
}
