/// Determines the page size of a damaged file; the size in its header may be wrong.
enum PageSize {
    private static let all = (9...16).map { 1 << $0 }
    /// SQLite's default.
    private static let usual = 4_096
    /// Unit of the search for leaf pages: a multiple of every page size.
    private static let blockBytes = 65_536
    /// 16 MiB, spread over the file: enough to tell a size from its half and its double.
    private static let blocksMax = 256

    /// The page size that gives the most valid rows. Among equals, the one that the files' headers name.
    static func likeliest(file: SalvagedFile, log: SalvagedFile, header: [UInt8]) -> Int {
        let told = [
            told(header.dropFirst(16).prefix(2)), told(log.read(at: 8, count: 4)[...]), usual,
        ].filter { all.contains($0) }
        let scores = rows(in: file)
        let most = scores.values.max() ?? 0
        let best = all.filter { scores[$0] == most }
        return told.first(where: best.contains) ?? (most > 0 ? best.first : nil) ?? told.first ?? usual
    }

    /// "Page Size": two bytes cannot hold 65,536, so 1 stands for it.
    private static func told(_ bytes: ArraySlice<UInt8>) -> Int {
        let value = bytes.reduce(0) { $0 << 8 | Int($1) }
        return value == 1 ? 65_536 : value
    }

    /// For each size, the number of rows on pages of that size.
    private static func rows(in file: SalvagedFile) -> [Int: Int] {
        var scores: [Int: Int] = [:]
        let blocks = (file.bytes + blockBytes - 1) / blockBytes
        for sample in 0..<min(blocks, blocksMax) {
            let block = file.read(at: sample * blocks / min(blocks, blocksMax) * blockBytes, count: blockBytes)
            for size in all {
                for start in stride(from: 0, to: block.count, by: size) where block.count - start >= size {
                    let page = Array(block[start..<start + size])
                    scores[size, default: 0] += SalvagedCell.all(on: page, isFirst: false, usable: size).count
                }
            }
        }
        return scores
    }
}
