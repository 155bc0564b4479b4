/// A notice on a control socket: its code and level, the values, and a message for people who read logs.
struct CodedNotice: Codable {
    private enum CodingKeys: String, CodingKey {
        case code
        case level
        case values
        case message
    }

    let notice: Notice

    init(_ notice: Notice) {
        self.notice = notice
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        do {
            notice = try fields.decode(Notice.self, forKey: .values)
        } catch {
            // Another version of this program has values of its own.
            notice = .other(
                level: try fields.decode(Notice.Level.self, forKey: .level),
                code: try fields.decode(String.self, forKey: .code),
                message: try fields.decode(String.self, forKey: .message))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(notice.code, forKey: .code)
        try fields.encode(notice.level, forKey: .level)
        try fields.encode(notice, forKey: .values)
        try fields.encode(LogMessages.message(notice), forKey: .message)
    }
}
