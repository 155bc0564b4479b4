import LatticeCore
import LatticeDiscovery
import LatticeLink
import LatticeMesh
import Logging

// This machine's networks as they come and go: a cable, a change of Wi-Fi, a machine that has slept.
extension Node {
    /// Between two looks, as one change comes as a dozen reports. The first is looked at immediately.
    private static let networkInterval: Duration = .milliseconds(100)

    /// Runs until its task is cancelled.
    func watchNetwork() async {
        guard let watch = await NetworkWatch.open(on: executor.eventLoop, logger: logger) else { return }
        defer { watch.close() }
        var known = usable(InterfaceReader.read())
        for await _ in watch.changes {
            let interfaces = InterfaceReader.read()
            // Most reports change nothing here: a renewed address, another radio speed.
            if usable(interfaces) != known || !links(without: interfaces).isEmpty {
                known = usable(interfaces)
                networkChanged(to: interfaces)
            }
            do {
                try await Task.sleep(for: Self.networkInterval)
            } catch {
                return  // Cancelled: the node is stopping.
            }
        }
    }

    /// Called once a second.
    func lookAtSleep() {
        guard sleep.look(now: Clocks.now, awake: MonotonicClock.now()) else { return }
        logger.info("the machine woke up from sleep")
        networkChanged(to: InterfaceReader.read())
    }

    /// The interfaces that links can use.
    private func usable(_ interfaces: [NetworkInterface]) -> [NetworkInterface] {
        interfaces.filter { interface in
            interface.isUp && !interface.addresses.isEmpty
                && (configuration.interface.map { $0 == interface.name } ?? true)
        }
    }

    /// Links whose local address is gone. Without a carrier an address stays, so a cable soon plugged in again costs nothing.
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
        // Without a network nobody answers, which says nothing about the peers.
        if !networks.isEmpty || !lost.isEmpty { handle(.networkChanged(without: lost)) }
    }
}
