import LatticeAPI
import LatticeCore
import LatticeWire

struct SpokenText {
    let text: String
    let style: SpeechStyle
    let isNotice: Bool
    let replyTo: RecordID?
    var isUrgent: Bool
    /// The manifest of the file that it shares.
    let file: RecordID?
    /// The file that it sends, for private messages and lines of private rooms only: its key is in it.
    let sealedFile: SealedFile?

    init(
        _ text: String, _ style: SpeechStyle, isNotice: Bool = false, replyTo: RecordID? = nil, isUrgent: Bool = false,
        file: RecordID? = nil, sealedFile: SealedFile? = nil
    ) {
        self.isUrgent = isUrgent
        self.file = file
        self.sealedFile = sealedFile
        self.text = text
        self.style = style
        self.isNotice = isNotice
        self.replyTo = replyTo
    }

    var asUsual: SpokenText {
        var line = self
        line.isUrgent = false
        return line
    }

    func check() throws(RequestError) {
        try Self.check(text)
    }

    static func check(_ text: String) throws(RequestError) {
        guard text.utf8.count <= ChatLine.textBytesMax else {
            throw .lineTooLong(bytes: text.utf8.count, max: ChatLine.textBytesMax)
        }
        // Most lines have an ASCII letter, which is faster to find than a Unicode character's class.
        guard text.utf8.contains(where: { (0x21..<0x7F).contains($0) }) || text.contains(where: { !$0.isWhitespace })
        else {
            throw .emptyLine
        }
    }

    func line(by name: PeerName) -> ChatLine {
        ChatLine(
            style: style == .acts ? .acts : .says, name: name, text: text, replyTo: replyTo, isNotice: isNotice,
            isUrgent: isUrgent, file: file, sealedFile: sealedFile)
    }
}
