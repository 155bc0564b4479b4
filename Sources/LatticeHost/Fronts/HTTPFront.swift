import Glibc
package import LatticeAPI
import LatticeChat
package import LatticeCore
import LatticeCrypto
package import LatticeHTTP
package import LatticeNode
import LatticeSettings
package import Logging

/// The HTTP front, with its listening address.
package struct HTTPFront: Sendable {
    package static let visitorsUsual = 200

    let address: PeerAddress
    /// Path of an MBTiles file.
    var map: String?
    /// How many people may write in their own names; `nil` is nobody but the owner.
    var visitorsMax: Int?
    var encryption = PageEncryption.none

    package init(
        address: PeerAddress, map: String?, visitorsMax: Int? = nil, encryption: PageEncryption = .none
    ) {
        (self.address, self.map, self.visitorsMax) = (address, map, visitorsMax)
        self.encryption = encryption
    }

    /// Starts listening; `HTTPPage.tell` prints the address.
    package func listening(_ node: any MeshNode, in directory: DataDirectory, logger: Logger) async throws -> HTTPPage {
        var settings = try settings(in: directory, logger)
        if let visitorsMax { settings.visitors = try Self.visitors(visitorsMax, on: node, in: directory, logger) }
        settings.link = { directory.webPlace().map { PageLink(address: $0.link, fingerprint: $0.fingerprint) } }
        settings.security = try encryption.identity(named: Self.machine, in: directory)
        do {
            let server = try await HTTPServer.listening(at: address, node: node, settings: settings)
            let place = WebPlace(
                address: server.address, isSecure: settings.security != nil, hasVisitors: visitorsMax != nil,
                fingerprint: encryption.isOwn ? settings.security?.fingerprint : nil)
            directory.noteWebPlace(place)
            return HTTPPage(server: server, token: settings.token, directory: directory, place: place)
        } catch {
            throw Failure(.failed, "cannot serve the page at \(address): \(error)")
        }
    }

    private static func visitors(
        _ countMax: Int, on node: any MeshNode, in directory: DataDirectory, _ logger: Logger
    ) throws -> VisitorSettings {
        guard let host = node as? any MeshHost else {
            throw Failure(
                .failed,
                "visitors need a page that the node itself serves; end the other lattice, or start it with 'lattice run --http … --visitors'"
            )
        }
        var visitors = VisitorSettings(
            host: host,
            keep: { book in
                do throws(RequestError) {
                    return .success(try directory.keepWebVisitors(book.text))
                } catch {
                    logger.warning("cannot store who visits", metadata: ["error": "\(error)"])
                    return .failure(error)
                }
            }, date: Surroundings.present)
        visitors.countMax = countMax
        let text = try told { () throws(DataDirectoryError) in try directory.webVisitors() }
        visitors.book = VisitorBook(text)
        if visitors.book.damagedLines > 0 {
            let copy = try told { () throws(DataDirectoryError) in try directory.keepDamagedWebVisitors(text) }
            Report.remark(
                "\(visitors.book.damagedLines) visitors could not be read and have to come anew; the file is kept as \(copy)"
            )
        }
        return visitors
    }

    private func settings(in directory: DataDirectory, _ logger: Logger) throws -> HTTPSettings {
        var settings = HTTPSettings(
            token: try Self.token(in: directory), machine: Self.machine,
            textClusters: Settings.current.number(.textMax) ?? PostLimit.textClusters,
            version: ProgramVersion.number,
            digest: { Digest.blake2b256(Array("lattice app token v1\($0)".utf8)).hex })
        let descriptors = Descriptors.allow(settings.limits.connectionsMax + HTTPLimits.otherDescriptors)
        settings.limits.fit(descriptors: descriptors)
        settings.users = EventUsers(try Self.told { () throws(DataDirectoryError) in try directory.webUsers() })
        settings.keepUsers = { users in
            do throws(RequestError) {
                return .success(try directory.keepWebUsers(users.text))
            } catch {
                logger.warning("cannot store the account of an app", metadata: ["error": "\(error)"])
                return .failure(error)
            }
        }
        settings.baseMap = try PageMaps(path: map, folder: "\(directory.path)/\(DataDirectory.mapsName)")
        settings.receiver = { () async throws(ReceiverFault) in
            do throws(GPSD.Fault) {
                return try await GPSD(address: PeerAddress(host: "localhost", port: 2_947)).fix(atMost: .seconds(10))
            } catch {
                throw error == .noFix ? ReceiverFault.noFix : ReceiverFault.absent
            }
        }
        return settings
    }

    /// Creates the token on first use.
    package static func token(in directory: DataDirectory) throws -> AccessToken {
        let text = try told { () throws(DataDirectoryError) in try directory.webToken() }
        if let text, !text.isEmpty {
            guard let token = AccessToken(text) else {
                let range = AccessToken.charactersRange
                throw Failure(
                    .failed,
                    "\(directory.webTokenPath) holds no valid token (\(range.lowerBound) to \(range.upperBound) letters, "
                        + "digits, - and _); remove the file to get a new one")
            }
            return token
        }
        // A power failure can leave an empty file.
        if text != nil {
            Report.remark("\(directory.webTokenPath) was empty; a new token was made, and older links no longer work")
        }
        var dice = SystemRandomNumberGenerator()
        let token = AccessToken.made(using: &dice)
        try told { () throws(DataDirectoryError) in try directory.keepWebToken(token.text) }
        return token
    }

    private static func told<Value>(_ act: () throws(DataDirectoryError) -> Value) throws -> Value {
        do {
            return try act()
        } catch {
            throw Failure(.failed, error.description)
        }
    }

    // Safety: the buffer is lent to gethostname(2) for the length of the call, with its true size less one for the end.
    private static var machine: String? {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return nil }
        return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
