import CChafa
import Glibc

/// What libchafa knows of a terminal by the variables in its environment.
// Safety: each C string is a copy of its own until the call that reads them has returned; the handles of libchafa are released
// once, by `deinit` or where they were made.
final class TerminalKind {
    let handle: OpaquePointer

    init(_ environment: [String: String]) {
        let database = chafa_term_db_new()
        defer { chafa_term_db_unref(database) }
        let lines = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        var strings: [UnsafeMutablePointer<CChar>?] = lines.map { strdup($0) } + [nil]
        defer { strings.forEach { free($0) } }
        guard let found = chafa_term_db_detect(database, &strings) else {
            preconditionFailure("libchafa knows every terminal, if only as the plainest")
        }
        handle = found
        // For what was asked for by name.
        let others = chafa_term_db_get_fallback_info(database)
        colours = Self.colours(found, environment)
        pixelStyle = Self.pixelStyle(found)
        chafa_term_info_supplement(found, others)
        chafa_term_info_unref(others)
    }

    deinit { chafa_term_info_unref(handle) }

    let colours: DrawingStyle.Colours
    /// `nil` if it draws characters alone.
    let pixelStyle: DrawingStyle?

    private static func has(_ terminal: OpaquePointer, _ sequence: ChafaTermSeq) -> Bool {
        chafa_term_info_have_seq(terminal, sequence) != 0
    }

    private static func colours(
        _ terminal: OpaquePointer, _ environment: [String: String]
    ) -> DrawingStyle.Colours {
        if environment["TERM"].map({ $0.isEmpty || $0 == "dumb" }) ?? true { return .none }
        let isDirect = ["truecolor", "24bit"].contains(environment["COLORTERM"])
        if isDirect || has(terminal, CHAFA_TERM_SEQ_SET_COLOR_FGBG_DIRECT) { return .direct }
        if has(terminal, CHAFA_TERM_SEQ_SET_COLOR_FGBG_256) { return .indexed }
        return has(terminal, CHAFA_TERM_SEQ_SET_COLOR_FGBG_16) ? .sixteen : .none
    }

    private static func pixelStyle(_ terminal: OpaquePointer) -> DrawingStyle? {
        if has(terminal, CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1) { return .kitty }
        if has(terminal, CHAFA_TERM_SEQ_BEGIN_ITERM2_IMAGE) { return .iterm }
        return has(terminal, CHAFA_TERM_SEQ_BEGIN_SIXELS) ? .sixel : nil
    }
}
