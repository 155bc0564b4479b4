import LatticeGeo
import Testing

@Suite struct NMEATests {
    @Test func positionsOfGGAAndRMCAreRead() throws {
        for line in [
            "$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47",
            "$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A",
            "$GNGGA,123519,4807.038,N,01131.000,E,2,08,0.9,545.4,M,46.9,M,,",
        ] {
            let place = try #require(NMEASentence.coordinate(line), "\(line)")
            #expect(abs(place.latitude - 48.1173) < 1e-6 && abs(place.longitude - 11.516_666_7) < 1e-6)
        }
        let south = try #require(NMEASentence.coordinate("$GPRMC,1,A,3351.000,S,07000.500,W,,,,,"))
        #expect(abs(south.latitude + 33.85) < 1e-6 && abs(south.longitude + 70.008_333_3) < 1e-6)
    }

    @Test(arguments: [
        "$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*48",
        "$GPGGA,123519,4807.038,N,01131.000,E,0,08,0.9,545.4,M,46.9,M,,",
        "$GPRMC,123519,V,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W", "$GPGGA,,,,,,0,,,,,,,,",
        "$GPGSV,3,1,11,03,03,111,00", "$GPGGA", "$", "", "GPGGA,1,4807.038,N,01131.000,E,1",
        "$GPGGA,1,4860.000,N,01131.000,E,1", "$GPGGA,1,-807.038,N,01131.000,E,1", "$GPGGA,1,4807.038,X,01131.000,E,1",
        "$GPGGA,1,9900.000,N,01131.000,E,1", "$GPGGA,1,48,N,011,E,1", "$GPGGA,1,4807.038,N,01131.000,E,1*",
        "$GPGGA,1,٤٨07.038,N,01131.000,E,1",
    ])
    func othersAreNone(line: String) {
        #expect(NMEASentence.coordinate(line) == nil)
    }
}
