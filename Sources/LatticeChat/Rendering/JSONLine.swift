package import LatticeCore

/// One JSON object on one line, with its members in the given order.
package struct JSONLine: Sendable {
    package typealias Value = JSON

    private let members: [(String, JSON)]

    package init(_ members: [(String, JSON)]) {
        self.members = members
    }

    package var value: JSON { .object(members) }
    package var description: String { String(decoding: value.bytes, as: UTF8.self) }
}

/// Absent values, which are `null`.
extension JSON {
    package static func text(_ value: String?) -> JSON { value.map { .text($0) } ?? .null }
    package static func integer(_ value: Int?) -> JSON { value.map { .integer($0) } ?? .null }
    package static func object(_ line: JSONLine) -> JSON { line.value }
}
