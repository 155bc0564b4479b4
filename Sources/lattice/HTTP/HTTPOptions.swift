import ArgumentParser
import LatticeCore
import LatticeHost
import LatticeSettings

/// `lattice run --http …`
struct HTTPOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Serve the page and the API here; other machines need the token.",
            valueName: "host:port"),
        transform: Arguments.listenAddress)
    var http: PeerAddress?

    @OptionGroup var map: BaseMapOptions
    @OptionGroup var visitors: VisitorOptions
    @OptionGroup var encryption: EncryptionOptions

    /// The HTTP front; `nil` if there is none.
    ///
    /// - Throws: `Failure` for what needs a page, without one, and for what does not go together.
    func served() throws -> HTTPFront? {
        guard let address = http ?? Settings.current.value(.httpListen, Arguments.listenAddress) else {
            guard let name = visitors.visitors ? "--visitors" : encryption.firstName else { return nil }
            throw Failure(.usage, "\(name) needs a page; add --http 0.0.0.0:8080, for example")
        }
        return HTTPFront(
            address: address, map: map.path, visitorsMax: visitors.countMax, encryption: try encryption.chosen())
    }
}

struct BaseMapOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A base map: an MBTiles file.", valueName: "file"))
    var basemap: String?

    var path: String? { basemap ?? Settings.current.text(.httpBasemap) }
}

struct VisitorOptions: ParsableArguments {
    @Flag(help: "Let people write from their browsers in their own names, without the token.")
    var visitors = false

    /// `nil` if only the owner writes.
    var countMax: Int? {
        let setting = Settings.current.number(.httpVisitors) ?? 0
        if setting > 0 { return setting }
        return visitors ? HTTPFront.visitorsUsual : nil
    }
}

struct EncryptionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "'self' serves the page over TLS with a certificate that lattice makes; browsers warn once.",
            valueName: "self|off"))
    var tls: PageCertificate?

    @Option(help: ArgumentHelp("Serve the page over TLS with this certificate (PEM).", valueName: "file"))
    var httpTlsCertificate: String?

    @Option(
        help: ArgumentHelp("The TLS key of the page (PEM), in a file that no other user can read.", valueName: "file"))
    var httpTlsKey: String?

    private var options: PageEncryption.Options {
        PageEncryption.Options(own: tls, certificate: httpTlsCertificate, key: httpTlsKey)
    }

    /// The first option that was given.
    var firstName: String? {
        let given = [
            ("--tls", tls != nil), ("--http-tls-certificate", httpTlsCertificate != nil),
            ("--http-tls-key", httpTlsKey != nil),
        ]
        return given.first(where: \.1)?.0
    }

    /// - Throws: `Failure` for what does not go together.
    func chosen() throws(Failure) -> PageEncryption { try PageEncryption(options) }
}

extension PageCertificate: ExpressibleByArgument {}
