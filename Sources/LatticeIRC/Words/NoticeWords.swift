import LatticeAPI
import LatticeCore

// Notices and ends of links in the words of IRC. `&mesh` shows them.

extension Notice {
    var words: String {
        switch self {
        case .failed(let error): error.words
        case .recordsLost(let count): "\(count) received records could not be stored"
        case .peopleUnread, .peopleUnsaved, .peopleDamaged: "this node has trouble with its list of known people"
        case .messageLost(let author):
            "a private message from #\(author.short) cannot be opened: its key was already destroyed; the message is "
                + "sent again once they have your new keys"
        case .fileSaved(let name, let path): "\(DisplayText.isolated(name)) is saved as \(DisplayText.safe(path))"
        case .fileUnsaved(let name, let fault):
            "\(DisplayText.isolated(name)) is here and could not be saved: \(fault.words)"
        case .fileNowhere(let name):
            "nobody who is connected has \(DisplayText.isolated(name)) now; it will be fetched when somebody who has it comes"
        case .crowd(let came, 0): "\(came) more people came"
        case .crowd(0, let left): "\(left) more people left"
        case .crowd(let came, let left): "\(came) more people came, and \(left) left"
        case .nameShared(let name, let others):
            "\(IRCText.counted(others, "more key")) with the name \(name.map { DisplayText.isolated($0.withoutMarks) } ?? "")"
        case .namesShared(let count): "\(count) other names are used by several people"
        case .room(let event, _):
            "There is news in the private room \(DisplayText.isolated(event.room.text)) of the owner."
        case .roomNamesake(let room):
            "there is a public and a private room \(DisplayText.isolated(room.text)); this is the private one"
        case .clockRecovered: "this machine's clock is correct again"
        case .clockSkew(let name, let seconds):
            "the clock of \(DisplayText.isolated(name)) is \(Self.minutes(seconds)) "
                + "\(seconds > 0 ? "ahead of" : "behind") the one here; if yours is wrong, others see wrong times"
        case .ownClockSkew(let seconds, let peers):
            "the clock of this node seems to be \(Self.minutes(seconds)) \(seconds > 0 ? "fast" : "slow") "
                + "(\(peers) peers agree)"
        case .clockLeap(let seconds, _):
            "the clock of this node jumped \(Self.minutes(seconds)) \(seconds > 0 ? "ahead" : "back")"
        case .clockWrong: "the clock of this node is wrong; it uses the time of its peers, if there are any"
        case .discoveryChanged(let source): "now looking for peers with discovery \(source.rawValue)"
        case .discoveryFailed(.noInterface): "no network is up, so only peers on this machine can be found"
        case .discoveryFailed(.interfaceMissing(let name)):
            "the interface \(DisplayText.safe(name)) does not exist or is down"
        case .discoveryFailed(.noMulticast(let names)):
            "\(DisplayText.safe(names)) carries no multicast, so peers there cannot be found by themselves"
        case .discoveryFailed(.noDaemon): "the mDNS service of this system does not answer"
        case .discoveryFailed(.refused(let reason)): "the mDNS responder refused: \(DisplayText.safe(reason))"
        case .discoveryRecovered: "looking for peers on the network again"
        case .otherMesh: "a machine nearby is in another mesh or has another passphrase"
        case .dialledSelf(let address): "\(address) is this node's own address"
        case .unreachable(let name, let address, let end):
            "\(name.map(DisplayText.isolated) ?? "somebody") at \(address) cannot be "
                + "\(end.hasAnswered ? "linked" : "reached"): \(end.words); still trying"
        case .other(_, _, let message): message
        }
    }

    private static func minutes(_ seconds: Int64) -> String { "\((abs(seconds) + 30) / 60) min" }
}

extension LinkEnding {
    var words: String {
        switch self {
        case .goodbye(let text): text.isEmpty ? "they left" : DisplayText.safe(text)
        case .refused(.full), .refusedByUs(.full), .rearranged, .refused(.duplicate), .refusedByUs(.duplicate):
            "they are reached through others"
        case .refused(.otherMesh), .refusedByUs(.otherMesh): "they are in another mesh"
        case .refused(.declined): "they declined"
        case .refused(.notAContact): "they accept only their contacts"
        case .refused(.closed): "they accept no invitations"
        case .refused(.tooManyLinks): "they have no room for another link"
        case .refused(.unanswered): "nobody answered there"
        case .refused(.busy): "too many invitations wait for an answer there"
        case .refused(.unknown): "they refused"
        case .refusedByUs(.declined), .refusedByUs(.notAContact), .refusedByUs(.closed), .refusedByUs(.tooManyLinks),
            .refusedByUs(.unanswered), .refusedByUs(.busy), .refusedByUs(.unknown):
            "this node refused them"
        case .silent: "they do not answer any more"
        case .broken(let reason): reason
        case .addressGone: "this machine lost its address there"
        case .fault: "their node broke the protocol"
        case .left: "this node is stopping"
        case .blocked: "the owner of this node has blocked them"
        case .dial(let end): end.words
        case .otherThere: "somebody else answers there"
        }
    }
}

extension DialEnd {
    fileprivate var words: String {
        switch self {
        case .noConnection(let reason): reason
        case .noAnswer(let seconds): "no answer within \(seconds) s"
        case .noHost: "no such host"
        case .tooManyConnections: "too many connections are already open"
        case .wrongMeshKey: "it has another passphrase, or none"
        case .wrongVersion: "it has another version"
        case .otherPeer: "somebody else answers there"
        case .broken(let reason): "\(reason) during the handshake"
        case .closed: "it closed the connection during the handshake"
        case .handshake(let fault): fault
        }
    }
}
