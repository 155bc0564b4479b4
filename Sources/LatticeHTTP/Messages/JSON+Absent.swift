package import LatticeCore

/// Absent values, which an object leaves out.
extension JSON {
    package static func text(_ text: String?) -> JSON? { text.map { .text($0) } }
    package static func integer(_ number: Int?) -> JSON? { number.map { .integer($0) } }
    package static func number(_ number: Double?) -> JSON? { number.map { .number($0) } }
}
