import LatticeAPI
import LatticeCore
import LatticeSettings
import Logging

/// The settings in force in a running node: those at its start, and those applied since. Earlier contents of the file
/// do not show them: an option may have overridden it, or the node may have refused it.
struct SettingsInForce: Equatable {
    private var texts: [SettingKey: [String]] = [:]
    /// Keys that no file changes: options determine them, or this command ignores them.
    private let fixed: Set<SettingKey>

    init(_ settings: Settings, fixed: Set<SettingKey> = []) {
        self.fixed = fixed
        for key in SettingKey.allCases { texts[key] = Self.texts(key, settings) }
    }

    /// Keys that differ from these settings, in the order of the table.
    func differing(from settings: Settings) -> [SettingKey] {
        SettingKey.allCases.filter { key in
            guard !fixed.contains(key) else { return false }
            let (now, wanted) = (self[key], Self.texts(key, settings))
            return key.form == .list ? Set(now) != Set(wanted) : now != wanted
        }
    }

    /// Normalised texts; empty if unset.
    subscript(key: SettingKey) -> [String] { texts[key] ?? [] }

    func rooms() -> [RoomName] { self[.room].map { Self.value($0, Arguments.roomName) } }

    /// For keys that commands read themselves, or that need no request.
    mutating func take(_ key: SettingKey, from settings: Settings) { texts[key] = Self.texts(key, settings) }

    /// The node has done it.
    mutating func take(_ change: NodeChange, for key: SettingKey) {
        switch change {
        case .join(let room): texts[key] = self[key] + [room.text]
        case .leave(let room): texts[key] = self[key].filter { $0 != room.text }
        case .dial(let address): texts[key] = self[key] + ["\(address)"]
        case .rename(let name): texts[key] = [name.text]
        case .takeCard(let signer): texts[key] = [signer.hex]
        }
    }

    /// Addresses that are no longer listed stay linked, but count as new when they are listed again.
    mutating func forgetPeers(notIn settings: Settings) {
        let wanted = Self.texts(.peer, settings)
        texts[.peer] = self[.peer].filter(wanted.contains)
    }

    static func texts(_ key: SettingKey, _ settings: Settings) -> [String] {
        guard let entry = settings.entry(key) else { return key.fallback.map { [$0] } ?? [] }
        return entry.texts.map { text in
            do {
                // The text of an option is still as it was typed.
                return try key.checked(text)
            } catch {
                return text  // Some values are only valid as options, such as `-` for standard input.
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
    case takeCard(PeerID)

    func perform(on node: any MeshNode) async throws(RequestError) {
        switch self {
        case .rename(let name): _ = try await node.perform(Rename(name))
        case .join(let room): _ = try await node.perform(JoinRoom(room))
        case .leave(let room): _ = try await node.perform(LeaveRoom(room))
        case .dial(let address): _ = try await node.perform(DialAddress(address))
        case .takeCard(let signer): _ = try await node.perform(TakeMeshCard(PeerReference(signer)))
        }
    }
}

enum LiveChange: Equatable {
    case level
    /// The node does it.
    case requests([NodeChange])
    /// Each command reads it itself.
    case commands
    case restart

    init(_ key: SettingKey, from old: SettingsInForce, to new: Settings) {
        let wanted = SettingsInForce.texts(key, new)
        switch key {
        case .log: self = .level
        case .radius, .plain, .noColor: self = .commands
        case .name:
            // Without a data folder the name selects the folder, so it cannot change at run time.
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
        case .meshCard:
            self = .requests(wanted.map { .takeCard(SettingsInForce.value($0, Arguments.meshCard)) })
        case .dataDir, .identityPassphraseFile, .mesh, .passphraseFile, .port, .interface, .discovery, .info,
            .invitations,
            .context, .ttl, .ratesAuthor, .ratesLink, .pictures, .textMax, .ircListen, .ircServerName, .ircPasswordFile,
            .ircTLSCertificate, .ircTLSKey, .httpListen, .httpBasemap, .httpVisitors, .httpTLS,
            .httpTLSCertificate, .httpTLSKey, .metrics, .logFormat:
            self = .restart
        }
    }
}
