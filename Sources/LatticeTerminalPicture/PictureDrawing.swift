import CChafa
package import LatticePicture

/// Pixels as what a terminal draws. Every byte of it is libchafa's: it is given numbers, and no text of anybody.
// Safety: pixels are lent to C for the length of one call, with their true sizes; each handle of libchafa and each string of its
// is released where it was made.
package enum PictureDrawing {
    /// - Parameter environment: as for `DrawingStyle`.
    /// - Returns: rows of characters with colours, no wider than the window; or one sequence that draws all pixels, after
    ///   which the cursor is in the last row of the picture.
    package static func rows(
        of pixels: Pixels, as style: DrawingStyle, in window: DrawingWindow, _ environment: [String: String]
    ) -> [String] {
        // It is drawn in a moment, and threads would stay.
        chafa_set_n_threads(1)
        let area = window.area(of: pixels.size, style)
        let map = symbols(for: style)
        let config = config(for: style, area, isLight: isLight(environment))
        chafa_canvas_config_set_symbol_map(config, map)
        let canvas = chafa_canvas_new(config)
        defer {
            chafa_canvas_unref(canvas)
            chafa_canvas_config_unref(config)
            chafa_symbol_map_unref(map)
        }
        let (width, height) = (Int32(pixels.size.width), Int32(pixels.size.height))
        chafa_canvas_draw_all_pixels(canvas, CHAFA_PIXEL_RGB8, pixels.rgb, width, height, width * 3)
        let text = text(of: canvas, style, environment)
        guard !style.hasPixels else { return [text] }
        return text.split(separator: "\n").map(String.init)
    }

    private static func text(
        of canvas: OpaquePointer?, _ style: DrawingStyle, _ environment: [String: String]
    ) -> String {
        let terminal = TerminalKind(environment)
        // Without colours there is nothing but characters.
        let bare = chafa_term_info_new()
        defer { chafa_term_info_unref(bare) }
        var isBare = false
        if case .symbols(.none, _) = style { isBare = true }
        guard let printed = chafa_canvas_print(canvas, isBare ? bare : terminal.handle), let start = printed.pointee.str
        else { preconditionFailure("libchafa draws everything or ends the program") }
        let count = Int(printed.pointee.len)
        let text = start.withMemoryRebound(to: UInt8.self, capacity: count) {
            String(decoding: UnsafeBufferPointer(start: $0, count: count), as: UTF8.self)
        }
        g_string_free(printed, 1)
        return text
    }

    private static func config(
        for style: DrawingStyle, _ area: DrawingWindow.Area, isLight: Bool
    ) -> OpaquePointer? {
        let config = chafa_canvas_config_new()
        chafa_canvas_config_set_geometry(config, Int32(area.columns), Int32(area.rows))
        chafa_canvas_config_set_cell_geometry(config, Int32(area.cellWidth), Int32(area.cellHeight))
        // Others than this move the cursor, which a chat does not let pass.
        chafa_canvas_config_set_optimizations(config, CHAFA_OPTIMIZATION_REUSE_ATTRIBUTES)
        let (pixels, colours): (ChafaPixelMode, ChafaCanvasMode) =
            switch style {
            case .symbols(.none, _): (CHAFA_PIXEL_MODE_SYMBOLS, CHAFA_CANVAS_MODE_FGBG)
            case .symbols(.sixteen, _): (CHAFA_PIXEL_MODE_SYMBOLS, CHAFA_CANVAS_MODE_INDEXED_16)
            // The first sixteen of them look different in every terminal.
            case .symbols(.indexed, _): (CHAFA_PIXEL_MODE_SYMBOLS, CHAFA_CANVAS_MODE_INDEXED_240)
            case .symbols(.direct, _): (CHAFA_PIXEL_MODE_SYMBOLS, CHAFA_CANVAS_MODE_TRUECOLOR)
            case .sixel: (CHAFA_PIXEL_MODE_SIXELS, CHAFA_CANVAS_MODE_TRUECOLOR)
            case .kitty: (CHAFA_PIXEL_MODE_KITTY, CHAFA_CANVAS_MODE_TRUECOLOR)
            case .iterm: (CHAFA_PIXEL_MODE_ITERM2, CHAFA_CANVAS_MODE_TRUECOLOR)
            }
        chafa_canvas_config_set_pixel_mode(config, pixels)
        chafa_canvas_config_set_canvas_mode(config, colours)
        if case .symbols(.none, _) = style {
            chafa_canvas_config_set_fg_color(config, isLight ? 0x00_0000 : 0xFF_FFFF)
            chafa_canvas_config_set_bg_color(config, isLight ? 0xFF_FFFF : 0x00_0000)
            // Otherwise all that is brighter than half is one white area.
            chafa_canvas_config_set_dither_mode(config, CHAFA_DITHER_MODE_DIFFUSION)
        }
        return config
    }

    /// Half blocks and quarters are in nearly every font. Without colours, more shapes give more shades.
    private static func symbols(for style: DrawingStyle) -> OpaquePointer? {
        let map = chafa_symbol_map_new()
        let tags =
            switch style {
            case .symbols(_, isASCII: true): CHAFA_SYMBOL_TAG_ASCII.rawValue
            case .symbols(.none, _):
                CHAFA_SYMBOL_TAG_BLOCK.rawValue | CHAFA_SYMBOL_TAG_SPACE.rawValue | CHAFA_SYMBOL_TAG_STIPPLE.rawValue
            default:
                CHAFA_SYMBOL_TAG_HALF.rawValue | CHAFA_SYMBOL_TAG_SPACE.rawValue | CHAFA_SYMBOL_TAG_SOLID.rawValue
                    | CHAFA_SYMBOL_TAG_QUAD.rawValue
            }
        chafa_symbol_map_add_by_tags(map, ChafaSymbolTags(rawValue: tags))
        return map
    }

    /// Whether the terminal says that its ground is light: `COLORFGBG` ends with the number of its colour.
    private static func isLight(_ environment: [String: String]) -> Bool {
        guard let ground = environment["COLORFGBG"]?.split(separator: ";").last else { return false }
        return ground == "7" || ground == "15"
    }
}
