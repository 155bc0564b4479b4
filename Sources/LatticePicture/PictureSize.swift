/// A width and a height in pixels, each 1 … 16,384.
package struct PictureSize: Hashable, Sendable {
    package static let sideMax = 16_384
    /// Cameras that are said to have 64 megapixels have a little more than 64 million.
    package static let pixelsMax = 64 << 20

    package let width: Int
    package let height: Int

    package init?(width: Int, height: Int) {
        guard (1...Self.sideMax).contains(width), (1...Self.sideMax).contains(height) else { return nil }
        self.width = width
        self.height = height
    }

    package var pixels: Int { width * height }

    /// With width and height exchanged.
    package var turned: PictureSize { PictureSize(clampedWidth: height, height: width) }

    /// Scaled down until it fits; never enlarged.
    package func fitted(into box: PictureSize) -> PictureSize {
        if width <= box.width, height <= box.height { return self }
        // Compared without division: which side has to become smaller by more?
        let isWide = width * box.height >= height * box.width
        let (share, whole) = isWide ? (box.width, width) : (box.height, height)
        return PictureSize(
            clampedWidth: (width * share + whole / 2) / whole, height: (height * share + whole / 2) / whole)
    }

    /// Each side at most this; not in proportion.
    package func limited(to side: Int) -> PictureSize {
        PictureSize(clampedWidth: min(width, side), height: min(height, side))
    }

    private init(clampedWidth width: Int, height: Int) {
        self.width = min(max(1, width), Self.sideMax)
        self.height = min(max(1, height), Self.sideMax)
    }

    /// - Precondition: sides are 1 … 16,384.
    package init(side: Int) {
        precondition((1...Self.sideMax).contains(side), "a side has 1 to 16,384 pixels")
        self.init(clampedWidth: side, height: side)
    }
}
