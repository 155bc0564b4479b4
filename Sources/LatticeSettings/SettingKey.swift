import LatticeAPI
import LatticeCore
import LatticeDiscovery
import LatticeGeo
import LatticeNode
import Logging

/// Which photos of others a node fetches.
enum PicturePolicy: String, CaseIterable {
    /// Also before anybody looks at them, within a budget.
    case all
    /// When a person looks at them.
    case ask
}

/// The certificate of the page.
package enum PageCertificate: String, CaseIterable, Sendable {
    /// One that the program makes.
    case own = "self"
    /// None: the page is plain HTTP.
    case off
}

/// What a file or the environment can set in place of an option. The raw value is the name in the file, where a dot
/// separates nested objects. It equals the long option, if there is one.
package enum SettingKey: String, CaseIterable {
    case name
    case dataDir = "data-dir"
    case identityPassphraseFile = "identity-passphrase-file"
    case mesh
    case meshCard = "mesh-card"
    case passphraseFile = "passphrase-file"
    case room
    case peer
    case port
    case interface
    case discovery
    case info
    case invitations
    case context
    case ttl
    case ratesAuthor = "rates.author"
    case ratesLink = "rates.link"
    case pictures
    case log
    case logFormat = "log-format"
    case plain
    case noColor = "no-color"
    case radius
    case textMax = "text-max"
    case ircListen = "irc.listen"
    case ircServerName = "irc.server-name"
    case ircPasswordFile = "irc.password-file"
    case ircTLSCertificate = "irc.tls.certificate"
    case ircTLSKey = "irc.tls.key"
    case httpListen = "http.listen"
    case httpBasemap = "http.basemap"
    case httpVisitors = "http.visitors"
    case httpTLS = "http.tls"
    case httpTLSCertificate = "http.tls.certificate"
    case httpTLSKey = "http.tls.key"
    case metrics

    package enum Form {
        case text
        case number
        case flag
        /// Several texts.
        case list
        /// A file or folder; in the settings file, relative to that file's folder.
        case path
    }

    package var form: Form {
        switch self {
        case .name, .mesh, .meshCard, .interface, .discovery, .invitations, .context, .log, .logFormat, .radius,
            .ircListen,
            .ircServerName,
            .httpListen, .httpTLS, .metrics, .pictures:
            .text
        case .port, .ttl, .ratesAuthor, .ratesLink, .textMax, .httpVisitors: .number
        case .plain, .noColor: .flag
        case .room, .peer, .info: .list
        case .dataDir, .identityPassphraseFile, .passphraseFile, .ircPasswordFile, .ircTLSCertificate, .ircTLSKey,
            .httpBasemap, .httpTLSCertificate, .httpTLSKey:
            .path
        }
    }

    /// Its option; `nil` if it has none.
    package var option: String? {
        switch self {
        case .ratesAuthor, .ratesLink, .pictures, .httpVisitors: nil
        case .ircListen: "--irc"
        case .httpListen: "--http"
        case .httpBasemap: "--basemap"
        case .httpTLS: "--tls"
        case .ircServerName, .ircPasswordFile, .ircTLSCertificate, .ircTLSKey, .httpTLSCertificate, .httpTLSKey:
            "--\(rawValue.replacing(".", with: "-"))"
        default: "--\(rawValue)"
        }
    }

    /// Its environment variable: `LATTICE_DATA_DIR`.
    package var variable: String {
        let marks = ["-", "."].map { UInt8(ascii: $0) }
        let name = rawValue.uppercased().utf8.map { marks.contains($0) ? UInt8(ascii: "_") : $0 }
        return "LATTICE_\(String(decoding: name, as: UTF8.self))"
    }

    /// The default; `nil` if there is none.
    package var fallback: String? {
        switch self {
        case .mesh: "lattice"
        case .room: "#lobby"
        case .port: "0"
        case .discovery: DiscoveryMode.auto.rawValue
        case .invitations: NodeConfiguration.InvitationPolicy.auto.rawValue
        case .ttl: "32"
        case .pictures: PicturePolicy.all.rawValue
        case .httpVisitors: "0"
        case .httpTLS: PageCertificate.off.rawValue
        case .logFormat: LogFormat.text.rawValue
        case .plain, .noColor: "false"
        case .radius: DistanceText.string(PostLimit.radius)
        case .textMax: "\(PostLimit.textClusters)"
        default: nil
        }
    }

    /// Settings that this one belongs to: if an option or variable overrides one of them, this setting is ignored. The
    /// passphrase of one mesh does not fit another.
    var owners: [SettingKey] {
        switch self {
        case .dataDir: [.name]
        case .identityPassphraseFile: [.name, .dataDir]
        case .passphraseFile, .meshCard: [.mesh]
        default: []
        }
    }

    /// - Returns: the value as the program writes it.
    /// - Throws: `WrongValue`, in the words in which an option is refused.
    package func checked(_ text: String) throws -> String {
        switch self {
        case .name: return try Arguments.peerName(text).text
        case .mesh: return try Arguments.meshName(text).text
        case .meshCard: return try Arguments.meshCard(text).hex
        case .room: return try Arguments.roomName(text).text
        case .peer: return "\(try Arguments.address(text))"
        case .info: return try Arguments.info(text)
        case .port: return "\(try Arguments.number(0...65_535, "a port")(text))"
        case .ttl: return "\(try Arguments.number(1...64, "ttl")(text))"
        case .ratesAuthor: return "\(try Arguments.number(16...1_000_000, "rates.author (KiB/s)")(text))"
        case .ratesLink: return "\(try Arguments.number(32...1_000_000, "rates.link (KiB/s)")(text))"
        case .textMax: return "\(try Arguments.number(PostLimit.textClustersRange, "text-max")(text))"
        case .httpVisitors: return "\(try Arguments.number(0...1_000, "http.visitors")(text))"
        case .radius: return DistanceText.string(try Arguments.radius(text))
        case .log: return try Arguments.logLevel(text).rawValue
        case .logFormat: return try one(of: LogFormat.allCases.map(\.rawValue), text)
        case .discovery: return try one(of: DiscoveryMode.allCases.map(\.rawValue), text)
        case .invitations: return try one(of: NodeConfiguration.InvitationPolicy.allCases.map(\.rawValue), text)
        case .plain, .noColor: return try flag(text)
        case .httpTLS: return try one(of: PageCertificate.allCases.map(\.rawValue), text)
        case .pictures: return try one(of: PicturePolicy.allCases.map(\.rawValue), text)
        case .context:
            guard text.utf8.count <= 1_024 else {
                throw WrongValue("context has more than 1,024 bytes; shorten it")
            }
            return text
        case .ircListen, .httpListen, .metrics: return "\(try Arguments.listenAddress(text))"
        case .ircServerName: return try Arguments.serverName(text)
        case .interface:
            guard !text.isEmpty, !text.contains(where: \.isWhitespace) else {
                throw WrongValue("\(rawValue) is one word without spaces")
            }
            return text
        case .dataDir, .identityPassphraseFile, .passphraseFile, .ircPasswordFile, .ircTLSCertificate, .ircTLSKey,
            .httpBasemap, .httpTLSCertificate, .httpTLSKey:
            guard !text.isEmpty, text != "-" else {
                throw WrongValue("\(rawValue) is the path of a file or folder")
            }
            return text
        }
    }

    private func one(of words: [String], _ text: String) throws -> String {
        guard words.contains(text) else {
            let nearest = Suggestion.text(text, among: words)
            throw WrongValue("\(rawValue) is one of \(words.joined(separator: ", "))\(nearest)")
        }
        return text
    }

    private func flag(_ text: String) throws -> String {
        switch text.lowercased() {
        case "true", "yes", "1": return "true"
        case "false", "no", "0": return "false"
        default: throw WrongValue("\(rawValue) is true or false")
        }
    }
}
