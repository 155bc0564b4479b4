package import LatticeCore

/// Good or bad news about the conversation, as values: each front has its own words for it.
package enum Notice: Hashable, Codable, Sendable {
    package enum Level: String, Hashable, Sendable, Codable {
        case information
        case problem
    }

    // MARK: The store and files

    case failed(error: RequestError)
    case recordsLost(count: Int)
    case peopleUnread(fault: FileFault)
    case peopleUnsaved(reason: String)
    case peopleDamaged(lines: Int, path: String, movedTo: String)
    /// The key of a private message was destroyed before it came.
    case messageLost(author: PeerID)
    case fileSaved(name: String, path: String)
    case fileUnsaved(name: String, fault: FileFault)
    /// A file was asked for, and nobody who is connected has it.
    case fileNowhere(name: String)

    // MARK: People and rooms

    /// Strangers who came and went, and are not announced one by one.
    case crowd(came: Int, left: Int)
    /// Other people use the name of this person.
    case nameShared(name: PeerName?, others: Int)
    /// The number of other names that several people use.
    case namesShared(count: Int)
    case room(event: RoomEvent, me: PeerID)
    /// There is also a public room of this name.
    case roomNamesake(room: RoomName)

    // MARK: Clocks

    case clockRecovered
    /// Positive if that clock is ahead of ours.
    case clockSkew(name: String, seconds: Int64)
    /// Positive if our clock is fast. `peers` is the number of peers that agree.
    case ownClockSkew(seconds: Int64, peers: Int)
    /// Nothing expires for `holdMinutes`.
    case clockLeap(seconds: Int64, holdMinutes: Int64)
    /// - Parameter lender: the peer whose time is used.
    case clockWrong(machine: WallTime, used: WallTime, lender: String?)

    // MARK: The network

    case discoveryChanged(source: Sighting.Source)
    case discoveryFailed(fault: DiscoveryFault)
    case discoveryRecovered
    /// A machine nearby is in another mesh, or has another passphrase.
    case otherMesh
    case dialledSelf(address: PeerAddress)
    case unreachable(name: String?, address: PeerAddress, end: DialEnd)

    /// A front's own, or of another version of this program.
    case other(level: Level, code: String, message: String)

    /// A front's own.
    package init(_ level: Level, code: String, _ text: String) {
        self = .other(level: level, code: code, message: text)
    }

    /// Stable, for programs.
    package var code: String {
        switch self {
        case .failed(let error): error.code.rawValue
        case .recordsLost: "notKept"
        case .peopleUnread, .peopleUnsaved: "peopleFailed"
        case .peopleDamaged: "peopleDamaged"
        case .messageLost: "messageLost"
        case .fileSaved: "fileSaved"
        case .fileUnsaved: "fileUnsaved"
        case .fileNowhere: "fileNowhere"
        case .crowd: "crowd"
        case .nameShared, .namesShared: "nameClashes"
        case .room(let event, _): event.kind.noticeCode
        case .roomNamesake: "roomNamesake"
        case .clockRecovered: "clockRecovered"
        case .clockSkew: "clockSkew"
        case .ownClockSkew: "ownClockSkew"
        case .clockLeap: "clockLeap"
        case .clockWrong: "clockWrong"
        case .discoveryChanged: "discoveryChanged"
        case .discoveryFailed(let fault): fault.code
        case .discoveryRecovered: "discoveryRecovered"
        case .otherMesh: "otherMesh"
        case .dialledSelf: "dialledSelf"
        case .unreachable: "unreachable"
        case .other(_, let code, _): code
        }
    }

    package var level: Level {
        switch self {
        case .failed, .recordsLost, .peopleUnread, .peopleUnsaved, .peopleDamaged, .messageLost, .fileUnsaved,
            .fileNowhere, .clockSkew,
            .ownClockSkew,
            .clockLeap, .clockWrong, .discoveryFailed, .dialledSelf, .unreachable:
            .problem
        case .crowd, .nameShared, .namesShared, .room, .roomNamesake, .clockRecovered, .discoveryChanged, .fileSaved,
            .discoveryRecovered, .otherMesh:
            .information
        case .other(let level, _, _): level
        }
    }
}

/// Why peers cannot be found.
package enum DiscoveryFault: Hashable, Codable, Sendable {
    /// Only the loopback interface is up, or none. Peers on this machine are still found.
    case noInterface
    /// The requested interface does not exist or is down.
    case interfaceMissing(name: String)
    /// These interfaces are up, but none of them supports multicast.
    case noMulticast(names: String)
    /// The system's responder was requested and does not answer.
    case noDaemon
    /// The responder answered with this error.
    case refused(reason: String)

    fileprivate var code: String {
        switch self {
        case .noInterface: "noInterface"
        case .interfaceMissing: "interfaceMissing"
        case .noMulticast: "noMulticast"
        case .noDaemon: "noDaemon"
        case .refused: "discoveryRefused"
        }
    }
}

extension RoomEvent.Kind {
    fileprivate var noticeCode: String {
        switch self {
        case .came, .left, .invited: "roomMember"
        case .removed: "roomKey"
        case .invitation: "roomInvitation"
        case .oldKey: "roomOldKey"
        case .notKept: "notKept"
        }
    }
}
