import LatticeChat
import LatticeCrypto
import LatticeSettings
import LatticeSocket

/// A value and the name of its origin, for errors about it.
package struct NamedValue<Value: Sendable>: Sendable {
    let value: Value
    /// `--irc`, `LATTICE_IRC_LISTEN`, or `irc.listen in /etc/lattice/config.json line 3`.
    let name: String
}

/// The files of a certificate and its key.
package struct TLSFiles: Sendable {
    let certificate: NamedValue<String>
    let key: NamedValue<String>

    /// - Throws: `Failure` if one of them is unusable, or others can read the key.
    func identity() throws(Failure) -> TLSIdentity {
        do {
            try Passphrase.checkPrivate(path: key.value)
        } catch {
            throw Failure(.failed, "\(key.name): \(error.told(of: "TLS key"))")
        }
        do {
            return try TLSIdentity(certificatePath: certificate.value, keyPath: key.value)
        } catch {
            switch error {
            case .notBuilt: throw Failure(.usage, "\(certificate.name): \(error)")
            case .certificate: throw Failure(.failed, "\(certificate.name): \(error)")
            case .key, .mismatch, .notMade: throw Failure(.failed, "\(key.name): \(error)")
            }
        }
    }
}
