/// What is wrong with a certificate or key, in plain words: the messages of the TLS library would not help.
package enum TLSFault: Error, Equatable, CustomStringConvertible {
    package enum File: Equatable, Sendable {
        /// With the system's message.
        case unreadable(String, String)
        /// The file contains no certificate or key.
        case empty(String)
    }

    case certificate(File)
    case key(File)
    /// With both paths.
    case mismatch(String, String)
    /// The library did not make a certificate.
    case notMade
    /// The program was built without the package trait TLS.
    case notBuilt

    package var description: String {
        switch self {
        case .certificate(.unreadable(let path, let reason)): "cannot read the TLS certificate \(path): \(reason)"
        case .certificate(.empty(let path)):
            "\(path) contains no TLS certificate; use a PEM file, which begins with -----BEGIN CERTIFICATE-----"
        case .key(.unreadable(let path, let reason)): "cannot read the TLS key \(path): \(reason)"
        case .key(.empty(let path)):
            "\(path) contains no TLS key; use a PEM file without a passphrase, which begins with -----BEGIN PRIVATE KEY-----"
        case .mismatch(let certificate, let key):
            "the TLS key \(key) does not belong to the certificate \(certificate); use a matching pair"
        case .notMade: "no certificate could be made for the names of this machine; give one of your own"
        case .notBuilt: "this lattice was built without TLS; 'LATTICE_TLS=1 tools/lattice' builds one with TLS"
        }
    }
}
