import Foundation

/// Pictures that other programs made, as small as they can be: code here cannot make them.
enum ForeignPictures {
    /// 16 × 16, in several scans.
    static let progressiveJPEG = bytes(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19i\
        Z2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2Nj\
        Y2NjY2NjY2P/wgARCAAQABADASIAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAABP/EABQBAQAAAAAAAAAAAAAAAAAAAAD/2gAM\
        AwEAAhADEAAAAQKUo//EABUQAQEAAAAAAAAAAAAAAAAAAAIA/9oACAEBAAEFAiIiIiL/xAAWEQADAAAAAAAAAAAAAAAAAAAAAwT/\
        2gAIAQMBAT8Bnef/xAAWEQADAAAAAAAAAAAAAAAAAAAAAgP/2gAIAQIBAT8Bep//xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oACAEB\
        AAY/Ah//xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oACAEBAAE/IQq//9oADAMBAAIAAwAAABAD/8QAFhEAAwAAAAAAAAAAAAAAAAAA\
        ACEx/9oACAEDAQE/EJM//8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAgBAgEBPxA//8QAFhAAAwAAAAAAAAAAAAAAAAAAACEx/9oA\
        CAEBAAE/EIomiaIo/9k=
        """)

    /// 8 × 8 red pixels as printing inks (CMYK), as Adobe's programs write them.
    static let inkJPEG = bytes(
        """
        /9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAQCwwODAoQDg0OEhEQExgoGhgWFhgxIyUdKDozPTw5Mzg3QEhcTkBEV0U3OFBtUVdfYmdo\
        Zz5NcXlwZHhcZWdj/8AAFAgACAAIBEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIB\
        AwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZH\
        SElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV\
        1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAA4EQwBNAFkASwAAPwD0CvP68/r0Cv/Z
        """)

    /// 8 × 8 in shades of gray.
    static let grayJPEG = bytes(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19i\
        Z2hnPk1xeXBkeFxlZ2P/wAALCAAIAAgBAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUF\
        BAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVW\
        V1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi\
        4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/ADTfD3T5K//Z
        """)

    /// 32 × 16: red grows to the right, green downwards.
    static let lossyWebP = bytes(
        """
        UklGRlgAAABXRUJQVlA4IEwAAAAQAwCdASogABAALtGIxGI/rCwsH4DQS2AE6ZQANTD0B0AA/vENt64pOegmhu+q1ma+O1vrRfvX\
        91rUmx1PlH4PPdU/5Sv2cAXb+BAA
        """)

    /// 16 × 16, transparent at the top.
    static let alphaWebP = bytes(
        """
        UklGRpgAAABXRUJQVlA4WAoAAAAQAAAADwAADwAAQUxQSDsAAAABf0CkbUPHtvv3ew0RkbiuQBXZNlRQQQUVVFBBBRVUUEEFFVRQ\
        QQVf2yGi/xmIJDKFSqMzmCw2h8vjAwBWUDggNgAAANABAJ0BKhAAEAAEAGglsAJ0fwAYFFN8AP7xfyrJI6nWr2/LDL5ggYZS4r+4\
        Jv2W9n6bFYSQAA==
        """)

    /// WebP of two pictures.
    static let film = bytes(
        """
        UklGRsQAAABXRUJQVlA4WAoAAAACAAAABwAABwAAQU5JTQYAAAAAAAAAAABBTk1GSgAAAAAAAAAAAAcAAAcAAGQAAAJWUDggMgAA\
        ADABAJ0BKggACAABQCYloAADcAD+8ut///mwP/bz/wR6Af//0uD//pcH//S4P/SkAAAAQU5NRkYAAAAAAAAAAAAHAAAHAABkAAAA\
        VlA4IC4AAAA0AQCdASoIAAgAAAAmJaAAA3AA/vtV4///S4P/+lwf/9Lg/9Lg//rV5Vesq6AA
        """)

    private static func bytes(_ base64: String) -> [UInt8] {
        guard let data = Data(base64Encoded: base64) else { preconditionFailure("bytes in Base64") }
        return Array(data)
    }
}
