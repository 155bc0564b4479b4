import LatticeCore
package import LatticeMesh
import LatticeWire

/// What a plan or an experiment may set about every mesh of a world; the one place that turns it into `MeshOptions`.
package struct MeshSettings: Hashable, Sendable {
    package var timeToLive = RecordFrame.timeToLiveDefault
    package var policy = MeshOptions.Policy.auto
    // Where nothing is said the mesh has its own way.
    package var activeMax: Int?
    package var passiveMax: Int?
    /// In milliseconds.
    package var graftDelay: Int64?
    /// In milliseconds.
    package var haveDelay: Int64?
    /// Of the hops that records take.
    package var floodPercent: Int?

    package init() {}

    package init(timeToLive: UInt8) {
        self.timeToLive = timeToLive
    }

    func options() -> MeshOptions {
        do {
            var options = MeshOptions(mesh: try MeshName("simulation"), meshTag: Self.meshTag)
            options.timeToLive = timeToLive
            options.policy = policy
            options.floodPercent = floodPercent
            if let activeMax { options.activeMax = activeMax }
            if let passiveMax { options.passiveMax = passiveMax }
            if let graftDelay { options.graftDelay = .milliseconds(graftDelay) }
            if let haveDelay { options.haveDelay = .milliseconds(haveDelay) }
            return options
        } catch {
            preconditionFailure("'simulation' is a mesh name")
        }
    }

    static let meshTag: UInt32 = 1
}
