import LatticeCrypto
import LatticeLink
import LatticeSession
import LatticeWire
import Logging
import NIOCore

extension LinkTable {
    /// Binds the configured port, or another one if that is in use and may be replaced.
    static func listening(
        for configuration: NodeConfiguration, _ session: SessionIdentity, clock: NodeClock, on turn: LoopTurn,
        exchangesBlobs: Bool = false, logger: Logger
    ) async throws(ListenError) -> LinkTable {
        var limits = LinkLimits()
        if let farewell = configuration.invitations.farewell { limits.farewellTimeout = farewell }
        func listening(_ port: UInt16) async throws(ListenError) -> Links {
            try await Links.listening(
                port: port, interface: configuration.interface, session: session, limits: limits,
                turn: turn, carrier: configuration.machine.network, logger: logger)
        }
        let transport: Links
        do {
            transport = try await listening(configuration.port)
        } catch .portInUse where configuration.takesOtherPort {
            transport = try await listening(0)
        }
        let capabilities =
            (configuration.isBrief ? Introduction.briefCapability : 0)
            | (exchangesBlobs ? Introduction.blobsCapability : 0)
        let face = PublicFace(
            session: session, instance: SecureRandom.word(), port: transport.port, capabilities: capabilities,
            name: configuration.name, clock: clock)
        return LinkTable(transport, face)
    }
}
