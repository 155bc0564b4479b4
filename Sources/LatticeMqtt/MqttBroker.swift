package import LatticeBridge
import LatticeConcurrency

/// An MQTT broker.
package final class MqttBroker: LiveBroker {
    private let connection: MqttConnection
    private let inbox: MqttInbox

    /// - Parameter client: the name under which the broker keeps what comes while we are away.
    /// - Throws: `BrokerFault` if the connection cannot be made.
    package init(_ address: MqttAddress, client: String, _ topics: LiveTopics) async throws(BrokerFault) {
        let inbox = MqttInbox(topics)
        connection = try await Connector().connect(address, client, inbox)
        self.inbox = inbox
        try await inbox.opened()
    }

    /// Connecting blocks its thread.
    private actor Connector {
        private let executor = BlockingExecutor("lattice.mqtt.connect")
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        func connect(
            _ address: MqttAddress, _ client: String, _ inbox: MqttInbox
        ) throws(BrokerFault) -> MqttConnection {
            try MqttConnection(address, client: client, inbox: inbox)
        }
    }

    package func next() async throws(BrokerFault) -> [LiveEvent] { try await inbox.next() }

    package func publish(_ messages: [LiveMessage]) async -> [Bool] {
        let receipt = MqttReceipt(count: messages.count)
        for (index, message) in messages.enumerated() {
            inbox.expect(receipt, index) { connection.publish(message) }
        }
        return messages.isEmpty ? [] : await receipt.outcome()
    }
}
