package import LatticeAPI
import LatticeChat
import LatticeCore
package import LatticeSettings
package import Logging

/// The settings of a running node. Some can change at run time; for the others a remark says that a restart is needed.
package actor LiveSettings {
    package nonisolated let threshold: ServiceLog.Threshold
    private(set) var inForce: SettingsInForce
    private let usual: Logger.Level

    /// - Parameters:
    ///   - fixed: keys that no file changes.
    ///   - usual: the default log level.
    package init(_ settings: Settings, fixed: Set<SettingKey> = [], usual: Logger.Level = .info) {
        inForce = SettingsInForce(settings, fixed: fixed)
        self.usual = usual
        threshold = .init(Self.level(inForce) ?? usual)
    }

    /// Reads the settings again and applies the differences. A broken file changes nothing.
    ///
    /// - Parameter read: returns the current settings.
    package func reload(
        _ node: any MeshNode, _ logger: Logger,
        read: () throws(Failure) -> Settings = { () throws(Failure) in
            try Settings.load(Array(CommandLine.arguments.dropFirst()))
        }
    ) async {
        let new: Settings
        do {
            new = try read()
        } catch {
            logger.error("cannot read the settings; keeping the current ones", metadata: ["error": "\(error)"])
            return
        }
        var taken: [SettingKey] = []
        var waiting: [SettingKey] = []
        for key in inForce.differing(from: new) {
            switch LiveChange(key, from: inForce, to: new) {
            case .level:
                inForce.take(key, from: new)
                threshold.level = Self.level(inForce) ?? usual
                taken.append(key)
            case .requests(let requests):
                if await perform(requests, for: key, node, logger) { taken.append(key) }
            case .commands:
                inForce.take(key, from: new)
                taken.append(key)
            case .restart: waiting.append(key)
            }
        }
        inForce.forgetPeers(notIn: new)
        logger.notice(
            "settings reloaded",
            metadata: ["taken": "\(Self.list(taken))", "restart": "\(Self.list(waiting))"])
        for key in waiting { tell(of: key, new, logger) }
    }

    /// - Returns: whether the node did everything; the rest is requested again at the next reload.
    private func perform(
        _ requests: [NodeChange], for key: SettingKey, _ node: any MeshNode, _ logger: Logger
    ) async -> Bool {
        var isTaken = true
        for request in requests {
            do {
                try await request.perform(on: node)
                inForce.take(request, for: key)
            } catch {
                isTaken = false
                logger.error(
                    "cannot change a setting", metadata: ["setting": "\(key.rawValue)", "error": "\(error.words)"])
            }
        }
        return isTaken
    }

    private func tell(of key: SettingKey, _ new: Settings, _ logger: Logger) {
        let told = { (texts: [String]) in texts.isEmpty ? "the default" : texts.joined(separator: ",") }
        logger.warning(
            "this setting takes effect after a restart",
            metadata: [
                "setting": "\(key.rawValue)", "now": "\(told(inForce[key]))",
                "then": "\(told(SettingsInForce.texts(key, new)))",
            ])
    }

    private static func level(_ settings: SettingsInForce) -> Logger.Level? {
        settings[.log].first.map { SettingsInForce.value($0, Arguments.logLevel) }
    }

    private static func list(_ keys: [SettingKey]) -> String {
        keys.isEmpty ? "none" : keys.map(\.rawValue).joined(separator: ",")
    }
}
