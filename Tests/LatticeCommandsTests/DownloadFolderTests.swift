import Testing

@testable import LatticeCommands

@Suite struct DownloadFolderTests {
    @Test(
        arguments: [
            (nil, "/home/anna/Downloads"), ("", "/home/anna/Downloads"),
            ("# a comment\nXDG_DOWNLOAD_DIR=\"$HOME/Herunter\"\n", "/home/anna/Herunter"),
            ("XDG_DESKTOP_DIR=\"$HOME/Desktop\"\n  XDG_DOWNLOAD_DIR=\"/srv/files\"", "/srv/files"),
            ("XDG_DOWNLOAD_DIR=\"relative\"", "/home/anna/Downloads"),
        ] as [(String?, String)])
    func theDownloadFolderIsThatOfTheDesktop(settings: String?, path: String) {
        #expect(DownloadFolder.path(home: "/home/anna", settings: settings) == path)
    }
}
