import LatticeAPI
import LatticeCore
import LatticeDiscovery
import LatticeLink
import LatticeMesh
import Logging

// Reports of discovery and of the interfaces, given to the mesh and to fronts.
extension LocalNetwork {
    /// Between two looks, as one change comes as a dozen reports. The first is looked at immediately.
    private static let lookInterval: Duration = .milliseconds(100)

    /// Fronts hear of readiness now, unless it is still unknown how peers are found.
    static func begin(for node: isolated Node) {
        let configuration = node.configuration
        if configuration.discovery != .off { node.handle(.visibilityChanged(false)) }
        for address in configuration.given {
            node.handle(.sighted(Sighting(source: .given, peer: nil, name: nil, meshTag: nil, address: address)))
        }
        if configuration.discovery != .auto || configuration.announced.isManual {
            node.notifier.deliverReady(for: node)
        }
    }

    static func run(for node: isolated Node) async {
        await withDiscardingTaskGroup { [discovery = node.network.discovery] group in
            group.addTask { await discovery.run() }
            group.addTask(executorPreference: node.taskExecutor) {
                for await event in discovery.events { await discovered(event, for: node) }
            }
            group.addTask { await watch(for: node) }
        }
    }

    static func discovered(_ event: DiscoveryEvent, for node: isolated Node) {
        var effects: [Effect] = []
        node.network.handle(
            event, isReady: node.notifier.isReady, isLinked: !node.links.isEmpty, at: node.clock.now, into: &effects)
        carryOut(effects, for: node)
    }

    /// A cable, a change of Wi-Fi: runs until its task is cancelled.
    static func watch(for node: isolated Node) async {
        // Another network has no interfaces.
        guard node.configuration.machine.network == nil else { return }
        guard let watch = await NetworkWatch.open(on: node.loop.eventLoop, logger: node.logger) else { return }
        defer { watch.close() }
        var known = node.network.usable(InterfaceReader.read())
        for await _ in watch.changes {
            let interfaces = InterfaceReader.read()
            // Most reports change nothing here: a renewed address, another radio speed.
            if node.network.usable(interfaces) != known || !node.links.without(interfaces).isEmpty {
                known = node.network.usable(interfaces)
                changed(to: interfaces, for: node)
            }
            do {
                try await Task.sleep(for: lookInterval)
            } catch {
                return  // Cancelled: the node is stopping.
            }
        }
    }

    /// Called once a second.
    static func look(for node: isolated Node) {
        node.network.announceDay(at: node.clock.now)
        guard node.configuration.machine.network == nil else { return }
        guard node.network.hasSlept(now: Clocks.now, awake: MonotonicClock.now()) else { return }
        node.logger.info("the machine woke up from sleep")
        changed(to: InterfaceReader.read(), for: node)
    }

    private static func changed(to interfaces: [NetworkInterface], for node: isolated Node) {
        var effects: [Effect] = []
        node.network.changed(to: interfaces, lost: node.links.without(interfaces), into: &effects)
        carryOut(effects, for: node)
    }

    private static func carryOut(_ effects: [Effect], for node: isolated Node) {
        for effect in effects {
            switch effect {
            case .mesh(let event): node.handle(event)
            case .notice(let notice): node.notifier.tell(.notice(notice), for: node)
            case .ready: node.notifier.deliverReady(for: node)
            }
        }
    }
}
