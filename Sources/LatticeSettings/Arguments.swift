import LatticeAPI
package import LatticeCore
import LatticeGeo
import LatticeIRC
import LatticeNode
package import Logging

/// A value that no option or setting takes, and why.
package struct WrongValue: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// Parsers for single arguments; errors use the words of the parsed type.
package enum Arguments {
    package static func peerName(_ text: String) throws -> PeerName {
        try told { () throws(NameError) in try PeerName(text) }
    }

    package static func meshName(_ text: String) throws -> MeshName {
        try told { () throws(NameError) in try MeshName(text) }
    }

    /// The key of the person whose card of the mesh counts, or an invitation link with that key.
    package static func meshCard(_ text: String) throws -> PeerID {
        try told { () throws(CardSigner.Fault) in try CardSigner.parse(text) }
    }

    /// Adds a `#`, because the shell may have taken it for a comment.
    package static func roomName(_ text: String) throws -> RoomName {
        try told { () throws(NameError) in try RoomName(text.hasPrefix("#") ? text : "#\(text)") }
    }

    package static func address(_ text: String) throws -> PeerAddress {
        try told { () throws(PeerAddressError) in try PeerAddress(parsing: text) }
    }

    /// What a node says about itself.
    package static func info(_ text: String) throws -> String {
        try told { () throws(DiscoveryInfo.Fault) in try DiscoveryInfo.checked(text) }
    }

    package static func number(_ range: ClosedRange<Int>, _ what: String) -> @Sendable (String) throws -> Int {
        { text in
            guard let number = Int(text), range.contains(number) else {
                throw WrongValue("\(what) is a number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
    }

    /// Metres, up to how far is searched.
    package static func radius(_ text: String) throws -> Double {
        let metres: Double
        do {
            metres = try DistanceText.parse(text)
        } catch {
            throw WrongValue(error.description)
        }
        guard metres > 0, metres <= PostLimit.searchMax else {
            throw WrongValue(
                "a radius is above 0 and at most \(DistanceText.string(PostLimit.searchMax)); write 250m or 2km")
        }
        return metres
    }

    /// As any address, and port 0, which lets the system choose.
    package static func listenAddress(_ text: String) throws -> PeerAddress {
        guard text.hasSuffix(":0") else { return try address(text) }
        return PeerAddress(host: try address(text.dropLast() + "1").host, port: 0)
    }

    package static func serverName(_ text: String) throws -> String {
        guard IRCSettings.isServerName(text) else {
            throw WrongValue(
                "a server name has letters, digits, dashes and at least one dot, such as irc.camp.local")
        }
        return text
    }

    package static func logLevel(_ text: String) throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: text) else {
            throw WrongValue("a log level is debug, info, warning or error")
        }
        return level
    }

    private static func told<Value, Fault: Error & CustomStringConvertible>(
        _ make: () throws(Fault) -> Value
    ) throws -> Value {
        do {
            return try make()
        } catch {
            throw WrongValue(error.description)
        }
    }
}
