import LatticeCore
package import LatticeMesh
import LatticeWire

/// Settings for all meshes of a world. The only place that converts them to `MeshOptions`.
package struct MeshSettings: Hashable, Sendable {
    package var timeToLive = RecordFrame.timeToLiveDefault
    package var policy = MeshOptions.Policy.auto
    // `nil` means the mesh's default.
    package var activeMax: Int?
    package var passiveMax: Int?
    /// In milliseconds.
    package var graftDelay: Int64?
    /// In milliseconds.
    package var haveDelay: Int64?
    /// In percent of the hops that records take.
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
