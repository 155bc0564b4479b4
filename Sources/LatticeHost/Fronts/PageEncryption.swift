import Glibc
import LatticeChat
import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import LatticeNode
package import LatticeSettings
import LatticeSocket

/// How the page gets to browsers.
package enum PageEncryption: Sendable {
    /// Plain HTTP.
    case none
    /// With a certificate that the program makes; with the name of what asked for it.
    case own(String)
    /// With a certificate of the owner's.
    case files(TLSFiles)

    /// Seconds before its end from which a certificate is made anew.
    private static let renewal = 30 * 86_400

    /// The options, unchecked.
    package struct Options {
        let own: PageCertificate?
        let certificate: String?
        let key: String?

        package init(own: PageCertificate?, certificate: String?, key: String?) {
            (self.own, self.certificate, self.key) = (own, certificate, key)
        }

        package var isEmpty: Bool { own == nil && certificate == nil && key == nil }
    }

    /// Takes options first, then settings.
    ///
    /// - Throws: `Failure` for what does not go together.
    package init(_ options: Options, settings: Settings = .current) throws(Failure) {
        func said<Value>(_ option: Value?, _ key: SettingKey, _ settled: Value?) -> NamedValue<Value>? {
            if let option { return NamedValue(value: option, name: key.option ?? key.rawValue) }
            return settled.map { NamedValue(value: $0, name: settings.called(key, countsOptions: false)) }
        }
        let hasOptions = !options.isEmpty
        let own = said(
            options.own, .httpTLS, hasOptions ? nil : settings.text(.httpTLS).flatMap { PageCertificate(rawValue: $0) })
        let certificate = said(
            options.certificate, .httpTLSCertificate, own == nil ? settings.text(.httpTLSCertificate) : nil)
        let key = said(options.key, .httpTLSKey, own == nil ? settings.text(.httpTLSKey) : nil)
        switch (own, certificate, key) {
        case (nil, nil, nil): self = .none
        case (let own?, nil, nil): self = own.value == .off ? .none : .own(own.name)
        case (nil, let certificate?, let key?): self = .files(TLSFiles(certificate: certificate, key: key))
        case (let own?, let other?, _), (let own?, _, let other?):
            throw Failure(.usage, "\(own.name) and \(other.name) do not go together; give one of them")
        case (nil, let said?, nil): throw Self.pair(said.name, .httpTLSKey)
        case (nil, nil, let said?): throw Self.pair(said.name, .httpTLSCertificate)
        }
    }

    private static func pair(_ said: String, _ missing: SettingKey) -> Failure {
        let name = said.hasPrefix("-") ? missing.option ?? missing.rawValue : missing.rawValue
        return Failure(.usage, "\(said) and \(name) go together; give both")
    }

    /// Whether the certificate is self-signed.
    var isOwn: Bool {
        if case .own = self { true } else { false }
    }

    /// - Parameter machine: the name of this machine in its network.
    /// - Returns: `nil` for plain HTTP.
    /// - Throws: `Failure` if a file is unusable, or this program was built without TLS.
    func identity(named machine: String?, in directory: DataDirectory) throws(Failure) -> TLSIdentity? {
        switch self {
        case .none: return nil
        case .files(let files): return try files.identity()
        case .own(let name): return try Self.own(name, machine, directory)
        }
    }

    /// The same certificate as before, so that browsers warn once; a new one on first use and before it ends.
    private static func own(
        _ name: String, _ machine: String?, _ directory: DataDirectory
    ) throws(Failure) -> TLSIdentity {
        let path = directory.webCertificatePath
        let file = NamedValue(value: path, name: name)
        let files = TLSFiles(certificate: file, key: file)
        if access(path, F_OK) == 0 {
            let identity: TLSIdentity
            do {
                identity = try files.identity()
            } catch {
                throw Failure(error.kind, "\(error); remove the file to get a new certificate")
            }
            let now = Int(Surroundings.present().milliseconds / 1_000)
            if identity.validity.contains(now), identity.validity.contains(now + renewal) { return identity }
            Report.remark(
                "the certificate of the page does not fit the date any more and is made anew; browsers warn again")
        }
        do {
            try directory.keepWebCertificate(
                SelfSignedCertificate(names: names(of: machine), addresses: addresses).pem)
        } catch {
            throw Failure((error as? TLSFault) == .notBuilt ? .usage : .failed, "\(name): \(error)")
        }
        return try files.identity()
    }

    private static func names(of machine: String?) -> [String] {
        let name = machine.map { $0.lowercased() } ?? ""
        let isName =
            !name.isEmpty
            && name.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (0x30...0x39).contains(byte)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            }
        return (isName ? ["\(name).local", name] : []) + ["localhost"]
    }

    private static var addresses: [String] {
        LocalAddresses.reachable(port: 1).map(\.host) + ["127.0.0.1", "::1"]
    }
}

extension TLSIdentity {
    /// SHA-256 of the certificate in pairs of digits, as browsers show it.
    var fingerprint: String {
        let digits = Digest.sha256(certificate).hex.uppercased()
        return stride(from: 0, to: digits.count, by: 2).map { String(digits.dropFirst($0).prefix(2)) }
            .joined(separator: ":")
    }
}
