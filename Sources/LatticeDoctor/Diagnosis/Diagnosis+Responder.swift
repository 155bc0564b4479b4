import LatticeCore
import LatticeDiscovery

// Which mDNS responder runs on this machine, and whether it interferes.
extension Diagnosis {
    mutating func judgeResponder() {
        guard let responder = facts.responder, facts.wish.discovery != .off else { return }
        let wantsDaemon = facts.wish.discovery == .system
        switch responder.daemon {
        case .absent where wantsDaemon:
            add(
                .blocks, .daemonAbsent, "no mDNS service runs on this machine, but --discovery system needs one",
                remedy: "start it (systemctl start avahi-daemon), or remove the option: lattice brings its own")
        case .silent:
            // With `auto` the embedded stack takes over, unless it cannot get the port.
            add(
                wantsDaemon ? .blocks : facts.wish.discovery == .embedded ? .notes : severity, .daemonSilent,
                "this machine's mDNS service (avahi-daemon) is running but does not answer",
                remedy: "restart it (systemctl restart avahi-daemon), or use --discovery embedded")
        case .refuses(let reason) where facts.wish.discovery != .embedded:
            add(
                wantsDaemon ? .blocks : severity, .daemonRefuses,
                "this machine's mDNS service refuses: \(DisplayText.safe(reason))",
                remedy: "restart it (systemctl restart avahi-daemon), or use --discovery embedded")
        case .answers where facts.wish.discovery != .embedded: judgeRestrictions(responder)
        case .absent, .refuses, .answers: break
        }
        judgePort(responder)
    }

    /// The daemon answers programs, but its settings may exclude the networks in use.
    private mutating func judgeRestrictions(_ responder: ResponderFact) {
        guard let settings = responder.settings else { return }
        let shut = used.filter { !settings.allows($0.name) }
        let path = DisplayText.isolated(responder.settingsPath)
        if !shut.isEmpty {
            let isAll = shut.count == used.count
            add(
                isAll ? .blocks : severity, .daemonRestricted,
                "this machine's mDNS service ignores \(Told.names(shut.map(\.name)))",
                remedy:
                    "in \(path) add \(shut[0].name) to allow-interfaces (or remove it from deny-interfaces) and run systemctl "
                    + "restart avahi-daemon, or use --discovery embedded")
        } else if !settings.usesV4, !settings.usesV6, !used.isEmpty {
            add(
                .blocks, .daemonRestricted, "this machine's mDNS service uses neither IPv4 nor IPv6",
                remedy:
                    "in \(path) set use-ipv4=yes and run systemctl restart avahi-daemon, or use --discovery embedded")
        }
    }

    private mutating func judgePort(_ responder: ResponderFact) {
        let isDaemonOfUse = responder.daemon == .answers && facts.wish.discovery != .embedded
        guard responder.port == .held, !isDaemonOfUse else { return }
        let holders = responder.holders.filter { $0 != "lattice" }
        let who = holders.isEmpty ? "another program" : Told.names(holders)
        if responder.settings?.refusesOthers == true, responder.hasDaemonProcess {
            let path = DisplayText.isolated(responder.settingsPath)
            add(
                .blocks, .daemonAlone, "avahi-daemon does not share UDP port 5353 (disallow-other-stacks)",
                remedy: facts.wish.discovery == .embedded
                    ? "remove --discovery embedded, or set disallow-other-stacks=no in \(path)"
                    : "set disallow-other-stacks=no in \(path), and run systemctl restart avahi-daemon")
            return
        }
        add(
            .blocks, .mdnsPortHeld, "\(who) does not share UDP port 5353, which discovery needs",
            remedy:
                "stop it, or let it share the port ('ss -ulpn sport = 5353' shows it as root), or run avahi-daemon "
                + "instead")
    }
}
