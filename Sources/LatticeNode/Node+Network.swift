import LatticeCore
import LatticeDiscovery
import LatticeLink
import LatticeMesh
import Logging

// The networks of this machine as they come and go: a cable, a Wi-Fi that is left for another, a machine that has slept.
extension Node {
    /// Between two looks: a change is told in a dozen pieces. The first of them is looked at at once.
    private static let networkInterval: Duration = .milliseconds(100)

    /// Until its task is cancelled.
    func watchNetwork() async {
        guard let watch = await NetworkWatch.open(on: executor.eventLoop, logger: logger) else { return }
        defer { watch.close() }
        var known = usable(InterfaceReader.read())
        for await _ in watch.changes {
            let interfaces = InterfaceReader.read()
            // Most of what is told is of no consequence: an address is renewed, a radio has another speed.
            if usable(interfaces) != known || !links(without: interfaces).isEmpty {
                known = usable(interfaces)
                networkChanged(to: interfaces)
            }
            do {
                try await Task.sleep(for: Self.networkInterval)
            } catch {
                return  // Cancelled: the node ends.
            }
        }
    }

    /// Once a second.
    func lookAtSleep() {
        guard sleep.look(now: Clocks.now, awake: MonotonicClock.now()) else { return }
        logger.info("the machine woke up from sleep")
        networkChanged(to: InterfaceReader.read())
    }

    /// Those that links can use.
    private func usable(_ interfaces: [NetworkInterface]) -> [NetworkInterface] {
        interfaces.filter { interface in
            interface.isUp && !interface.addresses.isEmpty
                && (configuration.interface.map { $0 == interface.name } ?? true)
        }
    }

    /// Links whose address here is gone. Without a carrier an address stays, and a cable that is plugged in again soon has hurt nobody.
    private func links(without interfaces: [NetworkInterface]) -> [LinkID] {
        let hosts = Set(interfaces.flatMap(\.addresses).map(\.text))
        let lost = live.values.filter { link in
            !link.isClosing && link.localHost.map { !hosts.contains($0) } ?? false
        }
        return lost.map(\.id).sorted()
    }

    private func networkChanged(to interfaces: [NetworkInterface]) {
        discovery.networkChanged()
        let lost = links(without: interfaces)
        let networks = usable(interfaces).filter { !$0.isLoopback }.map(\.name)
        logger.info(
            "the network changed", metadata: ["up": "\(networks.joined(separator: " "))", "lost": "\(lost.count)"])
        // Where there is none, nobody answers: that says nothing of them.
        if !networks.isEmpty || !lost.isEmpty { handle(.networkChanged(without: lost)) }
    }
}
