package import LatticeAPI
package import LatticeCore

/// A picture that can be viewed, in words.
package struct PictureFacts: Sendable {
    package enum Subject: Hashable, Sendable {
        case item(ItemInfo.Kind, short: String)
        case person
        case file(name: String)
    }

    package let subject: Subject
    /// Identifies the item, the person or the file.
    package let id: String
    package let by: PeerID
    /// Not made safe, as `alt`.
    package let byName: String?
    /// In pixels; `nil` for a file, which says it only when it is decoded.
    package let size: (width: Int, height: Int)?
    package let bytes: Int64
    package let alt: String?
    package let isHere: Bool
}

extension PictureFacts {
    /// - Returns: `nil` if it has no photo, or is too far away.
    package init?(_ item: ItemInfo) {
        guard let photo = item.photo else { return nil }
        self.init(
            subject: .item(item.kind, short: item.short), id: item.id.hex, by: item.author, byName: item.authorName,
            size: (photo.width, photo.height), bytes: photo.size, alt: photo.alt, isHere: photo.state == .here)
    }

    /// - Returns: `nil` if this person has no photo.
    package init?(_ person: PersonInfo) {
        guard let photo = person.photo else { return nil }
        self.init(
            subject: .person, id: person.id.hex, by: person.id, byName: person.name, size: (photo.width, photo.height),
            bytes: photo.size, alt: photo.alt, isHere: photo.state == .here)
    }

    package init(_ file: FileInfo) {
        self.init(
            subject: .file(name: file.name), id: file.id.hex, by: file.by.id, byName: file.by.name?.text, size: nil,
            bytes: file.size, alt: nil, isHere: file.state == .here)
    }

    /// What stands below the picture, and instead of it where none is drawn: `photo of post 7cdbb3 by bob, 560×420, 48 kB: a
    /// broken bridge`.
    package func lines(_ context: CommandContext) -> [String] {
        ItemLines.wrapped(words(context), indent: 0, context).map { context.styled($0, "2") }
    }

    /// What is fetched, in a word or two.
    package var name: String {
        if case .file(let name) = subject { DisplayText.isolated(name) } else { "the photo" }
    }

    private func words(_ context: CommandContext) -> String {
        let author = byName.map { DisplayText.isolated($0) } ?? "#\(by.short)"
        let head =
            switch subject {
            case .item(let kind, let short): "photo of \(kind.rawValue) \(short) by \(author)"
            case .person: "photo of \(author)"
            case .file(let name): "\(DisplayText.isolated(name)) by \(author)"
            }
        let times = context.isUTF8 ? "×" : "x"
        let pixels = size.map { "\($0.width)\(times)\($0.height)" }
        let measured = ([head, pixels, PhotoPhrases.size(bytes)] as [String?]).compactMap(\.self).joined(
            separator: ", ")
        if case .file = subject { return measured }
        guard let alt, !alt.isEmpty else { return "\(measured), without a description" }
        return "\(measured): \(DisplayText.safe(alt.replacing("\n", with: " ")))"
    }

    package var object: JSONLine {
        let (kind, name): (String, String?) =
            switch subject {
            case .item(let kind, _): (kind.rawValue, nil)
            case .person: ("person", nil)
            case .file(let name): ("file", name)
            }
        return JSONLine([
            ("event", .text("picture")), ("kind", .text(kind)), ("id", .text(id)), ("name", .text(name)),
            ("by", .text(by.hex)), ("by_name", .text(byName)), ("width", size.map { .integer($0.width) } ?? .null),
            ("height", size.map { .integer($0.height) } ?? .null), ("size", .integer(Int(bytes))), ("alt", .text(alt)),
            ("here", .flag(isHere)),
        ])
    }
}
