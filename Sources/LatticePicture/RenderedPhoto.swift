/// A JPEG without metadata.
package struct Rendition: Hashable, Sendable {
    package let size: PictureSize
    package let jpeg: [UInt8]

    /// - Returns: `nil` unless the bytes are a baseline JPEG and nothing else: see `PlainJPEG`.
    package init?(jpeg: [UInt8]) {
        guard let size = PlainJPEG.size(of: jpeg) else { return nil }
        self.size = size
        self.jpeg = jpeg
    }
}

/// A photo for others: made of a picture that a person chose.
package struct RenderedPhoto: Hashable, Sendable {
    /// The longer side, in pixels.
    package static let photoSide = 560
    package static let thumbnailSide = 86
    package static let thumbnailBytesMax = 8 << 10
    /// Noise at quality 80 takes less than 3 bytes a pixel.
    package static let photoBytesMax = photoSide * photoSide * 4

    /// Longer side ≤ 560; never enlarged.
    package let photo: Rendition
    /// 86 × 86, the centre of the picture, ≤ 8 KiB.
    package let thumbnail: Rendition

    /// - Returns: `nil` if a size is not one of these.
    package init?(photo: Rendition, thumbnail: Rendition) {
        guard max(photo.size.width, photo.size.height) <= Self.photoSide, photo.jpeg.count <= Self.photoBytesMax,
            thumbnail.size == PictureSize(side: Self.thumbnailSide), thumbnail.jpeg.count <= Self.thumbnailBytesMax
        else { return nil }
        self.photo = photo
        self.thumbnail = thumbnail
    }
}

/// Rows of RGB, 3 bytes a pixel, no padding.
package struct Pixels: Hashable, Sendable {
    package let size: PictureSize
    package let rgb: [UInt8]

    /// - Returns: `nil` unless there are 3 bytes for each pixel.
    package init?(size: PictureSize, rgb: [UInt8]) {
        guard rgb.count == size.pixels * 3 else { return nil }
        self.size = size
        self.rgb = rgb
    }
}
