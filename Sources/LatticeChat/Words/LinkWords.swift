package import LatticeAPI
package import LatticeCore

// Ends of links and dials in the words of the terminal.

extension LinkEnding {
    package var words: String {
        switch self {
        case .goodbye(""): "it said goodbye"
        case .goodbye(let text): DisplayText.safe(text)
        case .refused(let refusal): refusal.words
        case .refusedByUs(let refusal): refusal.ourWords
        case .silent: "it does not answer any more"
        case .broken(let reason): reason
        case .addressGone: "the address that this machine had there is gone"
        case .fault(let reason): "it broke the protocol: \(reason)"
        case .left: "this side left"
        case .rearranged: "it is reached through others"
        case .blocked: "you have blocked it"
        case .dial(let end): end.words
        case .otherThere(let address): "somebody else answers at \(address)"
        }
    }
}

extension LinkEnding.Refusal {
    fileprivate var words: String {
        switch self {
        case .otherMesh: "it is in another mesh; start both with the same --mesh"
        case .duplicate: "another link to it is kept"
        case .declined: "it declined the invitation"
        case .notAContact: "it accepts only its contacts"
        case .closed: "it accepts no invitations"
        case .tooManyLinks: "it has no room for another link"
        case .unanswered: "nobody answered the invitation there"
        case .full: "it keeps as many links as it wants; it is reached through others"
        case .busy: "it has too many invitations to answer"
        case .unknown: "it refused for a reason this version does not know"
        }
    }

    fileprivate var ourWords: String {
        switch self {
        case .otherMesh: "it is in another mesh"
        case .duplicate: "another link to it is kept"
        case .declined: "you declined its invitation"
        case .notAContact: "it is not one of your contacts"
        case .closed: "you accept no invitations"
        case .tooManyLinks: "there is no room for another link here"
        case .unanswered: "you did not answer its invitation in time; /accept still lets it in"
        case .full: "it is reached through others"
        case .busy: "too many invitations wait for your answer"
        case .unknown: "it was refused"
        }
    }
}

extension DialEnd {
    package var words: String { hasAnswered ? "it answers, but \(reason)" : reason }

    private var reason: String {
        switch self {
        case .noConnection(let reason): reason
        case .noAnswer(let seconds): "no answer within \(seconds) s"
        case .noHost(let name?): "no such host '\(name)'"
        case .noHost(nil): "no such host"
        case .tooManyConnections: "too many connections are already open"
        case .wrongMeshKey: "the other side does not have the passphrase of this mesh, or another one"
        case .wrongVersion(let theirs, let ours):
            "the other side speaks version \(theirs) of the protocol and this one \(ours), or its mesh is closed and "
                + "this one open"
        case .otherPeer: "it is not the peer that invited you"
        case .broken(let reason): "\(reason) during the handshake"
        case .closed:
            "it closed the connection during the handshake; perhaps its mesh needs a passphrase "
                + "(--passphrase-file), or it is another program or another version"
        case .handshake(let fault): fault
        }
    }
}
