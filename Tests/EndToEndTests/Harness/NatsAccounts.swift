/// A NATS server whose users log in with credentials, and a user of it: an operator, two accounts and a user, with the seeds 1 to
/// 4 (each 32 times that byte), signed as NATS's tools sign them, without an end.
enum NatsAccounts {
    /// Lines of a server's configuration.
    static let configuration = """
        operator: \(operatorToken)
        resolver: MEMORY
        system_account: ADFJHLAXAUMHA4OWPOB4P7YO72AQR2HMIUYFOXLXE2DZGM633K7HZVXK
        resolver_preload: {
          ACATS5YOVB6ROX2WUNKGNQ2MP3GMXDMKSG2O4N5CLX3A6W4PZGZZIL2R: \(accountToken),
          ADFJHLAXAUMHA4OWPOB4P7YO72AQR2HMIUYFOXLXE2DZGM633K7HZVXK: \(systemToken)
        }
        """

    /// A file of credentials.
    static let credentials = """
        -----BEGIN NATS USER JWT-----
        \(userToken)
        ------END NATS USER JWT------

        -----BEGIN USER NKEY SEED-----
        SUAAGAYDAMBQGAYDAMBQGAYDAMBQGAYDAMBQGAYDAMBQGAYDAMBQGA6BEM
        ------END USER NKEY SEED------

        """

    private static let operatorToken = """
        eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ.eyJpYXQiOjE3MDAwMDAwMDAsImlzcyI6Ik9DRklSWTY1T1FFN\
        0RGUDVLTE5TMlBGMkxWWk1VWllKWDRPWklFUTM2TjJJUUFOVUI1WFZZT0NTIiwibmFtZSI6ImNhbXAiLCJzdWIiOiJPQ0ZJU\
        lk2NU9RRTdERlA1S0xOUzJQRjJMVlpNVVpZSlg0T1pJRVEzNk4ySVFBTlVCNVhWWU9DUyIsIm5hdHMiOnsidHlwZSI6Im9wZ\
        XJhdG9yIiwidmVyc2lvbiI6Mn0sImp0aSI6IlpOVUxGWUVQUlRKMlJRWjdOUkVGVVlaVUFIWVJTS0FBU0hFTEZIN0ZGQUdEM\
        zRFNE9IS1EifQ.1_XSt_Gv3bT30K0PVlvjV4mC-TKhlwfdBc79VXs_svNsvuUGl0cS47QepSVePPaMqvCioh0fMS90El1e1R\
        jbAA
        """

    private static let accountToken = """
        eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ.eyJpYXQiOjE3MDAwMDAwMDAsImlzcyI6Ik9DRklSWTY1T1FFN\
        0RGUDVLTE5TMlBGMkxWWk1VWllKWDRPWklFUTM2TjJJUUFOVUI1WFZZT0NTIiwibmFtZSI6ImJyaWRnZXMiLCJzdWIiOiJBQ\
        0FUUzVZT1ZCNlJPWDJXVU5LR05RMk1QM0dNWERNS1NHMk80TjVDTFgzQTZXNFBaR1paSUwyUiIsIm5hdHMiOnsidHlwZSI6I\
        mFjY291bnQiLCJ2ZXJzaW9uIjoyLCJsaW1pdHMiOnsic3VicyI6LTEsImRhdGEiOi0xLCJwYXlsb2FkIjotMSwiaW1wb3J0c\
        yI6LTEsImV4cG9ydHMiOi0xLCJ3aWxkY2FyZHMiOnRydWUsImNvbm4iOi0xLCJsZWFmIjotMSwibWVtX3N0b3JhZ2UiOjEwM\
        DAwMDAsImRpc2tfc3RvcmFnZSI6MTAwMDAwMDAwLCJzdHJlYW1zIjotMSwiY29uc3VtZXIiOi0xfX0sImp0aSI6IkFTNVRVM\
        k0yQjdLUUNRUVJTVVhIQVczT1JGS1FKMlRNQ09HNkRCV0RDSktRRFRNQjRCRlEifQ.bkcwdDlbbYGpaug8p5C6_ZylbVi_1F\
        3ls9XexXRwEN3nlZPLRnhOQwbztwJK9aN4teWRVBPXHkuuw7kjzFzWDg
        """

    private static let systemToken = """
        eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ.eyJpYXQiOjE3MDAwMDAwMDAsImlzcyI6Ik9DRklSWTY1T1FFN\
        0RGUDVLTE5TMlBGMkxWWk1VWllKWDRPWklFUTM2TjJJUUFOVUI1WFZZT0NTIiwibmFtZSI6IlNZUyIsInN1YiI6IkFERkpIT\
        EFYQVVNSEE0T1dQT0I0UDdZTzcyQVFSMkhNSVVZRk9YTFhFMkRaR002MzNLN0haVlhLIiwibmF0cyI6eyJ0eXBlIjoiYWNjb\
        3VudCIsInZlcnNpb24iOjIsImxpbWl0cyI6eyJzdWJzIjotMSwiZGF0YSI6LTEsInBheWxvYWQiOi0xLCJpbXBvcnRzIjotM\
        SwiZXhwb3J0cyI6LTEsIndpbGRjYXJkcyI6dHJ1ZSwiY29ubiI6LTEsImxlYWYiOi0xLCJtZW1fc3RvcmFnZSI6MCwiZGlza\
        19zdG9yYWdlIjowLCJzdHJlYW1zIjowLCJjb25zdW1lciI6MH19LCJqdGkiOiJBVDVKRFJKQk03VTVRUDZNVEZGUDVHN1lWR\
        lRUTFpMS0RHQTZDSUJNRUFSWTc3WldLTVRBIn0.ZGtghMgMC6-VUD4BjK75q7m5lLmqx1cal3PYnRklvxC626LxEIEJmYAh1\
        kbGW-RZ61qp0oigUEEPVt53pe9uDw
        """

    private static let userToken = """
        eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ.eyJpYXQiOjE3MDAwMDAwMDAsImlzcyI6IkFDQVRTNVlPVkI2U\
        k9YMldVTktHTlEyTVAzR01YRE1LU0cyTzRONUNMWDNBNlc0UFpHWlpJTDJSIiwibmFtZSI6ImJyaWRnZSIsInN1YiI6IlVEV\
        1VTS0dHRkRJNEZSWEs1RUJUUkVDWlNWUVNTV0pISEpPR0g2SldHM0FVTUZGTVE0MzVDMlU0IiwibmF0cyI6eyJ0eXBlIjoid\
        XNlciIsInZlcnNpb24iOjIsInN1YnMiOi0xLCJkYXRhIjotMSwicGF5bG9hZCI6LTEsInB1YiI6e30sInN1YiI6e319LCJqd\
        GkiOiJFR0JaM0tVQVlMREROV0FVSVVKUEk2NDdUNlJZQllNVDNKSU9BNkdQNVZBRFBKWFBSQzVBIn0.MvSVeQ-XRP99S_YaW\
        RgPFVwxTznXWMd6fJz23Jp_hfO85ckUWgBcjFnsRhKhHUOXhZIKD6xpE2mtjb1DbJpzBA
        """
}
