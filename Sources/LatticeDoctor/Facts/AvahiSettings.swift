/// Settings in avahi-daemon.conf(5) that exclude networks.
package struct AvahiSettings: Hashable, Sendable {
    package static let usualPath = "/etc/avahi/avahi-daemon.conf"
    /// A guess; the file that Debian ships has 2 kB.
    package static let bytesMax = 64 << 10

    /// The only interfaces used; empty means all.
    package var allowed: [String] = []
    package var denied: [String] = []
    package var usesV4 = true
    package var usesV6 = true
    /// Whether no other responder may run on this machine.
    package var refusesOthers = false
    /// Whether programs can query the daemon over D-Bus.
    package var hasBus = true

    package init() {}

    /// Reads the settings that matter and skips the rest; the daemon itself reports errors. Sections can be ignored,
    /// because each key that matters occurs in only one.
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

    package func allows(_ interface: String) -> Bool {
        (allowed.isEmpty || allowed.contains(interface)) && !denied.contains(interface)
    }
}
