package import LatticeAPI
import LatticeConcurrency
import LatticeCore
import LatticeDiscovery

/// Gathers the facts: inspects the machine, listens on the network, asks the running node, and tries the addresses that
/// were seen. Every part has a time limit, after which its facts are absent. Changes and announces nothing.
package struct Examination: Sendable {
    /// How long to listen by default, in seconds: enough for three queries and their replies.
    package static let secondsUsual = 4
    package static let secondsRange = 1...60

    /// For reading kernel files and disks that may hang.
    private static let lookTime: Duration = .seconds(3)
    /// A healthy responder answers within milliseconds.
    private static let daemonTime: Duration = .seconds(2)
    private static let nodeTime: Duration = .seconds(2)

    private var wish: Facts.Wish
    private let folder: String?
    private let listening: Duration

    /// - Parameters:
    ///   - folder: this person's data folder; `nil` leaves it out.
    ///   - seconds: how long to listen, within `secondsRange`.
    package init(_ wish: Facts.Wish, folder: String?, seconds: Int = Examination.secondsUsual) {
        precondition(Self.secondsRange.contains(seconds), "others are listened for for a while, not for ever")
        self.wish = wish
        self.folder = folder
        listening = .seconds(seconds)
    }

    /// - Parameter node: this person's running node; `nil` if there is none.
    package func facts(of node: (any MeshNode)?) async -> Facts {
        var facts = Facts(wish: wish)
        if let node { facts.node = await ask(node) }
        Self.settle(&facts.wish, by: facts.node)
        let wanted = facts.wish
        let port = node == nil && wanted.port != 0 ? wanted.port : nil
        async let machine = Bounded.value(within: Self.lookTime) { [folder] in
            MachineProbe.run(folder: folder, port: port)
        }
        async let responder = Bounded.value(within: Self.lookTime, ResponderProbe.look)
        async let daemon = Bounded.value(within: Self.daemonTime, ResponderProbe.ask)
        let networks = await Bounded.value(within: Self.lookTime) {
            (InterfaceProbe.run(), InterfaceProbe.defaultInterface(), InterfaceProbe.isContainer())
        }
        if let networks { (facts.interfaces, facts.defaultInterface, facts.isContainer) = networks }
        let heard = await listen(facts)
        facts.machine = await machine ?? MachineFact()
        var seen = await responder
        let answer = await daemon
        let state = Self.daemon(answer, seen)
        seen?.daemon = state
        facts.responder = seen
        if let heard { take(heard, into: &facts) }
        // Meanwhile the node may have linked with the peers that were heard.
        if let node, let later = await ask(node) { facts.node = later }
        let addresses = Self.addresses(facts)
        if !addresses.isEmpty {
            facts.reaches =
                await Bounded.value(within: ConnectProbe.patience + ConnectProbe.doubtTime + Self.lookTime) {
                    ConnectProbe.run(addresses)
                } ?? []
        }
        return facts
    }

    /// The settings of a running node take precedence over those that a new one would have.
    private static func settle(_ wish: inout Facts.Wish, by node: NodeFact?) {
        guard let node else { return }
        wish.mesh = node.me.mesh
        wish.port = node.me.port
        guard let health = node.health else { return }
        (wish.meshTags, wish.isClosed, wish.interface) = (health.meshTags, health.isClosed, health.interface)
        wish.discovery = DiscoveryMode(rawValue: health.discovery) ?? wish.discovery
    }

    private static func daemon(_ answer: ResponderFact.Daemon?, _ seen: ResponderFact?) -> ResponderFact.Daemon {
        // A stopped daemon is still on the bus, or its process still exists.
        guard let answer else { return .silent }
        return answer == .absent && seen?.hasDaemonProcess == true && seen?.settings?.hasBus != false ? .silent : answer
    }

    private func ask(_ node: any MeshNode) async -> NodeFact? {
        await Bounded.first(within: Self.nodeTime) {
            do throws(RequestError) {
                let me = try await node.perform(ShowMe())
                var fact = NodeFact(me: me)
                fact.peers = try await node.perform(ListPeers()).peers
                fact.health = await Self.health(of: node)
                fact.blocked = await Self.blocked(by: node)
                fact.bridges = await Self.bridges(of: node)
                return fact
            } catch {
                return nil
            }
        }
    }

    /// - Returns: `nil` if the node has another version or refuses to tell.
    private static func health(of node: any MeshNode) async -> NodeHealth? {
        do throws(RequestError) {
            let health = try await node.perform(ShowHealth())
            return health
        } catch {
            return nil
        }
    }

    /// - Returns: `nil` if the node has another version or refuses to tell.
    private static func bridges(of node: any MeshNode) async -> ShowBridges.Reply? {
        do throws(RequestError) {
            let bridges = try await node.perform(ShowBridges())
            return bridges
        } catch {
            return nil
        }
    }

    private static func blocked(by node: any MeshNode) async -> [PeerPrefix] {
        do throws(RequestError) {
            return try await node.perform(ListKnownPeople()).people.filter { $0.blocked != nil }.map(\.id.prefix)
        } catch {
            return []
        }
    }

    private func listen(_ facts: Facts) async -> ListeningProbe.Outcome? {
        let used = Diagnosis(facts).used
        // With discovery off, nothing is sent.
        guard !used.isEmpty, facts.wish.discovery != .off else { return nil }
        let own = Set(facts.interfaces.flatMap { $0.v4 + $0.v6 })
        let time = listening
        return await Bounded.value(within: time + Self.lookTime) { ListeningProbe.run(used, own: own, for: time) }
    }

    private func take(_ heard: ListeningProbe.Outcome, into facts: inout Facts) {
        facts.echoes = heard.echoes
        facts.responder?.port = heard.port
        facts.othersHeard = heard.collector.othersHeard
        let me = facts.node?.me
        let own = Set(facts.interfaces.flatMap { $0.v4 + $0.v6 })
        facts.sightings = heard.collector.sightings { prefix, addresses in
            guard let me else { return false }
            return prefix == me.id.prefix
                || addresses.contains { $0.port == me.port && own.contains(String($0.host.prefix { $0 != "%" })) }
        }
    }

    /// Addresses of this mesh, those given, and those that the node knows without a link.
    private static func addresses(_ facts: Facts) -> [PeerAddress] {
        let known = (facts.node?.peers ?? []).filter { $0.state != .connected && $0.via == nil }.compactMap(\.address)
        var addresses: [PeerAddress] = []
        for address in facts.wish.given + Diagnosis(facts).mates.flatMap(\.addresses) + known
        where address.port > 0 && !addresses.contains(address) {
            addresses.append(address)
        }
        return addresses
    }
}
