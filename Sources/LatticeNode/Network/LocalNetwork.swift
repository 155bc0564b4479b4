import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import LatticeMesh
import Logging

/// Peers seen on the local network, this machine's own networks, and failed dials.
struct LocalNetwork {
    enum Effect {
        case mesh(MeshEvent)
        case notice(Notice)
        /// It is known how peers are found.
        case ready
    }

    let discovery: any PeerFinder
    /// How peers are found now.
    private(set) var source: String
    var failures = DialFailures()
    private var announcement: Announcement
    private var sleep = SleepWatch()
    /// The only interface to use; `nil` for all.
    private let interface: String?
    /// The tag of this mesh, if it is open.
    private let meshTag: UInt32
    private let onNews: (@Sendable (NearbyNews) -> Void)?
    private let logger: Logger

    init(_ configuration: NodeConfiguration, port: UInt16, at time: WallTime, logger: Logger) {
        announcement = Announcement(key: configuration.meshKey)
        let advertisement = announcement.advertisement(of: configuration, port: port, at: time)
        let roles: DiscoveryRoles = configuration.announced.isManual ? [] : .both
        discovery =
            configuration.machine.network?.finder(for: advertisement, mode: configuration.discovery, roles: roles)
            ?? Discovery(
                mode: configuration.discovery, interface: configuration.interface, advertisement: advertisement,
                roles: roles, logger: logger)
        meshTag = Digest.meshTag(configuration.mesh)
        onNews = configuration.announced.onNews
        // With `auto` this is a guess. Discovery's first report, which comes before any link, corrects it.
        source = (configuration.discovery == .auto ? DiscoveryMode.embedded : configuration.discovery).rawValue
        (interface, self.logger) = (configuration.interface, logger)
    }

    /// - Parameters:
    ///   - isReady: fronts know how peers are found.
    ///   - isLinked: there is a neighbour.
    mutating func handle(
        _ event: DiscoveryEvent, isReady: Bool, isLinked: Bool, at time: WallTime, into effects: inout [Effect]
    ) {
        switch event {
        case .found(let sighting):
            if !isReady { source = sighting.source.rawValue }
            effects.append(.ready)
            logger.debug("sighted", metadata: sighting.metadata)
            if let ours = announcement.recognised(sighting, at: time) {
                effects.append(.mesh(.sighted(ours)))
                if let target = ours.target, isOfThisMesh(ours) { onNews?(.found(target, sighting)) }
            } else if !isLinked, announcement.isFirstStranger() {
                effects.append(.notice(.otherMesh))
            }
        case .lost(let sighting):
            logger.debug("lost", metadata: sighting.metadata)
            let masked = announcement.masked(sighting)
            effects.append(.mesh(.lost(masked)))
            if let target = masked.target, isOfThisMesh(masked) { onNews?(.lost(target, sighting)) }
        case .running(let found):
            if isReady, source != found.rawValue {
                effects.append(.notice(.discoveryChanged(source: found)))
            }
            source = found.rawValue
            effects += [.ready, .mesh(.visibilityChanged(true))]
        case .chosen(let found):
            // The report of readiness does not wait for the second that announcing takes.
            if !isReady { source = found.rawValue }
            effects.append(.ready)
        case .stopped: break  // `running` of the next source or `trouble` follows.
        case .trouble(let trouble):
            effects += [.ready, .notice(.discoveryFailed(fault: DiscoveryFault(trouble)))]
            // Without a network the peers on this machine are found, and it may come.
            if trouble != .noInterface { onNews?(.trouble(reason: trouble.words)) }
        case .recovered:
            effects.append(.notice(.discoveryRecovered))
            onNews?(.recovered)
        }
    }

    /// Members of a closed mesh were recognised by their tag, which is left out then.
    private func isOfThisMesh(_ sighting: Sighting) -> Bool {
        sighting.meshTag == nil || sighting.meshTag == meshTag
    }

    /// Announces us under another name, which a closed mesh does not announce.
    func rename(_ name: PeerName) {
        if !announcement.isClosed { discovery.rename(name) }
    }

    /// The tag by which members of a closed mesh find each other changes at midnight UTC.
    mutating func announceDay(at time: WallTime) {
        if let tag = announcement.newTag(at: time) { discovery.retag(tag) }
    }

    var isClosed: Bool { announcement.isClosed }

    /// Tags that announcements of this mesh may carry now.
    func tags(of mesh: UInt32, at time: WallTime) -> [UInt32] { announcement.tags(of: mesh, at: time) }

    /// - Returns: whether the machine has slept since the last look.
    mutating func hasSlept(now: Instant, awake: Instant) -> Bool { sleep.look(now: now, awake: awake) }

    func usable(_ interfaces: [NetworkInterface]) -> [NetworkInterface] {
        interfaces.filter { $0.isUp && !$0.addresses.isEmpty && (interface == nil || interface == $0.name) }
    }

    /// - Parameter lost: links whose local address is gone.
    func changed(to interfaces: [NetworkInterface], lost: [LinkID], into effects: inout [Effect]) {
        discovery.networkChanged()
        let networks = usable(interfaces).filter { !$0.isLoopback }.map(\.name)
        logger.info(
            "the network changed", metadata: ["up": "\(networks.joined(separator: " "))", "lost": "\(lost.count)"])
        // Without a network nobody answers, which says nothing about the peers.
        if !networks.isEmpty || !lost.isEmpty { effects.append(.mesh(.networkChanged(without: lost))) }
    }
}

extension DiscoveryTrouble {
    /// For a program: what is wrong.
    fileprivate var words: String {
        switch self {
        case .noInterface: "no network interface is up"
        case .interfaceMissing(let name): "the network interface \(name) does not exist or is down"
        case .noMulticast(let names): "these network interfaces cannot do multicast: \(names)"
        case .noDaemon: "the system's mDNS responder does not answer"
        case .refused(let reason): "mDNS does not work: \(reason)"
        }
    }
}

extension DiscoveryFault {
    fileprivate init(_ trouble: DiscoveryTrouble) {
        self =
            switch trouble {
            case .noInterface: .noInterface
            case .interfaceMissing(let name): .interfaceMissing(name: name)
            case .noMulticast(let names): .noMulticast(names: names)
            case .noDaemon: .noDaemon
            case .refused(let reason): .refused(reason: reason)
            }
    }
}

extension Sighting {
    fileprivate var target: AnnouncedPeer? {
        alias.map(AnnouncedPeer.alias) ?? peer.map(AnnouncedPeer.peer)
    }

    fileprivate var metadata: Logger.Metadata {
        ["peer": "\(peer.map(\.description) ?? "?")", "address": "\(address)", "source": "\(source.rawValue)"]
    }
}
