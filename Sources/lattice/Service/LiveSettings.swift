import LatticeAPI
import LatticeCore
import Logging

/// The settings of a node that runs on: what can change while it runs does, of the rest people are told that it needs a restart.
actor LiveSettings {
    nonisolated let threshold: ServiceLog.Threshold
    private var settings: Settings
    /// By option: no file changes it.
    private let level: Logger.Level?
    private let usual: Logger.Level

    /// - Parameter usual: where nothing is said.
    init(_ settings: Settings, level: Logger.Level?, usual: Logger.Level = .info) {
        (self.settings, self.level, self.usual) = (settings, level, usual)
        threshold = .init(level ?? settings.logLevel ?? usual)
    }

    /// Reads them anew. Of a broken file nothing is taken.
    func reload(_ node: any MeshNode, _ logger: Logger) async {
        let new: Settings
        do {
            new = try Settings.load(Array(CommandLine.arguments.dropFirst()))
        } catch {
            logger.error("the settings could not be read, and stay as they were", metadata: ["error": "\(error)"])
            return
        }
        let old = settings
        settings = new
        let changed = SettingKey.allCases.filter { old.entry($0)?.texts != new.entry($0)?.texts }
        logger.notice(
            "the settings were read anew",
            metadata: ["changed": "\(changed.isEmpty ? "none" : changed.map(\.rawValue).joined(separator: ","))"])
        for key in changed { await take(key, from: new, instead: old, node, logger) }
    }

    private func take(
        _ key: SettingKey, from new: Settings, instead old: Settings, _ node: any MeshNode, _ logger: Logger
    ) async {
        switch LiveChange(key, from: old, to: new) {
        case .level: threshold.level = level ?? new.logLevel ?? usual
        case .requests(let requests):
            for request in requests {
                do {
                    _ = try await node.perform(request)
                } catch {
                    logger.error(
                        "a setting could not be changed", metadata: ["setting": "\(key.rawValue)", "error": "\(error)"])
                }
            }
        case .commands: break
        case .restart:
            logger.warning("this setting counts after a restart", metadata: ["setting": "\(key.rawValue)"])
        }
    }
}

/// What becomes of one setting that is another than before.
enum LiveChange: Equatable {
    case level
    /// The node does it.
    case requests([Request])
    /// Each command reads it by itself.
    case commands
    case restart

    init(_ key: SettingKey, from old: Settings, to new: Settings) {
        switch key {
        case .log: self = .level
        case .radius, .plain, .noColor: self = .commands
        case .name:
            // Without a folder of its own the name says whose folder it is, and nobody becomes somebody else.
            let name = new.value(.name, Arguments.peerName)
            self = new.entry(.dataDir) == nil ? .restart : name.map { .requests([.rename($0)]) } ?? .restart
        case .room:
            let (before, after) = (old.rooms, new.rooms)
            self =
                after.isEmpty
                ? .restart
                : .requests(
                    after.filter { !before.contains($0) }.map { .join($0) }
                        + before.filter { !after.contains($0) }.map { .part($0) })
        case .peer:
            // Those that are named no more are linked with until they go.
            self = .requests(new.peers.filter { !old.peers.contains($0) }.map { .connect($0) })
        case .dataDir, .identityPassphraseFile, .mesh, .passphraseFile, .port, .interface, .discovery, .invitations,
            .context, .ttl, .ratesAuthor, .ratesLink, .textMax, .ircListen, .ircServerName, .ircPasswordFile,
            .ircTLSCertificate, .ircTLSKey, .httpListen, .httpBasemap:
            self = .restart
        }
    }
}
