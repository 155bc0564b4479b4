import Testing

@testable import LatticePicture
@testable import LatticePictureDecoder

/// PNG loses nothing, so what comes out is what the scaler did.
@Suite struct ScalingTests {
    private func scaled(_ pixels: Pixels, _ width: Int, _ height: Int) throws -> Pixels {
        let box = try #require(PictureSize(width: width, height: height))
        return try PictureRenderer.pixels(MadePNG.of(pixels).bytes, within: box)
    }

    @Test(arguments: [1, 2, 3, 5, 7, 16, 31, 99, 100])
    func oneColourStaysItself(side: Int) throws {
        for (width, height) in [(100, 100), (101, 67), (7, 301)] {
            let pixels = try MadePictures.pixels(width, height) { _, _ in (200, 100, 7) }
            let small = try scaled(pixels, side, side)
            let isSame = stride(from: 0, to: small.rgb.count, by: 3).allSatisfy {
                small.rgb[$0] == 200 && small.rgb[$0 + 1] == 100 && small.rgb[$0 + 2] == 7
            }
            #expect(isSame, "\(width) × \(height) to \(small.size)")
        }
    }

    @Test(arguments: [2, 4, 8, 10, 16, 50]) func fineChecksBecomeGray(factor: Int) throws {
        let checks = try MadePictures.pixels(200, 200) { x, y in (x + y) % 2 == 0 ? (0, 0, 0) : (255, 255, 255) }
        let small = try scaled(checks, 200 / factor, 200 / factor)
        let isGray = small.rgb.allSatisfy { (118...137).contains($0) }
        #expect(isGray, "\(small.rgb.min() ?? 0) … \(small.rgb.max() ?? 0)")
    }

    @Test(arguments: [3, 10, 33, 77, 150]) func aRampStaysARamp(width: Int) throws {
        let ramp = try MadePictures.pixels(256, 4) { x, _ in (UInt8(x), UInt8(255 - x), 128) }
        let small = try scaled(ramp, width, 4)
        let reds = stride(from: 0, to: small.size.width * 3, by: 3).map { Int(small.rgb[$0]) }
        #expect(zip(reds, reds.dropFirst()).allSatisfy { $0 < $1 })
        for (index, red) in reds.enumerated() {
            // The middle of the part that this pixel stands for.
            let middle = (Double(index) + 0.5) * 256 / Double(width) - 0.5
            #expect(abs(Double(red) - middle) <= max(3, 40 / Double(width)), "pixel \(index) of \(width): \(red)")
        }
    }

    /// JPEG is made smaller by its decoder first.
    @Test func aJPEGIsScaledAsAPNGIs() throws {
        let picture = try MadePictures.pixels(800, 600) { x, y in
            (UInt8(x * 255 / 800), UInt8(y * 255 / 600), 90)
        }
        let box = try #require(PictureSize(width: 100, height: 100))
        let jpeg = try PictureRenderer.pixels(try MadePictures.jpeg(picture, quality: 95), within: box)
        let png = try PictureRenderer.pixels(MadePNG.of(picture).bytes, within: box)
        #expect(jpeg.size == png.size)
        let most = zip(jpeg.rgb, png.rgb).map { abs(Int($0) - Int($1)) }.max()
        #expect((most ?? 255) <= 6)
    }
}
