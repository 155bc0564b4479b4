import LatticeCore
import LatticeDiscovery

enum ResponderProbe {
    private static let daemon = "avahi-daemon"

    /// Inspects it from outside, without a request.
    static func look() -> ResponderFact {
        let processes = ProcessTable.named(daemon)
        let path = processes.lazy.compactMap(settingsPath).first ?? AvahiSettings.usualPath
        let text = ProcFile.read(path, AvahiSettings.bytesMax)
        return ResponderFact(
            daemon: .absent, hasDaemonProcess: !processes.isEmpty,
            settings: text.isEmpty || processes.isEmpty ? nil : AvahiSettings(parsing: text), settingsPath: path,
            holders: ProcessTable.holders(of: MulticastSocket.port, isTCP: false))
    }

    /// The daemon may have been started with a settings file of its own.
    private static func settingsPath(of process: Int32) -> String? {
        let words = ProcessTable.arguments(of: process)
        for (index, word) in words.enumerated() {
            if word == "-f" || word == "--file", index + 1 < words.count { return words[index + 1] }
            if word.hasPrefix("--file=") { return String(word.dropFirst(7)) }
        }
        return nil
    }

    /// Blocks the calling thread: a bus that hangs is given up only after half a minute.
    static func ask() -> ResponderFact.Daemon {
        switch ResponderQuestion.ask() {
        case .answered: .answers
        case .absent: .absent
        case .refused(let reason): .refuses(reason)
        }
    }
}
