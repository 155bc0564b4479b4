import CGuide

/// An article of the guide. It is shown by `lattice help TOPIC`, in a manual page, and in the documentation.
package struct GuideArticle: Equatable {
    /// The file name without extension: `GettingStarted`.
    let fileName: String
    let blocks: [MarkdownBlock]

    /// What people type: `getting-started`.
    package var topic: String { Self.topic(of: fileName) }

    /// The first heading.
    var title: String {
        for case .heading(1, let text) in blocks { return text }
        preconditionFailure("\(fileName).md begins with a heading, which a test checks")
    }

    /// Joins several words with hyphens: `GettingStarted` is `getting-started`, `IRC` is `irc`.
    static func topic(of fileName: String) -> String {
        guard fileName.contains(where: \.isLowercase) else { return fileName.lowercased() }
        return fileName.reduce(into: "") { topic, letter in
            if letter.isUppercase, !topic.isEmpty { topic += "-" }
            topic += letter.lowercased()
        }
    }
}

package enum Guide {
    /// The landing page, which lists the articles.
    package static let landing: GuideArticle = {
        guard let page = embedded.first(where: { $0.fileName == "lattice" }) else {
            preconditionFailure("lattice.md is part of the program")
        }
        return page
    }()

    /// In the order in which the landing page lists them.
    package static let articles: [GuideArticle] = landing.blocks.flatMap(\.spans).compactMap { span in
        guard case .link(_, let target) = span, target.hasSuffix(".md") else { return nil }
        return embedded.first { "\($0.fileName).md" == target }
    }

    package static var topics: [String] { articles.map(\.topic) }

    /// Finds an article by topic, or by a word that is in only one title: `events`, `rooms`.
    package static func article(_ word: String) -> GuideArticle? {
        let word = word.lowercased()
        if let article = articles.first(where: { $0.topic == word }) { return article }
        let titled = articles.filter { article in
            article.title.lowercased().split { !($0.isLetter || $0 == "-") }.contains { $0 == word }
        }
        return word.count > 2 && titled.count == 1 ? titled[0] : nil
    }

    // Safety: the bytes are constants of the program; they are as long as the table says and never freed.
    static let embedded: [GuideArticle] = {
        var articles: [GuideArticle] = []
        var next = lattice_guide_articles_first()
        while let file = next?.pointee, let name = file.name {
            let text = String(decoding: UnsafeRawBufferPointer(start: file.bytes, count: file.count), as: UTF8.self)
            articles.append(GuideArticle(fileName: String(cString: name), blocks: Markdown.blocks(text)))
            next = next?.advanced(by: 1)
        }
        return articles
    }()
}
