package import LatticePicture

/// What a child is asked for. Its bytes: a kind, width and height (2 bytes each), the number of bytes of the picture (4),
/// all big-endian; the picture follows.
package struct PictureRequest: Hashable, Sendable {
    package enum Work: Hashable, Sendable {
        case render
        case pixels(within: PictureSize)
    }

    package static let headBytes = 9

    package let work: Work
    package let pictureBytes: Int

    package init(_ work: Work, pictureBytes: Int) {
        precondition((0...PictureFormat.bytesMax).contains(pictureBytes), "larger pictures are refused before")
        self.work = work
        self.pictureBytes = pictureBytes
    }

    package var head: [UInt8] {
        let (kind, width, height) =
            switch work {
            case .render: (0, 0, 0)
            case .pixels(let box): (1, box.width, box.height)
            }
        return [UInt8(kind)] + bigEndian(width, bytes: 2) + bigEndian(height, bytes: 2)
            + bigEndian(pictureBytes, bytes: 4)
    }

    /// - Returns: `nil` if it is no head.
    package init?(head: [UInt8]) {
        guard head.count == Self.headBytes else { return nil }
        let numbers = [head[1..<3], head[3..<5], head[5..<9]].map { $0.reduce(0) { $0 << 8 | Int($1) } }
        switch (head[0], PictureSize(width: numbers[0], height: numbers[1])) {
        case (0, nil): work = .render
        case (1, let box?): work = .pixels(within: box)
        default: return nil
        }
        guard numbers[2] <= PictureFormat.bytesMax else { return nil }
        pictureBytes = numbers[2]
    }

    /// What a child may say at most.
    var answerBytesMax: Int {
        switch work {
        case .render: 5 + RenderedPhoto.photoBytesMax + RenderedPhoto.thumbnailBytesMax
        case .pixels(let box):
            PictureAnswer.pixelsHeadBytes + box.limited(to: PictureRenderer.drawingSideMax).pixels * 3
        }
    }
}

/// What a child says. The first byte is its kind; a picture may have written all of them.
package enum PictureAnswer: Hashable, Sendable {
    case photo(RenderedPhoto)
    case pixels(Pixels)
    case fault(PictureFault)

    fileprivate static let pixelsHeadBytes = 5
    private static let faults: [PictureFault] = [
        .notAPicture, .damaged, .tooManyPixels, .tooLarge(bytesMax: PictureFormat.bytesMax), .tooSlow,
    ]
    private static let firstFault = 16

    package var bytes: [UInt8] {
        switch self {
        case .photo(let rendered):
            [0] + bigEndian(rendered.photo.jpeg.count, bytes: 4) + rendered.photo.jpeg + rendered.thumbnail.jpeg
        case .pixels(let pixels):
            [1] + bigEndian(pixels.size.width, bytes: 2) + bigEndian(pixels.size.height, bytes: 2) + pixels.rgb
        case .fault(let fault):
            [UInt8(Self.firstFault + (Self.faults.firstIndex(of: fault) ?? Self.faults.count))]
        }
    }

    /// - Returns: `nil` if it is no answer to the request.
    package init?(_ bytes: [UInt8], to request: PictureRequest) {
        guard let kind = bytes.first, bytes.count <= request.answerBytesMax else { return nil }
        if kind >= Self.firstFault {
            let index = Int(kind) - Self.firstFault
            guard bytes.count == 1, index <= Self.faults.count else { return nil }
            let isKnown = index < Self.faults.count
            self = .fault(isKnown ? Self.faults[index] : .failed("a child could not make a photo"))
            return
        }
        guard bytes.count >= Self.pixelsHeadBytes else { return nil }
        switch (kind, request.work) {
        case (0, .render):
            let (count, rest) = (bytes[1..<5].reduce(0) { $0 << 8 | Int($1) }, bytes.dropFirst(5))
            guard let photo = Rendition(jpeg: Array(rest.prefix(count))),
                let thumbnail = Rendition(jpeg: Array(rest.dropFirst(count))),
                let rendered = RenderedPhoto(photo: photo, thumbnail: thumbnail)
            else { return nil }
            self = .photo(rendered)
        case (1, .pixels(let box)):
            let (width, height) = (Int(bytes[1]) << 8 | Int(bytes[2]), Int(bytes[3]) << 8 | Int(bytes[4]))
            guard let size = PictureSize(width: width, height: height), width <= box.width, height <= box.height,
                let pixels = Pixels(size: size, rgb: Array(bytes.dropFirst(Self.pixelsHeadBytes)))
            else { return nil }
            self = .pixels(pixels)
        default: return nil
        }
    }
}
