import Testing

@testable import LatticePicture
@testable import LatticePictureDecoder

/// What each format can say of a pixel.
@Suite struct FormatTests {
    private let box = PictureSize(side: 64)

    @Test func transparencyIsLaidOverWhite() throws {
        let png = MadePNG(
            width: 3, height: 1, kind: .rgba,
            sample: { x, _ in [200, 100, 0, [0, 128, 255][x]] })
        let pixels = try PictureRenderer.pixels(png.bytes, within: box)
        #expect(pixels.rgb == [255, 255, 255, 227, 177, 127, 200, 100, 0])
        let webp = MadePictures.webp(2, 2, (200, 100, 0), alpha: 128)
        expectColour(of: try PictureRenderer.pixels(webp, within: box), 0, 0, (227, 177, 127), "WebP", within: 1)
    }

    @Test func aTransparentColourOfAPaletteIsWhite() throws {
        var png = MadePNG(width: 2, height: 1, kind: .palette, sample: { x, _ in [UInt8(x)] })
        png.palette = [10, 20, 30, 40, 50, 60]
        png.extras = [("tRNS", [255, 0])]
        #expect(try PictureRenderer.pixels(png.bytes, within: box).rgb == [10, 20, 30, 255, 255, 255])
    }

    @Test func sixteenBitsBecomeEight() throws {
        let png = MadePNG(width: 2, height: 2, depth: 16, sample: { x, y in [UInt8(x * 90), UInt8(y * 70), 33] })
        let plain = MadePNG(width: 2, height: 2, sample: png.sample)
        #expect(
            try PictureRenderer.pixels(png.bytes, within: box) == PictureRenderer.pixels(plain.bytes, within: box))
    }

    @Test func shadesOfGrayBecomeColours() throws {
        let png = MadePNG(width: 2, height: 1, kind: .gray, sample: { x, _ in [UInt8(7 + x)] })
        #expect(try PictureRenderer.pixels(png.bytes, within: box).rgb == [7, 7, 7, 8, 8, 8])
        let jpeg = try PictureRenderer.pixels(ForeignPictures.grayJPEG, within: box)
        let isGray = stride(from: 0, to: jpeg.rgb.count, by: 3).allSatisfy { Set(jpeg.rgb[$0..<$0 + 3]).count == 1 }
        #expect(isGray)
    }

    @Test(arguments: [(1, 1), (3, 2), (8, 8), (13, 21)])
    func aPictureInPassesIsTheSame(width: Int, height: Int) throws {
        var png = MadePNG.of(try MadePictures.noise(width, height))
        let straight = try PictureRenderer.pixels(png.bytes, within: box)
        png.isInterlaced = true
        #expect(try PictureRenderer.pixels(png.bytes, within: box) == straight)
    }

    @Test func aJPEGInSeveralScansIsRead() throws {
        let pixels = try PictureRenderer.pixels(ForeignPictures.progressiveJPEG, within: box)
        #expect(pixels.size == PictureSize(side: 16))
        expectColour(of: pixels, 15, 0, (255, 0, 128), "top right", within: 40)
        expectColour(of: pixels, 0, 15, (0, 255, 128), "bottom left", within: 40)
    }

    @Test func printingInksBecomeColours() throws {
        let pixels = try PictureRenderer.pixels(ForeignPictures.inkJPEG, within: box)
        expectColour(of: pixels, 4, 4, (255, 0, 0), "red", within: 10)
    }

    @Test func webPIsRead() throws {
        let plain = try PictureRenderer.pixels(MadePictures.webp(5, 3, MadePictures.blue), within: box)
        #expect(plain == (try MadePictures.pixels(5, 3) { _, _ in MadePictures.blue }))
        let lossy = try PictureRenderer.pixels(ForeignPictures.lossyWebP, within: box)
        #expect(lossy.size == PictureSize(width: 32, height: 16))
        expectColour(of: lossy, 31, 0, (255, 0, 128), "top right", within: 40)
        let alpha = try PictureRenderer.pixels(ForeignPictures.alphaWebP, within: box)
        expectColour(of: alpha, 0, 0, (255, 255, 255), "top left", within: 40)
    }

    @Test func aLargeWebPIsMadeSmaller() throws {
        let rendered = try PictureRenderer.render(MadePictures.webp(4_000, 3_000, MadePictures.green))
        #expect(rendered.photo.size == PictureSize(width: 560, height: 420))
        let pixels = try PictureRenderer.pixels(rendered.photo.jpeg, within: rendered.photo.size)
        for (x, y) in [(0, 0), (559, 419), (280, 210)] {
            expectColour(of: pixels, x, y, MadePictures.green, "\(x), \(y)", within: 4)
        }
    }

    // MARK: - Refused

    @Test(arguments: [
        "", "GIF89a", "BM", "Just a text that somebody wrote.", "%PDF-1.7", "<svg xmlns='http://www.w3.org/2000/svg'/>",
        "RIFF\u{24}\0\0\0WAVEfmt ", "\u{7F}ELF",
    ])
    func whatIsNoPictureIsRefused(text: String) {
        #expect(throws: PictureFault.notAPicture) { try PictureRenderer.render(Array(text.utf8)) }
    }

    @Test func aFilmIsRefused() {
        #expect(throws: PictureFault.notAPicture) { try PictureRenderer.render(ForeignPictures.film) }
    }

    /// Only the header is there: had the pixels been looked for, the picture would be damaged.
    @Test(arguments: [(16_384, 16_384), (16_385, 1), (1, 16_385), (65_500, 65_500), (8_192, 8_193)])
    func tooManyPixelsAreRefusedByTheHeader(width: Int, height: Int) throws {
        #expect(throws: PictureFault.tooManyPixels) {
            try PictureRenderer.render(
                MadePNG(width: width, height: height).header + [0, 0, 0, 0] + Array("IDAT".utf8))
        }
        let jpeg = try MadePictures.claiming(width, height, try MadePictures.jpeg(try MadePictures.quarters(8, 8)))
        #expect(throws: PictureFault.tooManyPixels) { try PictureRenderer.render(jpeg) }
    }

    @Test func aHeaderOfMorePixelsThanAnyFormatHasIsRefused() {
        let png = MadePNG(width: 0x7FFF_FFFF, height: 0x7FFF_FFFF).header + [0, 0, 0, 0] + Array("IDAT".utf8)
        #expect(throws: (any Error).self) { try PictureRenderer.render(png) }
        #expect(throws: PictureFault.tooManyPixels) {
            try PictureRenderer.render(MadePictures.webp(16_383, 16_383, MadePictures.red))
        }
    }

    /// They would be kept as a whole: more than the memory for one picture.
    @Test func whatADecoderCannotHoldIsRefused() throws {
        #expect(throws: PictureFault.tooManyPixels) {
            try PictureRenderer.render(MadePictures.webp(8_000, 8_000, MadePictures.red))
        }
        var png = MadePNG(width: 8_192, height: 8_192, kind: .rgba)
        png.isInterlaced = true
        #expect(throws: PictureFault.tooManyPixels) {
            try PictureRenderer.render(png.header + MadePNG.chunk("IDAT", [0x78, 0x01]))
        }
    }

    @Test func moreThan64MiBAreRefused() {
        let bytes = [UInt8](repeating: 0xFF, count: PictureFormat.bytesMax + 1)
        #expect(throws: PictureFault.tooLarge(bytesMax: 64 << 20)) { try PictureRenderer.render(bytes) }
    }
}
