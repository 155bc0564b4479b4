import LatticeAPI
import LatticeChat
import LatticeCore
import LatticePicture

/// The bytes of a picture, which is fetched if it is not here.
struct PictureFetch: Sendable {
    @TaskLocal static var interval: Duration = .milliseconds(250)
    /// Times in a row that nobody has it: at the interval, as long as `ReadPhoto` waits.
    private static let vainMax = 40

    private let picture: NamedPicture
    private let node: any MeshNode
    private let context: CommandContext

    init(_ picture: NamedPicture, on node: any MeshNode, _ context: CommandContext) {
        (self.picture, self.node, self.context) = (picture, node, context)
    }

    /// - Throws: `cancelled` if the task is cancelled.
    func bytes() async throws -> [UInt8] {
        guard !picture.facts.isHere else { return try await read() }
        await context.progress("fetching…")
        do {
            let bytes = try await read()
            await context.progress(nil)
            return bytes
        } catch {
            await context.progress(nil)
            if Task.isCancelled { throw Self.cancelled }
            throw error
        }
    }

    private func read() async throws -> [UInt8] {
        switch picture.source {
        case .item(let item): return try await node.perform(ReadPhoto(item, from: picture.place)).bytes
        case .person(let person): return try await node.perform(ReadPersonPhoto(person)).bytes
        case .file(let file):
            guard file.size <= PictureFormat.bytesMax else {
                throw RequestError.badPicture(problem: .tooLarge(bytesMax: PictureFormat.bytesMax))
            }
            try await fetch(file)
            return try await bytes(of: file)
        }
    }

    private func fetch(_ file: FileInfo) async throws {
        guard file.state != .here else { return }
        // Somebody may want to have it anyway, and then it goes on without us.
        let isOurs = file.state == .shared
        do {
            let begun = try await node.perform(GetFile(file.id.hex, into: nil))
            try await context.interruptible(throwing: Self.cancelled) { try await wait(for: begun) }
        } catch {
            if isOurs { try await stop(file) }
            throw error
        }
    }

    private func wait(for file: FileInfo) async throws {
        var (now, vain) = (file, 0)
        let begun = ContinuousClock.now
        while now.state != .here {
            if let fault = now.fault { throw RequestError.file(fault: fault) }
            guard now.state != .shared else { throw Self.cancelled }
            vain = now.state == .waiting ? vain + 1 : 0
            guard vain <= Self.vainMax else {
                throw CommandFailure(
                    code: "notHere", "nobody who is connected has \(picture.facts.name) now; try again later")
            }
            let seconds = max(0.001, Double(begun.duration(to: .now).milliseconds) / 1_000)
            let progress = FileLines.progress(now, perSecond: Int(Double(now.here - file.here) / seconds))
            await context.progress("fetching: \(progress)")
            try await Task.sleep(for: Self.interval)
            now = try await node.perform(ShowFile(file.id.hex))
        }
    }

    /// In a task of its own, since this one may be cancelled.
    private func stop(_ file: FileInfo) async throws {
        let node = node
        _ = try await Task { try await node.perform(CancelFile(file.id.hex)) }.value
    }

    private func bytes(of file: FileInfo) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(file.size))
        while bytes.count < Int(file.size) {
            let length = min(ReadFile.lengthMax, Int(file.size) - bytes.count)
            let part = try await node.perform(ReadFile(file.id.hex, from: Int64(bytes.count), length: length)).bytes
            guard !part.isEmpty, part.count <= length else { throw RequestError.unknownItem(id: file.id.hex) }
            bytes += part
        }
        return bytes
    }

    static let cancelled = CommandFailure(code: "cancelled", "the picture was cancelled")
}
