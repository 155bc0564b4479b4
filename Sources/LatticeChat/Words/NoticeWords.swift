package import LatticeAPI
import LatticeCore

// Notices in the words of the terminal.

extension Notice {
    package var words: String {
        switch self {
        case .failed(let error): error.words
        case .recordsLost(let count): "\(count) received records could not be stored"
        case .peopleUnread(let fault): fault.words
        case .peopleUnsaved(let reason): "people you meet are not remembered: \(reason)"
        case .peopleDamaged(let lines, let path, let target):
            "\(lines) lines of \(path) are damaged; they will be moved to \(target)"
        case .messageLost(let author):
            "a private message from #\(author.short) cannot be opened: its key was already destroyed, "
                + "some days after its use; the message is sent again automatically once they have your new keys"
        case .fileSaved(let name, let path): "\(DisplayText.isolated(name)) is saved as \(DisplayText.safe(path))"
        case .fileUnsaved(let name, let fault):
            "\(DisplayText.isolated(name)) is here and could not be saved: \(fault.words)"
        case .fileNowhere(let name):
            "nobody who is connected has \(DisplayText.isolated(name)) now; it will be fetched when somebody who has it comes"
        case .crowd(let came, 0): "\(Self.people(came)) came"
        case .crowd(0, let left): "\(Self.people(left)) left"
        case .crowd(let came, let left): "\(Self.people(came)) came, and \(left) left"
        case .nameShared(let name, let others):
            "…and \(others == 1 ? "1 other uses" : "\(others) others use") the name "
                + (name.map { DisplayText.isolated($0.withoutMarks) } ?? "")
        case .namesShared(let count): "…and \(count) other names are used by several people"
        case .room(let event, let me): event.words(for: me)
        case .roomNamesake(let room):
            "there is also a public room \(DisplayText.isolated(room.text)); you do not see it while "
                + "you are in the private one"
        case .clockRecovered: "this machine's clock is correct again"
        case .clockSkew(let name, let seconds):
            "the clock of \(DisplayText.isolated(name)) is \(Self.length(seconds)) "
                + "\(seconds > 0 ? "ahead of" : "behind") this one; "
                + "if yours is wrong (check with 'date'), others see wrong times"
        case .ownClockSkew(let seconds, let peers):
            "your clock seems to be \(Self.length(seconds)) \(seconds > 0 ? "fast" : "slow") (\(peers) peers agree); "
                + "check it with 'date'"
        case .clockLeap(let seconds, let minutes):
            "this machine's clock jumped \(Self.length(seconds)) \(seconds > 0 ? "ahead" : "back"); in case that is wrong "
                + "(check with 'date'), nothing expires for \(minutes) min"
        case .clockWrong(let machine, let used, let lender?):
            "this machine's clock says \(Self.day(machine)); using \(Self.minute(used)) from "
                + "\(DisplayText.isolated(lender)) until you set it"
        case .clockWrong(let machine, let used, nil):
            "this machine's clock says \(Self.day(machine)); using \(Self.minute(used)) until you set it or a peer connects"
        case .discoveryChanged(let source): "now looking for peers with \(source.words)"
        case .discoveryFailed(let fault): fault.words
        case .discoveryRecovered: "looking for peers on the network again"
        case .otherMesh:
            "a machine nearby is in another mesh or has another passphrase; to meet, both need the same mesh name "
                + "and passphrase"
        case .dialledSelf(let address): "\(address) is your own address; give the address of another machine"
        case .unreachable(let name, let address, let end): Self.unreachable(name, address, end)
        case .other(_, _, let message): message
        }
    }

    private static func people(_ number: Int) -> String { number == 1 ? "1 more person" : "\(number) more people" }

    /// In the largest unit that gives at least two.
    private static func length(_ seconds: Int64) -> String {
        let minutes = (abs(seconds) + 30) / 60
        return switch minutes {
        case ..<120: "\(minutes) min"
        case ..<2_880: "\(minutes / 60) h"
        default: "\(minutes / 1_440) days"
        }
    }

    /// `1970-01-01`
    private static func day(_ time: WallTime) -> String { String(CivilTime(utc: time).text.prefix(10)) }

    /// `2026-11-21 10:05 UTC`
    private static func minute(_ time: WallTime) -> String { "\(CivilTime(utc: time).text) UTC" }

    private static func unreachable(_ name: String?, _ address: PeerAddress, _ end: DialEnd) -> String {
        let who = name.map { "\(DisplayText.isolated($0)) was seen at \(address) but" } ?? "\(address)"
        // An answer shows that the peer runs and nothing blocks the way.
        return end.hasAnswered
            ? "\(who) cannot be linked: \(end.words); still trying"
            : "\(who) cannot be reached: \(end.words); still trying "
                + "(is it running? does a firewall or guest Wi-Fi block it?)"
    }
}

extension RoomEvent {
    fileprivate func words(for me: PeerID) -> String {
        let room = DisplayText.isolated(room.text)
        func shown(_ person: Person) -> String {
            person.id == me ? "you" : "\(person.name.map { DisplayText.isolated($0.text) } ?? "")#\(person.id.short)"
        }
        let others = others.map(shown).joined(separator: ", ")
        switch kind {
        case .came: return "\(shown(by)) joined \(room)"
        case .left: return "\(shown(by)) left \(room) for good"
        case .invited: return "\(shown(by)) invited \(others) to \(room)"
        case .removed:
            let who = others.isEmpty ? "changed the key of \(room)" : "removed \(others) from \(room)"
            return "\(shown(by)) \(who); new lines use a new key"
        case .invitation:
            return
                "\(shown(by)) invites you to the private room \(room): /join \(room) accepts, /forget \(room) declines"
        case .oldKey:
            return "\(shown(by)) uses an old key of \(room) and cannot read new lines; /invite sends the current key"
        case .notKept: return reason?.words ?? "lines in \(room) are not stored"
        }
    }
}

extension DiscoveryFault {
    fileprivate var words: String {
        switch self {
        case .noInterface:
            "no network is up, so only peers on this machine can be found; switch on Wi-Fi or plug in a cable, and the "
                + "search goes on by itself"
        case .interfaceMissing(let name):
            "the interface \(DisplayText.safe(name)) does not exist or is down; bring it up, or choose another "
                + "('ip link' lists them)"
        case .noMulticast(let names):
            "\(DisplayText.safe(names)) carries no multicast, so peers there cannot be found by themselves; name one by "
                + "its address with --peer HOST:PORT, or use another network"
        case .noDaemon:
            "the mDNS service of this system does not answer; start avahi-daemon, or use --discovery embedded, which "
                + "needs none"
        case .refused(let reason):
            "the mDNS responder refused: \(DisplayText.safe(reason)); it is tried again; meanwhile --peer HOST:PORT "
                + "reaches a peer without it"
        }
    }
}

extension Sighting.Source {
    fileprivate var words: String {
        switch self {
        case .system: "the machine's mDNS responder"
        case .embedded: "the mDNS stack inside this program"
        case .given: "given addresses"
        case .neighbour: "its neighbours"
        }
    }
}
