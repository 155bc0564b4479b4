import LatticeAPI
import LatticeChat
import LatticeCore
import LatticeNode
import LatticeWire

extension FuzzTarget {
    static let points = FuzzTarget(
        "points",
        "files of points, GPX and GeoJSON: a post can hold each point, a fault names a line of the file in safe words, and spaces around change nothing",
        inputBytesMax: 2_048
    ) { bytes throws(BrokenProperty) in
        let file: PointFile
        do throws(PointFault) {
            file = try PointFile(bytes)
        } catch let fault {
            let lines = 1 + bytes.count { $0 == UInt8(ascii: "\n") }
            try hold((1...lines).contains(fault.line), "line \(fault.line) of \(lines)")
            return try ScreenOracle.check(
                RequestError.badPoints(problem: fault.problem, line: fault.line).words, of: "a fault of a file")
        }
        for point in file.points {
            try hold((1...PostBody.textBytesMax).contains(point.words.utf8.count), "words that no post can hold")
            try hold(point.placeName.utf8.count <= PostBody.placeNameBytesMax, "a place name that no post can hold")
            let isTime = point.written.map { PostBody.writtenRange.contains($0.milliseconds) } ?? true
            try hold(isTime, "a time that no post can hold")
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let space = Array(" \r\n\t".utf8)
        try hold(accepted { try PointFile(bytes + space) } == file, "spaces at the end change it")
        // XML has its declaration first, or none.
        guard !bytes.starts(with: mark) else { return }
        try hold(accepted { try PointFile(mark + bytes) } == file, "a byte order mark changes it")
    }
}
