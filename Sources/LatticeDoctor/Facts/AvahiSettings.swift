/// What avahi-daemon.conf(5) says that keeps the daemon from a network.
package struct AvahiSettings: Hashable, Sendable {
    package static let usualPath = "/etc/avahi/avahi-daemon.conf"
    /// A guess; the file that Debian ships has 2 kB.
    package static let bytesMax = 64 << 10

    /// The only interfaces used; empty is every one.
    package var allowed: [String] = []
    package var denied: [String] = []
    package var usesV4 = true
    package var usesV6 = true
    /// Nobody else may answer on this machine.
    package var refusesOthers = false
    /// Programs can ask it.
    package var hasBus = true

    package init() {}

    /// Reads what is understood and passes over the rest: the daemon itself complains of it. Sections do not matter, as no key that
    /// counts here stands in two.
    package init(parsing text: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: "=", maxSplits: 1).map { $0.filter { !$0.isWhitespace } }
            guard parts.count == 2, let first = parts[0].first, first != "#", first != ";" else { continue }
            let isYes = ["yes", "true", "1", "y", "on", "t"].contains(parts[1].lowercased())
            let names = parts[1].split(separator: ",").map(String.init)
            switch parts[0] {
            case "allow-interfaces": allowed = names
            case "deny-interfaces": denied = names
            case "use-ipv4": usesV4 = isYes
            case "use-ipv6": usesV6 = isYes
            case "disallow-other-stacks": refusesOthers = isYes
            case "enable-dbus": hasBus = isYes || parts[1] == "warn"
            default: continue
            }
        }
    }

    /// Whether the daemon works on this interface.
    package func allows(_ interface: String) -> Bool {
        (allowed.isEmpty || allowed.contains(interface)) && !denied.contains(interface)
    }
}
