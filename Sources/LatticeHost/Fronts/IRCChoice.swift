package import LatticeCore
package import LatticeSettings

/// The gateway's options and settings, unchecked.
package struct IRCChoice {
    package struct Options {
        /// Prefix of the options: `--irc-` or `--`.
        let prefix: String
        /// The name of the option for the address.
        let listen: String
        let address: PeerAddress?
        let serverName: String?
        let passwordFile: String?
        let certificate: String?
        let key: String?

        package init(
            prefix: String, listen: String, address: PeerAddress?, serverName: String?, passwordFile: String?,
            certificate: String?, key: String?
        ) {
            self.prefix = prefix
            self.listen = listen
            self.address = address
            self.serverName = serverName
            self.passwordFile = passwordFile
            self.certificate = certificate
            self.key = key
        }

        fileprivate func name(_ key: SettingKey) -> String {
            switch key {
            case .ircListen: listen
            default: prefix + key.rawValue.dropFirst("irc.".count).replacing(".", with: "-")
            }
        }
    }

    let address: NamedValue<PeerAddress>?
    let serverName: NamedValue<String>?
    let passwordFile: NamedValue<String>?
    let certificate: NamedValue<String>?
    let key: NamedValue<String>?
    private let options: Options

    /// Takes options first, then settings.
    ///
    /// - Parameter fallback: the address if none is given; `nil` disables the gateway.
    package init(_ options: Options, settings: Settings = .current, fallback: PeerAddress? = nil) {
        func said<Value>(_ option: Value?, _ key: SettingKey, _ settled: Value?) -> NamedValue<Value>? {
            if let option { return NamedValue(value: option, name: options.name(key)) }
            return settled.map { NamedValue(value: $0, name: settings.called(key, countsOptions: false)) }
        }
        self.options = options
        address =
            said(options.address, .ircListen, settings.value(.ircListen, Arguments.listenAddress))
            ?? fallback.map { NamedValue(value: $0, name: options.listen) }
        serverName = said(options.serverName, .ircServerName, settings.value(.ircServerName, Arguments.serverName))
        passwordFile = said(options.passwordFile, .ircPasswordFile, settings.text(.ircPasswordFile))
        certificate = said(options.certificate, .ircTLSCertificate, settings.text(.ircTLSCertificate))
        key = said(options.key, .ircTLSKey, settings.text(.ircTLSKey))
    }

    /// Keys given by options, which no file changes.
    package var fixed: Set<SettingKey> {
        let said: [(SettingKey, Bool)] = [
            (.ircListen, options.address != nil), (.ircServerName, options.serverName != nil),
            (.ircPasswordFile, options.passwordFile != nil), (.ircTLSCertificate, options.certificate != nil),
            (.ircTLSKey, options.key != nil),
        ]
        return Set(said.filter(\.1).map(\.0))
    }

    /// - Throws: `WrongValue` for what does not go together.
    package func check() throws(WrongValue) {
        guard let address else {
            guard let name = [serverName, passwordFile, certificate, key].compactMap({ $0?.name }).first else { return }
            let listen = name.hasPrefix("-") ? options.listen : SettingKey.ircListen.rawValue
            throw WrongValue("\(name) needs \(listen), such as 127.0.0.1:6667")
        }
        switch (certificate, key) {
        case (let said?, nil): throw pair(said.name, .ircTLSKey)
        case (nil, let said?): throw pair(said.name, .ircTLSCertificate)
        case (nil, nil), (_?, _?): break
        }
        let host = address.value.host
        guard !IRCFront.isLoopback(host), passwordFile == nil || certificate == nil else { return }
        let names = [SettingKey.ircTLSCertificate, .ircTLSKey, .ircPasswordFile].map { name($0, as: address.name) }
        throw WrongValue(
            "\(address.name): others can reach \(host); add \(names[0]), \(names[1]) and \(names[2]), or listen on "
                + "127.0.0.1")
    }

    private func pair(_ said: String, _ missing: SettingKey) -> WrongValue {
        WrongValue("\(said) and \(name(missing, as: said)) go together; give both")
    }

    /// The name of a missing option, in the style of its counterpart.
    private func name(_ key: SettingKey, as other: String) -> String {
        other.hasPrefix("-") ? options.name(key) : other.hasPrefix("LATTICE_") ? key.variable : key.rawValue
    }

    /// - Returns: `nil` if there is no gateway.
    /// - Throws: `Failure` if a file is unusable.
    package func front() throws -> IRCFront? {
        try address.map { try IRCFront(self, at: $0) }
    }
}
