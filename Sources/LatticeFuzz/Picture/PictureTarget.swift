import LatticePicture
import LatticePictureDecoder

extension FuzzTarget {
    static let picture = FuzzTarget(
        "picture",
        "pictures and what a child says of them: photos have their sizes, no metadata, and are pictures again",
        inputBytesMax: 4_096
    ) { bytes throws(BrokenProperty) in
        var source = ByteSource(bytes)
        switch source.byte() % 4 {
        case 0: try PictureTrial.answer(source.all(), to: .render)
        case 1:
            guard let box = PictureSize(width: 1 + source.index(below: 64), height: 1 + source.index(below: 64))
            else { return }
            let rest = source.all()
            try PictureTrial.answer(rest, to: .pixels(within: box))
            try PictureTrial.drawing(rest, within: box)
        default: try PictureTrial.photo(source.all())
        }
    }
}

private enum PictureTrial {
    static func photo(_ bytes: [UInt8]) throws(BrokenProperty) {
        try bare(bytes)
        guard let rendered = accepted({ try PictureRenderer.render(bytes) }) else { return }
        let (photo, thumbnail) = (rendered.photo, rendered.thumbnail)
        try hold(max(photo.size.width, photo.size.height) <= 560, "a photo is too wide or too high")
        try hold(thumbnail.size.width == 86 && thumbnail.size.height == 86, "a thumbnail has another size")
        try hold(thumbnail.jpeg.count <= 8_192, "a thumbnail has too many bytes")
        for rendition in [photo, thumbnail] {
            try hold(PlainJPEG.size(of: rendition.jpeg) == rendition.size, "a photo holds more than its picture")
            let again = accepted { try PictureRenderer.render(rendition.jpeg) }
            try hold(again?.photo.size == rendition.size, "a photo is no picture again")
        }
        let said = PictureAnswer.photo(rendered)
        let request = PictureRequest(.render, pictureBytes: bytes.count)
        try hold(PictureAnswer(said.bytes, to: request) == said, "an answer is read as another")
    }

    /// What is removed once is removed.
    private static func bare(_ bytes: [UInt8]) throws(BrokenProperty) {
        guard let bare = accepted({ try BarePicture.of(bytes) }) else { return }
        try hold(bare.count <= bytes.count + 64, "a picture without metadata is larger")
        try hold(accepted { try BarePicture.of(bare) } == bare, "a picture without metadata has some")
    }

    static func drawing(_ bytes: [UInt8], within box: PictureSize) throws(BrokenProperty) {
        guard let pixels = accepted({ try PictureRenderer.pixels(bytes, within: box) }) else { return }
        let size = pixels.size
        try hold(size.width <= box.width && size.height <= box.height, "pixels do not fit")
        try hold(pixels.rgb.count == size.width * size.height * 3, "pixels have other bytes than three each")
    }

    /// The first byte is the kind.
    static func answer(_ bytes: [UInt8], to work: PictureRequest.Work) throws(BrokenProperty) {
        let request = PictureRequest(work, pictureBytes: 0)
        guard let answer = PictureAnswer(bytes, to: request) else { return }
        try hold(answer.bytes == bytes, "an answer has two forms")
    }
}
