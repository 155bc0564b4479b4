import CPicture
package import LatticePicture

/// Makes photos and pixels in this process. Strangers' pictures belong into a child: see `PictureDecoder`.
// Safety: each buffer is lent to C for the length of one call, with its true size. C fills the whole of a new one if it
// says that it is done; otherwise its bytes are thrown away.
package enum PictureRenderer {
    /// A terminal has fewer.
    package static let drawingSideMax = 2_048

    private static let photoQuality: Int32 = 80

    package static func render(_ bytes: [UInt8]) throws(PictureFault) -> RenderedPhoto {
        let picture = try StoredPicture(bytes)
        let photoSize = picture.size.fitted(into: PictureSize(side: RenderedPhoto.photoSide))
        let thumbnailSize = PictureSize(side: RenderedPhoto.thumbnailSide)
        let decoded = try picture.decoded([picture.whole(as: photoSize), picture.centre(as: thumbnailSize)])
        let photo = try encoded(decoded[0], quality: photoQuality, bytesMax: RenderedPhoto.photoBytesMax)
        let thumbnail = try thumbnail(decoded[1])
        guard let photo, let rendered = RenderedPhoto(photo: photo, thumbnail: thumbnail) else {
            throw .failed("the photo has another size than it should have")
        }
        return rendered
    }

    /// For drawing in a terminal: orientation applied, scaled down to fit, at most 2,048 pixels a side.
    package static func pixels(_ bytes: [UInt8], within box: PictureSize) throws(PictureFault) -> Pixels {
        let picture = try StoredPicture(bytes)
        let box = box.limited(to: drawingSideMax)
        let size = picture.size.fitted(into: picture.orientation.isTurned ? box.turned : box)
        return try picture.decoded([picture.whole(as: size)])[0]
    }

    /// Encodes at the best quality that fits.
    static func thumbnail(
        _ pixels: Pixels, bytesMax: Int = RenderedPhoto.thumbnailBytesMax
    ) throws(PictureFault) -> Rendition {
        for quality in stride(from: photoQuality, through: 10, by: -10) {
            let rendition = try encoded(pixels, quality: quality, bytesMax: bytesMax)
            if let rendition { return rendition }
        }
        throw .failed("a thumbnail has more than \(bytesMax) bytes at every quality")
    }

    /// - Returns: `nil` if the JPEG is longer.
    static func encoded(_ pixels: Pixels, quality: Int32, bytesMax: Int) throws(PictureFault) -> Rendition? {
        var result = CPictureResult.full
        // The encoder asks for another buffer as soon as the last byte of one is written.
        let capacity = bytesMax + 1
        let jpeg = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            let (width, height) = (UInt32(pixels.size.width), UInt32(pixels.size.height))
            result = cpicture_encode(pixels.rgb, width, height, quality, buffer.baseAddress, capacity, &count)
            if result != .done { count = 0 }
        }
        if result == .full { return nil }
        if let fault = PictureFault(result) { throw fault }
        guard let rendition = Rendition(jpeg: jpeg), rendition.size == pixels.size else {
            throw .failed("the encoder wrote something other than the picture")
        }
        return rendition
    }
}

/// A picture whose headers were read.
// Safety: as for `PictureRenderer`.
private struct StoredPicture {
    let bytes: [UInt8]
    let format: PictureFormat
    /// Before the orientation is applied.
    let size: PictureSize
    let orientation: PictureOrientation

    init(_ bytes: [UInt8]) throws(PictureFault) {
        guard bytes.count <= PictureFormat.bytesMax else { throw .tooLarge(bytesMax: PictureFormat.bytesMax) }
        guard let format = PictureFormat(of: bytes) else { throw .notAPicture }
        var (width, height): (UInt32, UInt32) = (0, 0)
        let result = cpicture_measure(format.forC, bytes, bytes.count, &width, &height)
        if let fault = PictureFault(result) { throw fault }
        guard let size = PictureSize(width: Int(width), height: Int(height)), size.pixels <= PictureSize.pixelsMax
        else { throw .tooManyPixels }
        self.bytes = bytes
        self.format = format
        self.size = size
        orientation = PictureOrientation(of: bytes, format)
    }

    /// - Parameter size: of the rows as they are stored.
    func whole(as size: PictureSize) -> CPictureView {
        view(of: self.size, as: size)
    }

    func centre(as size: PictureSize) -> CPictureView {
        view(of: PictureSize(side: min(self.size.width, self.size.height)), as: size)
    }

    private func view(of part: PictureSize, as target: PictureSize) -> CPictureView {
        CPictureView(
            left: UInt32((size.width - part.width) / 2), top: UInt32((size.height - part.height) / 2),
            width: UInt32(part.width), height: UInt32(part.height), out_width: UInt32(target.width),
            out_height: UInt32(target.height))
    }

    /// - Returns: the pixels of each view, as they should be seen.
    func decoded(_ views: [CPictureView]) throws(PictureFault) -> [Pixels] {
        let counts = views.map { Int($0.out_width) * Int($0.out_height) * 3 }
        let total = counts.reduce(0, +)
        var result = CPictureResult.damaged
        let rgb = [UInt8](unsafeUninitializedCapacity: total) { buffer, count in
            result = cpicture_decode(
                format.forC, bytes, bytes.count, views, views.count, buffer.baseAddress, total)
            if result == .done { count = total }
        }
        if let fault = PictureFault(result) { throw fault }
        var start = 0
        var all: [Pixels] = []
        for (view, count) in zip(views, counts) {
            let size = PictureSize(width: Int(view.out_width), height: Int(view.out_height))
            guard let size, let pixels = Pixels(size: size, rgb: Array(rgb[start..<start + count])) else {
                preconditionFailure("a view has 3 bytes for each pixel")
            }
            all.append(orientation.applied(to: pixels))
            start += count
        }
        return all
    }
}

extension PictureFormat {
    fileprivate var forC: CPictureFormat {
        switch self {
        case .jpeg: .JPEG
        case .png: .PNG
        case .webp: .webP
        }
    }
}

extension PictureFault {
    /// `nil` if it is done.
    fileprivate init?(_ result: CPictureResult) {
        switch result {
        case .done: return nil
        case .notAPicture: self = .notAPicture
        case .damaged: self = .damaged
        case .tooManyPixels: self = .tooManyPixels
        case .tooSlow: self = .tooSlow
        case .full: self = .failed("a buffer does not fit the picture")
        }
    }
}
