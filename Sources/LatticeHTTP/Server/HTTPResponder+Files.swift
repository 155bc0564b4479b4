import LatticeAPI
import NIOCore
import NIOHTTP1

// Requests whose body is a file.
extension HTTPResponder {
    /// Bytes that go to the node at once.
    private static let pieceBytes = 256 << 10

    /// Sends the file to the node as it arrives, then answers.
    func receive(
        _ call: HTTPCall, bytesMax: Int64, in conversation: inout HTTPConversation
    ) async throws(HTTPProblem) -> HTTPReply {
        var call = call
        let (upload, desk): (UploadID, HTTPDesk)
        do throws(HTTPProblem) {
            let begin: BeginUpload
            (desk, begin) = try await router.upload(for: call)
            try Self.checkLength(of: call, bytesMax: bytesMax)
            if let wish = call.headers["expect"] { try await answer(wish, call, in: conversation) }
            upload = try await desk.perform(begin).upload
        } catch {
            // The rest of the body may be too long to skip.
            var problem = error
            problem.headers["connection"] = "close"
            throw problem
        }
        do throws(HTTPProblem) {
            try await pass(&conversation, to: upload, of: desk, bytesMax: bytesMax)
            call.upload = upload
            let reply = await router.reply(to: call)
            if reply.status >= 400 { _ = try await desk.perform(CancelUpload(upload)) }
            return reply
        } catch {
            do throws(HTTPProblem) {
                _ = try await desk.perform(CancelUpload(upload))
            } catch {
                // The node forgets it after a while.
            }
            var problem = error
            problem.headers["connection"] = "close"
            throw problem
        }
    }

    private func pass(
        _ conversation: inout HTTPConversation, to upload: UploadID, of desk: HTTPDesk, bytesMax: Int64
    ) async throws(HTTPProblem) {
        var (waiting, offset) = ([UInt8](), Int64(0))
        while let part = try await Self.part(&conversation) {
            waiting += part
            guard offset + Int64(waiting.count) <= bytesMax else { throw Self.tooLong(bytesMax) }
            while waiting.count >= Self.pieceBytes {
                let piece = Array(waiting.prefix(Self.pieceBytes))
                waiting.removeFirst(piece.count)
                _ = try await desk.perform(AppendUpload(upload, at: offset, piece))
                offset += Int64(piece.count)
            }
        }
        if !waiting.isEmpty { _ = try await desk.perform(AppendUpload(upload, at: offset, waiting)) }
    }

    /// - Returns: `nil` at the end of the body.
    private static func part(_ conversation: inout HTTPConversation) async throws(HTTPProblem) -> [UInt8]? {
        do {
            return try await conversation.bodyPart().map { Array(buffer: $0) }
        } catch {
            throw HTTPProblem(400, "badRequest", "The file is incomplete. Send as many bytes as you announced.")
        }
    }

    private static func checkLength(of call: HTTPCall, bytesMax: Int64) throws(HTTPProblem) {
        guard let length = call.headers["content-length"].flatMap({ Int64($0) }), length > bytesMax else { return }
        throw tooLong(bytesMax)
    }

    private static func tooLong(_ bytesMax: Int64) -> HTTPProblem {
        let limit = bytesMax >= 1 << 30 ? "\(bytesMax >> 30) GiB" : "\(bytesMax >> 20) MiB"
        return HTTPProblem(413, "tooLong", "The file is too large. The limit is \(limit).")
    }
}
