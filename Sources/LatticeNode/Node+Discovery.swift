import LatticeAPI
import LatticeCore
import LatticeDiscovery
import LatticeMesh
import Logging

// What discovery reports, turned into events of the mesh and words for people.
extension Node {
    func discovered(_ event: DiscoveryEvent) {
        switch event {
        case .found(let sighting):
            if !isReadyTold { discoveryNow = sighting.source.rawValue }
            tellReady()
            logger.debug("sighted", metadata: sighting.metadata)
            handle(.sighted(sighting))
        case .lost(let sighting):
            logger.debug("lost", metadata: sighting.metadata)
            handle(.lost(sighting))
        case .running(let source):
            let hadChanged = isReadyTold && discoveryNow != source.rawValue
            discoveryNow = source.rawValue
            if hadChanged {
                let text = "peers are looked for by \(source.description) now"
                tell(.notice(Notice(.information, code: "discoveryChanged", text)))
            }
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

extension DiscoveryTrouble {
    /// Stable, for programs.
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
