/// A problem or remark, and what to do about it.
package struct Finding: Hashable, Sendable {
    /// Stable identifiers for programs; their meaning never changes.
    ///
    /// Ordered from causes to effects: an earlier one can cause a later one.
    package enum Code: String, CaseIterable, Hashable, Sendable {
        // Nothing works until these are fixed.
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
        // Somebody is nearby.
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
        // Nobody is nearby.
        case linkLocalOnly
        case vpn
        case bridgeOnly
        case container
        case deaf
        case notAnnounced
        // Bridges to other networks.
        case bridgeLost
        case bridgeRefused
        case bridgeFull
        case bridgeClock
        case nothingCrosses
        // Remarks.
        case diskNearlyFull
        case nothingRuns
    }

    package enum Severity: Int, Hashable, Sendable, Comparable {
        /// Prevents all links.
        case blocks
        /// Prevents some link, or soon will.
        case hinders
        /// Worth knowing; not a problem.
        case notes

        package static func < (left: Severity, right: Severity) -> Bool { left.rawValue < right.rawValue }
    }

    package let code: Code
    package let severity: Severity
    /// The problem in one plain sentence without a full stop, safe to show.
    package let text: String
    /// What to do about it, in the same form; `nil` if there is nothing to do.
    package let remedy: String?

    package init(_ severity: Severity, _ code: Code, _ text: String, remedy: String? = nil) {
        self.code = code
        self.severity = severity
        self.text = text
        self.remedy = remedy
    }
}

extension Finding.Code {
    var rank: Int {
        guard let rank = Self.allCases.firstIndex(of: self) else { preconditionFailure("every code is a case") }
        return rank
    }
}
