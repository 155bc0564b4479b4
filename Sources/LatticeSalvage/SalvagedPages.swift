import Foundation

/// The pages of a damaged file and of its log, with any content; nothing in them is trusted. SQLite's "Database File
/// Format" specifies their positions.
///
/// Every loop ends with the files: no number from a file determines how often anything is done.
struct SalvagedPages {
    /// One page, and the states in which its long rows may continue.
    struct Page {
        let bytes: [UInt8]
        let isFirst: Bool
        /// States of the files in which to look for the rest of a long row, the likeliest first.
        let states: [State]
    }

    /// The file with the log's frames before the given one applied.
    struct State: Hashable {
        let framesEnd: Int
    }

    let pageBytes: Int
    /// Usable bytes of a page: the number in the header may be wrong, and this program reserves none.
    let usable: [Int]
    let isEmpty: Bool
    /// Whether SQLite would recognise a database.
    let hasHeader: Bool
    private let file: SalvagedFile
    private let log: SalvagedFile
    /// The log's frames by page number, in the order they were written.
    private var frames: [UInt32: [Int]] = [:]
    private var frameCount = 0
    /// For each frame, the end of its transaction.
    private var transactionEnds: [Int] = []
    /// The frames that SQLite would read: from the log's latest start to the last commit.
    private var liveFrames = 0

    private static let logHeaderBytes = 32
    private static let frameHeaderBytes = 24

    init(path: String) {
        file = SalvagedFile(path: path)
        log = SalvagedFile(path: path + "-wal")
        isEmpty = file.bytes == 0 && log.bytes == 0
        let header = file.read(at: 0, count: 100)
        hasHeader = header.starts(with: Array("SQLite format 3\0".utf8)) && header.count == 100
        pageBytes = PageSize.likeliest(file: file, log: log, header: header)
        // A page has at least 480 usable bytes.
        let reserved = hasHeader ? Int(header[20]) : 0
        usable = Set([pageBytes, pageBytes - reserved]).filter { $0 >= 480 }.sorted()
        readFrames()
    }

    private var filePages: Int { (file.bytes + pageBytes - 1) / pageBytes }

    /// The number of pages to read; those in the log are copies of pages in the file.
    var count: Int { filePages + frameCount }

    /// First the pages that SQLite would read, newest first.
    func page(_ index: Int) -> Page {
        let now = State(framesEnd: liveFrames)
        if index < liveFrames { return frame(liveFrames - 1 - index) }
        if index - liveFrames < filePages {
            let number = index - liveFrames
            return Page(
                bytes: file.read(at: number * pageBytes, count: pageBytes), isFirst: number == 0,
                states: states([now, State(framesEnd: 0), State(framesEnd: frameCount)]))
        }
        return frame(index - filePages)
    }

    private func frame(_ index: Int) -> Page {
        let number = log.read(at: frameOffset(index), count: 4).reduce(0) { $0 << 8 | UInt32($1) }
        let then = State(framesEnd: transactionEnds[index])
        return Page(
            bytes: frameBytes(index), isFirst: number == 1,
            states: states([then, State(framesEnd: liveFrames), State(framesEnd: frameCount), State(framesEnd: 0)]))
    }

    private func states(_ states: [State]) -> [State] {
        states.enumerated().filter { index, state in !states[..<index].contains(state) }.map(\.element)
    }

    /// All bytes of a row; follows the overflow pages of a long one ("Cell Payload Overflow Pages").
    func payload(of cell: SalvagedCell, usable: Int, in state: State) throws(PageFault) -> [UInt8] {
        var payload = Array(cell.local)
        var next = cell.overflow
        // Each step adds bytes, so that even a cyclic chain ends.
        while payload.count < cell.payloadBytes {
            guard let number = next, number > 0 else { throw PageFault(field: "overflow page") }
            var page = try SalvagedBytes(bytes(of: number, in: state).prefix(usable))
            next = UInt32(try page.integer(bytes: 4))
            let part = try page.take(min(page.left, cell.payloadBytes - payload.count))
            if part.isEmpty { throw PageFault(field: "overflow page") }
            payload += part
        }
        return payload
    }

    private func bytes(of number: UInt32, in state: State) -> ArraySlice<UInt8> {
        if let frame = frames[number]?.last(where: { $0 < state.framesEnd }) { return frameBytes(frame)[...] }
        return file.read(at: (Int(number) - 1) * pageBytes, count: pageBytes)[...]
    }

    private func frameOffset(_ index: Int) -> Int {
        Self.logHeaderBytes + index * (Self.frameHeaderBytes + pageBytes)
    }

    private func frameBytes(_ index: Int) -> [UInt8] {
        log.read(at: frameOffset(index) + Self.frameHeaderBytes, count: pageBytes)
    }

    /// "The Write-Ahead Log": all frames, including those after the last commit and those from before the log's latest start.
    private mutating func readFrames() {
        frameCount = max(0, log.bytes - Self.logHeaderBytes) / (Self.frameHeaderBytes + pageBytes)
        let salts = log.read(at: 16, count: 8)
        var isLive = true
        transactionEnds = Array(repeating: frameCount, count: frameCount)
        var transactionStart = 0
        for index in 0..<frameCount {
            let header = log.read(at: frameOffset(index), count: 16)
            guard header.count == 16 else { continue }
            frames[header[..<4].reduce(0) { $0 << 8 | UInt32($1) }, default: []].append(index)
            isLive = isLive && Array(header[8...]) == salts
            // The last frame of a transaction has the size of the file after it.
            guard header[4..<8].contains(where: { $0 != 0 }) else { continue }
            for frame in transactionStart...index { transactionEnds[frame] = index + 1 }
            transactionStart = index + 1
            if isLive { liveFrames = index + 1 }
        }
    }
}

/// A file that may be missing or partly unreadable.
struct SalvagedFile {
    let bytes: Int
    private let handle: FileHandle?

    init(path: String) {
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            bytes = Int(clamping: try handle.seekToEnd())
            self.handle = handle
        } catch {
            handle = nil
            bytes = 0
        }
    }

    /// The readable bytes: fewer at the end of the file, none if the disk fails.
    func read(at offset: Int, count: Int) -> [UInt8] {
        guard let handle, offset >= 0, offset < bytes else { return [] }
        do {
            try handle.seek(toOffset: UInt64(offset))
            return Array(try handle.read(upToCount: count) ?? Data())
        } catch {
            return []
        }
    }
}
