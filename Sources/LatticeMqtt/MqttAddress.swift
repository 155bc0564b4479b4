/// How to reach an MQTT broker.
package struct MqttAddress: Sendable {
    package struct Login: Sendable {
        let user: String
        let password: String

        package init(user: String, password: String) { (self.user, self.password) = (user, password) }
    }

    /// Files in PEM that show the broker who we are.
    package struct Certificate: Sendable {
        let file: String
        let key: String

        package init(file: String, key: String) { (self.file, self.key) = (file, key) }
    }

    package var host: String
    package var port: UInt16
    package var usesTLS: Bool
    /// Certificates that are trusted beside those of the system, in PEM.
    package var authority: String?
    package var login: Login?
    package var certificate: Certificate?

    package init(host: String, port: UInt16, usesTLS: Bool) {
        (self.host, self.port, self.usesTLS) = (host, port, usesTLS)
    }
}
