package import LatticeBridge
import LatticeConcurrency

/// The settings of streams that a bridge creates.
package struct NatsStreamSettings: Hashable, Sendable {
    /// The longest record with its seal.
    static let messageBytesMax: Int32 = 61_440

    /// 1 or 3.
    package var replicas = 1
    /// The size limits of streams in bytes; without one there is no limit.
    package var bytesMax: [BridgeSpan: Int64] = [:]
    /// Whether missing streams are created.
    package var mayCreate = true

    package init() {}
}

/// NATS with JetStream.
package final class NatsBroker: BridgeBroker {
    private let connection: NatsConnection
    private let publisher: NatsPublisher
    private let readers: [BridgeSpan: NatsReader]

    /// - Throws: `BrokerFault` if the connection cannot be made.
    package init(_ address: NatsAddress, _ names: BridgeNames, _ settings: NatsStreamSettings) async throws(BrokerFault)
    {
        let acks = NatsAcks()
        let connection = try await Connector().connect(address, acks)
        self.connection = connection
        publisher = NatsPublisher(connection, acks)
        readers = Dictionary(
            uniqueKeysWithValues: BridgeSpan.allCases.map { ($0, NatsReader(connection, $0, names, settings)) })
    }

    /// Connecting blocks its thread.
    private actor Connector {
        private let executor = BlockingExecutor("lattice.nats.connect")
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        func connect(_ address: NatsAddress, _ acks: NatsAcks) throws(BrokerFault) -> NatsConnection {
            try NatsConnection(address, acks: acks)
        }
    }

    private func reader(of span: BridgeSpan) -> NatsReader {
        guard let reader = readers[span] else { preconditionFailure("each span has a reader") }
        return reader
    }

    package func stand(of span: BridgeSpan) async throws(BrokerFault) -> StreamStand {
        try await reader(of: span).stand()
    }

    package func next(_ span: BridgeSpan, after sequence: UInt64) async throws(BrokerFault) -> BrokerPage {
        guard !connection.isClosed else { throw .closed("the broker has closed the connection") }
        return try await reader(of: span).next(after: sequence)
    }

    package func publish(_ parcels: [BridgeParcel]) async -> [PublishOutcome] {
        await publisher.publish(parcels)
    }
}
