import CPicture
import Glibc
import LatticePicture

/// The child process in which strangers' pictures are decoded: this program, started with an argument that is in no help.
///
/// A picture that takes it over finds no file, no network, no other process, no secret and no time.
// Safety: buffers are lent to read(2) and write(2) for the length of each call, with their true sizes.
package enum PictureChild {
    package static let argument = "picture-child"
    /// Beyond what the program itself takes.
    static let memoryBytesMax: UInt64 = 256 << 20
    static let processorSecondsMax: UInt32 = 5

    /// Whether this process was started as one. A person who types the argument is not a socket.
    package static func isAsked(_ arguments: [String]) -> Bool {
        guard arguments.count == 2, arguments[1] == argument else { return false }
        var facts = stat()
        return fstat(STDIN_FILENO, &facts) == 0 && facts.st_mode & S_IFMT == S_IFSOCK
    }

    /// Answers one request and ends. Call it before anything else was set up, from the only thread.
    package static func run() -> Never {
        guard cpicture_confine(memoryBytesMax, processorSecondsMax) == 0,
            let head = read(count: PictureRequest.headBytes), let request = PictureRequest(head: head),
            let picture = read(count: request.pictureBytes)
        else { _exit(1) }
        _exit(write(answer(to: request, picture).bytes) ? 0 : 1)
    }

    static func answer(to request: PictureRequest, _ picture: [UInt8]) -> PictureAnswer {
        do throws(PictureFault) {
            switch request.work {
            case .render: return .photo(try PictureRenderer.render(picture))
            case .pixels(let box): return .pixels(try PictureRenderer.pixels(picture, within: box))
            }
        } catch {
            return .fault(error)
        }
    }

    /// - Returns: `nil` if the input ends before.
    private static func read(count: Int) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count, let start = buffer.baseAddress {
                let got = Glibc.read(STDIN_FILENO, start + filled, count - filled)
                if got < 0, errno == EINTR { continue }
                if got <= 0 { return }
                filled += got
            }
        }
        return bytes.count == count ? bytes : nil
    }

    private static func write(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = Glibc.write(STDOUT_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                if count <= 0 { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }
}
