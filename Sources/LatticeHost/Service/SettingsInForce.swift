import LatticeAPI
import LatticeCore
import LatticeSettings
import Logging

/// What a node that runs on goes by, setting by setting: what counted when it began, and what it has taken over since. What the file
/// said at another time says nothing of that: an option may have hidden it, or the node did not take it.
struct SettingsInForce: Equatable {
    private var texts: [SettingKey: [String]] = [:]
    /// What no file changes: options say it in other words, or this command makes no use of it.
    private let fixed: Set<SettingKey>

    init(_ settings: Settings, fixed: Set<SettingKey> = []) {
        self.fixed = fixed
        for key in SettingKey.allCases { texts[key] = Self.texts(key, settings) }
    }

    /// What counts otherwise by these settings, in the order of the table.
    func differing(from settings: Settings) -> [SettingKey] {
        SettingKey.allCases.filter { key in
            guard !fixed.contains(key) else { return false }
            let (now, wanted) = (self[key], Self.texts(key, settings))
            return key.form == .list ? Set(now) != Set(wanted) : now != wanted
        }
    }

    /// As the program writes it; empty where nothing counts.
    subscript(key: SettingKey) -> [String] { texts[key] ?? [] }

    func rooms() -> [RoomName] { self[.room].map { Self.value($0, Arguments.roomName) } }

    /// The commands of people read it by themselves, or nothing has to be asked of the node.
    mutating func take(_ key: SettingKey, from settings: Settings) { texts[key] = Self.texts(key, settings) }

    /// The node has done it.
    mutating func take(_ change: NodeChange, for key: SettingKey) {
        switch change {
        case .join(let room): texts[key] = self[key] + [room.text]
        case .leave(let room): texts[key] = self[key].filter { $0 != room.text }
        case .dial(let address): texts[key] = self[key] + ["\(address)"]
        case .rename(let name): texts[key] = [name.text]
        }
    }

    /// Addresses that are named no more are linked with until they go, and are new when they are named again.
    mutating func forgetPeers(notIn settings: Settings) {
        let wanted = Self.texts(.peer, settings)
        texts[.peer] = self[.peer].filter(wanted.contains)
    }

    static func texts(_ key: SettingKey, _ settings: Settings) -> [String] {
        guard let entry = settings.entry(key) else { return key.fallback.map { [$0] } ?? [] }
        return entry.texts.map { text in
            do {
                // An option stands there as it was typed.
                return try key.checked(text)
            } catch {
                return text  // It has a meaning as an option alone, as `-` for standard input has.
            }
        }
    }

    static func value<Value>(_ text: String, _ read: (String) throws -> Value) -> Value {
        do {
            return try read(text)
        } catch {
            preconditionFailure("\(text) was checked when it was loaded: \(error)")
        }
    }
}

/// What a node does while it runs when a setting changes.
enum NodeChange: Equatable {
    case rename(PeerName)
    case join(RoomName)
    case leave(RoomName)
    case dial(PeerAddress)

    func perform(on node: any MeshNode) async throws(RequestError) {
        switch self {
        case .rename(let name): _ = try await node.perform(Rename(name))
        case .join(let room): _ = try await node.perform(JoinRoom(room))
        case .leave(let room): _ = try await node.perform(LeaveRoom(room))
        case .dial(let address): _ = try await node.perform(DialAddress(address))
        }
    }
}

/// What becomes of one setting that is another than what is in force.
enum LiveChange: Equatable {
    case level
    /// The node does it.
    case requests([NodeChange])
    /// Each command reads it by itself.
    case commands
    case restart

    init(_ key: SettingKey, from old: SettingsInForce, to new: Settings) {
        let wanted = SettingsInForce.texts(key, new)
        switch key {
        case .log: self = .level
        case .radius, .plain, .noColor: self = .commands
        case .name:
            // Without a folder of its own the name says whose folder it is, and nobody becomes somebody else.
            let name = wanted.first.map { SettingsInForce.value($0, Arguments.peerName) }
            self = new.entry(.dataDir) == nil ? .restart : name.map { .requests([.rename($0)]) } ?? .restart
        case .room:
            let (before, after) = (old.rooms(), wanted.map { SettingsInForce.value($0, Arguments.roomName) })
            self = .requests(
                after.filter { !before.contains($0) }.map { .join($0) }
                    + before.filter { !after.contains($0) }.map { .leave($0) })
        case .peer:
            self = .requests(
                wanted.filter { !old[key].contains($0) }.map {
                    .dial(SettingsInForce.value($0, Arguments.address))
                })
        case .dataDir, .identityPassphraseFile, .mesh, .passphraseFile, .port, .interface, .discovery, .invitations,
            .context, .ttl, .ratesAuthor, .ratesLink, .textMax, .ircListen, .ircServerName, .ircPasswordFile,
            .ircTLSCertificate, .ircTLSKey, .httpListen, .httpBasemap, .metrics, .logFormat:
            self = .restart
        }
    }
}
