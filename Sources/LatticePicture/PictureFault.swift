/// Why a picture gives no photo.
package enum PictureFault: Error, Hashable, Sendable {
    /// Neither JPEG, PNG nor WebP, or a kind of these that nobody makes photos of (a film, arithmetic coding).
    case notAPicture
    /// Parts are missing, or mean nothing.
    case damaged
    /// More than 64 megapixels or 16,384 a side, or more than the memory for one picture holds.
    case tooManyPixels
    case tooLarge(bytesMax: Int)
    case tooSlow
    /// Something other than the picture failed; in words for a log.
    case failed(String)
}
