import LatticeAPI
import LatticeCore

// Notices and ends of links as the page shows them.

extension Notice {
    var words: String {
        switch self {
        case .failed(let error): error.words
        case .recordsLost(let count): "\(count) received records could not be stored"
        case .peopleUnread(let fault): fault.words
        case .peopleUnsaved(let reason): "people you meet are not remembered: \(reason)"
        case .peopleDamaged(let lines, let path, let target):
            "\(lines) lines of \(path) are damaged; they will be moved to \(target)"
        case .messageLost(let author):
            "a private message from #\(author.short) cannot be opened: its key was already destroyed; the message is "
                + "sent again automatically once they have your new keys"
        case .fileSaved(let name, let path): "\(DisplayText.isolated(name)) is saved as \(DisplayText.safe(path))"
        case .fileUnsaved(let name, let fault):
            "\(DisplayText.isolated(name)) is here and could not be saved: \(fault.words)"
        case .fileNowhere(let name):
            "nobody who is connected has \(DisplayText.isolated(name)) now; it will be fetched when somebody who has it comes"
        case .crowd(let came, let left): "\(came) more people came, and \(left) left"
        case .nameShared(let name, let others):
            "\(others) others use the name \(name.map { DisplayText.isolated($0.withoutMarks) } ?? "")"
        case .namesShared(let count): "\(count) other names are used by several people"
        case .room(let event, let me): event.words(for: me)
        case .roomNamesake(let room):
            "there is also a public room \(DisplayText.isolated(room.text)); you do not see it while you are in the "
                + "private one"
        case .clockRecovered: "this machine's clock is correct again"
        case .clockSkew(let name, let seconds):
            "the clock of \(DisplayText.isolated(name)) is \(Self.minutes(seconds)) "
                + "\(seconds > 0 ? "ahead of" : "behind") this one; if yours is wrong, others see wrong times"
        case .ownClockSkew(let seconds, let peers):
            "your clock seems to be \(Self.minutes(seconds)) \(seconds > 0 ? "fast" : "slow") (\(peers) peers agree)"
        case .clockLeap(let seconds, let minutes):
            "this machine's clock jumped \(Self.minutes(seconds)) \(seconds > 0 ? "ahead" : "back"); nothing expires "
                + "for \(minutes) min"
        case .clockWrong(_, _, let lender):
            "this machine's clock is wrong; "
                + (lender.map { "using the time of \(DisplayText.isolated($0)) until you set it" }
                    ?? "set it, or wait until a peer connects")
        case .discoveryChanged(let source): "now looking for peers with discovery \(source.rawValue)"
        case .discoveryFailed(let fault): fault.words
        case .discoveryRecovered: "looking for peers on the network again"
        case .otherMesh:
            "a machine nearby is in another mesh or has another passphrase; to meet, both need the same"
        case .dialledSelf(let address): "\(address) is your own address; give the address of another machine"
        case .unreachable(let name, let address, let end):
            "\(name.map(DisplayText.isolated) ?? "somebody") at \(address) cannot be "
                + "\(end.hasAnswered ? "linked" : "reached"): \(end.words); still trying"
        case .other(_, _, let message): message
        }
    }

    private static func minutes(_ seconds: Int64) -> String { "\((abs(seconds) + 30) / 60) min" }
}

extension RoomEvent {
    fileprivate func words(for me: PeerID) -> String {
        func shown(_ person: Person) -> String {
            guard person.id != me else { return "you" }
            return (person.name.map { DisplayText.isolated($0.text) } ?? "") + "#\(person.id.short)"
        }
        let (room, others) = (DisplayText.isolated(room.text), others.map(shown).joined(separator: ", "))
        return switch kind {
        case .came: "\(shown(by)) joined \(room)"
        case .left: "\(shown(by)) left \(room) for good"
        case .invited: "\(shown(by)) invited \(others) to \(room)"
        case .removed where others.isEmpty: "\(shown(by)) changed the key of \(room)"
        case .removed: "\(shown(by)) removed \(others) from \(room); new lines use a new key"
        case .invitation: "\(shown(by)) invites you to the private room \(room)"
        case .oldKey: "\(shown(by)) uses an old key of \(room) and cannot read new lines; invite them again"
        case .notKept: reason?.words ?? "lines in \(room) are not stored"
        }
    }
}

extension DiscoveryFault {
    fileprivate var words: String {
        switch self {
        case .noInterface:
            "no network is up, so only peers on this machine can be found; switch on Wi-Fi or plug in a cable"
        case .interfaceMissing(let name):
            "the interface \(DisplayText.safe(name)) does not exist or is down; bring it up, or choose another"
        case .noMulticast(let names):
            "\(DisplayText.safe(names)) carries no multicast, so peers there cannot be found by themselves"
        case .noDaemon: "the mDNS service of this system does not answer; start avahi-daemon"
        case .refused(let reason): "the mDNS responder refused: \(DisplayText.safe(reason)); it is tried again"
        }
    }
}

extension LinkEnding {
    var words: String {
        switch self {
        case .dial(let end): end.words
        case .otherThere(let address): "somebody else answers at \(address)"
        case .goodbye(let text): text.isEmpty ? "it said goodbye" : DisplayText.safe(text)
        case .refused(let refusal): "it refused: \(refusal.words)"
        case .refusedByUs(let refusal): "you refused it: \(refusal.words)"
        case .blocked: "you have blocked it"
        case .rearranged: "it is reached through others"
        case .left: "this side left"
        case .silent: "it does not answer any more"
        case .broken(let reason): reason
        case .addressGone: "the address that this machine had there is gone"
        case .fault(let reason): "it broke the protocol: \(reason)"
        }
    }
}

extension LinkEnding.Refusal {
    fileprivate var words: String {
        switch self {
        case .otherMesh: "another mesh"
        case .duplicate: "another link is kept"
        case .declined: "the invitation was declined"
        case .notAContact: "only contacts are accepted"
        case .closed: "no invitations are accepted"
        case .tooManyLinks: "there is no room for another link"
        case .unanswered: "the invitation was not answered in time"
        case .full: "reached through others"
        case .busy: "too many invitations wait for an answer"
        case .unknown: "the reason is unknown"
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
        case .wrongMeshKey: "it answers, but has another passphrase, or none"
        case .wrongVersion: "it answers, but with another version"
        case .otherPeer: "it answers, but is not the peer that invited you"
        case .broken(let reason): "it answers, but there was a fault during the handshake: \(reason)"
        case .closed: "it answers, but closed the connection during the handshake"
        case .handshake(let fault): "it answers, but \(fault)"
        }
    }
}
