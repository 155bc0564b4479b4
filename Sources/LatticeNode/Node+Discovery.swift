import LatticeAPI
import LatticeCore
import LatticeDiscovery
import LatticeMesh
import Logging

// Discovery reports, turned into mesh events and notices.
extension Node {
    func discovered(_ event: DiscoveryEvent) {
        switch event {
        case .found(let sighting):
            if !notifier.isReady { discoveryNow = sighting.source.rawValue }
            tellReady()
            logger.debug("sighted", metadata: sighting.metadata)
            guard let ours = announcement.recognised(sighting, at: clock.now) else { return sightedStranger() }
            handle(.sighted(ours))
        case .lost(let sighting):
            logger.debug("lost", metadata: sighting.metadata)
            handle(.lost(announcement.masked(sighting)))
        case .running(let source):
            let hadChanged = notifier.isReady && discoveryNow != source.rawValue
            discoveryNow = source.rawValue
            if hadChanged {
                let text = "now looking for peers with \(source.description)"
                tell(.notice(Notice(.information, code: "discoveryChanged", text)))
            }
            tellReady()
            handle(.visibilityChanged(true))
        case .chosen(let source):
            // The report of readiness does not wait for the second that announcing takes.
            if !notifier.isReady { discoveryNow = source.rawValue }
            tellReady()
        case .stopped: break  // `running` of the next source or `trouble` follows.
        case .trouble(let trouble):
            tellReady()
            tell(.notice(Notice(.problem, code: trouble.code, trouble.description)))
        case .recovered:
            tell(.notice(Notice(.information, code: "discoveryRecovered", "looking for peers on the network again")))
        }
    }
}

// Closed meshes.
extension Node {
    /// The tag by which members find each other changes at midnight UTC.
    func announceDay() {
        if let tag = announcement.newTag(at: clock.now) { discovery.retag(tag) }
    }

    /// A node nearby is not of this mesh. It may be the one the user wants, with another passphrase; that cannot be known.
    private func sightedStranger() {
        guard live.isEmpty, announcement.isFirstStranger() else { return }
        let text =
            "a machine nearby is in another mesh or has another passphrase; to meet, both need the same mesh name "
            + "and passphrase"
        tell(.notice(Notice(.information, code: "otherMesh", text)))
    }
}

extension DiscoveryTrouble {
    /// Stable identifier for programs.
    fileprivate var code: String {
        switch self {
        case .noInterface: "noInterface"
        case .interfaceMissing: "interfaceMissing"
        case .noMulticast: "noMulticast"
        case .noDaemon: "noDaemon"
        case .refused: "discoveryRefused"
        }
    }
}

extension Sighting {
    fileprivate var metadata: Logger.Metadata {
        ["peer": "\(peer.map(\.description) ?? "?")", "address": "\(address)", "source": "\(source.rawValue)"]
    }
}

extension Sighting.Source {
    fileprivate var description: String {
        switch self {
        case .system: "the machine's mDNS responder"
        case .embedded: "the mDNS stack inside this program"
        case .given: "given addresses"
        case .neighbour: "its neighbours"
        }
    }
}
