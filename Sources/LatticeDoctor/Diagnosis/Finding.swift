/// Something that was found, and what to do about it.
package struct Finding: Hashable, Sendable {
    /// Stable, for programs: none is ever given another meaning.
    ///
    /// The order is that of causes: what stands before makes what stands behind it follow.
    package enum Code: String, CaseIterable, Hashable, Sendable {
        // Nothing works before these are mended.
        case dataFolder
        case diskFull
        case fewDescriptors
        case nodeSilent
        case noInterface
        case interfaceMissing
        case noMulticast
        case discoveryOff
        case multicastForbidden
        case multicastLost
        case daemonAbsent
        case daemonSilent
        case daemonRefuses
        case daemonRestricted
        case daemonAlone
        case mdnsPortHeld
        case portTaken
        case portForbidden
        // Somebody is near.
        case clockWrong
        case wrongPassphrase
        case otherPassphrase
        case otherMesh
        case otherVersion
        case blockedHere
        case blockedThere
        case policyHere
        case policyThere
        case declined
        case noPlace
        case forbiddenHere
        case isolated
        case firewall
        case noWay
        case unknownName
        case closedPort
        case handshake
        case notLinked
        case clockSkew
        // Nobody is near.
        case linkLocalOnly
        case vpn
        case bridgeOnly
        case container
        case deaf
        case notAnnounced
        // By the way.
        case diskNearlyFull
        case nothingRuns
    }

    package enum Severity: Int, Hashable, Sendable, Comparable {
        /// It keeps everybody away.
        case blocks
        /// It keeps somebody away, or soon will.
        case hinders
        /// Worth knowing, and no fault.
        case notes

        package static func < (left: Severity, right: Severity) -> Bool { left.rawValue < right.rawValue }
    }

    package let code: Code
    package let severity: Severity
    /// What is the matter: one plain sentence, without a full stop, safe for a screen.
    package let text: String
    /// What to do about it, likewise; `nil` where there is nothing to do.
    package let remedy: String?

    package init(_ severity: Severity, _ code: Code, _ text: String, remedy: String? = nil) {
        self.code = code
        self.severity = severity
        self.text = text
        self.remedy = remedy
    }
}

extension Finding.Code {
    /// Where it stands among the causes.
    var rank: Int {
        guard let rank = Self.allCases.firstIndex(of: self) else { preconditionFailure("every code is a case") }
        return rank
    }
}
