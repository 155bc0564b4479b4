/// What was saved of a damaged file.
package struct SalvageReport: Hashable, Sendable {
    /// Records that are in the new file.
    package var kept = 0
    /// Records that were in the damaged file and are not in the new one, as far as it still tells of them.
    package var lost = 0
    /// Whether `lost` is all of them: the damaged file still says what was in it.
    package var isLossKnown = false
    /// Where the damaged file is now.
    package var damagedPath: String
}
