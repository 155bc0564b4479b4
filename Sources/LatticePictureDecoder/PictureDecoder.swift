import LatticeConcurrency
package import LatticePicture

/// Runs `PictureRenderer` in a child process with limits: 256 MiB, 5 seconds of processor time, no files, no network.
///
/// At most two children of this process run at once; 16 callers more wait for their turn.
package struct PictureDecoder: Sendable {
    /// This program.
    package static let own = PictureDecoder(program: "/proc/self/exe")

    private static let slots = PictureSlots(count: 2, waitersMax: 16)
    /// On a busy machine 5 seconds of processor time take longer.
    private static let timeMax = Duration.seconds(20)

    private let program: String
    private let slots: PictureSlots
    private let timeMax: Duration

    /// - Parameter program: path of the `lattice` program.
    package init(program: String) {
        self.init(program: program, slots: Self.slots, timeMax: Self.timeMax)
    }

    init(program: String, slots: PictureSlots, timeMax: Duration) {
        self.program = program
        self.slots = slots
        self.timeMax = timeMax
    }

    /// - Throws: also `.failed` if the task is cancelled, which ends the child.
    package func render(_ bytes: [UInt8]) async throws(PictureFault) -> RenderedPhoto {
        guard case .photo(let rendered) = try await answer(.render, bytes) else {
            preconditionFailure("an answer has the kind of its request")
        }
        return rendered
    }

    /// For drawing in a terminal: orientation applied, scaled down to fit, at most 2,048 pixels a side.
    ///
    /// - Throws: also `.failed` if the task is cancelled, which ends the child.
    package func pixels(_ bytes: [UInt8], within box: PictureSize) async throws(PictureFault) -> Pixels {
        guard case .pixels(let pixels) = try await answer(.pixels(within: box), bytes) else {
            preconditionFailure("an answer has the kind of its request")
        }
        return pixels
    }

    private func answer(_ work: PictureRequest.Work, _ bytes: [UInt8]) async throws(PictureFault) -> PictureAnswer {
        guard bytes.count <= PictureFormat.bytesMax else { throw .tooLarge(bytesMax: PictureFormat.bytesMax) }
        // No child is needed to see this.
        guard PictureFormat(of: bytes) != nil else { throw .notAPicture }
        let request = PictureRequest(work, pictureBytes: bytes.count)
        try await slots.take()
        defer { slots.giveBack() }
        let process = PictureProcess(program: program, request, bytes, timeMax: timeMax)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DedicatedThread.start { continuation.resume(returning: process.run()) }
            }
        } onCancel: {
            process.cancel()
        }
        return try result.get()
    }
}
