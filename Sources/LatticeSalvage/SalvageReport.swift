/// The result of salvaging a damaged file.
package struct SalvageReport: Hashable, Sendable {
    package var kept = 0
    /// Records of the damaged file that are not in the new one, as far as it can be read.
    package var lost = 0
    /// Whether `lost` counts all of them, because the damaged file still tells which records it had.
    package var isLossKnown = false
    package var damagedPath: String
}
