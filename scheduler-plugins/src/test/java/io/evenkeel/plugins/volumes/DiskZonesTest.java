package io.evenkeel.plugins.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiskZonesTest {
    @ParameterizedTest
    @CsvSource({
        "vol-1, vol-1",
        "anything, anything",
        "aws://eu-1a/vol-1, vol-1",
        "aws:///vol-1, vol-1",
        "aws://eu-1a/vol-1/, vol-1",
        "aws://vol-1,",
        "aws://eu-1a/disk-1,",
        "aws://eu-1a/more/vol-1,",
        "aws://,",
    })
    void aDiskOfAwsIsItsIdWhetherOrNotTheZoneStandsBeforeIt(String id, String handle) {
        assertThat(DiskZones.awsHandle(id)).isEqualTo(Optional.ofNullable(handle));
    }

    @ParameterizedTest
    @CsvSource({
        "'', projects/UNSPECIFIED/zones/UNSPECIFIED/disks/pd",
        "anywhere, projects/UNSPECIFIED/zones/anywhere/disks/pd",
        "eu-west1-a__eu-west1-b, projects/UNSPECIFIED/regions/eu-west1/disks/pd",
        "eu-west1-a__eu-west2-a,",
        "zone-0__zone-1,",
        "eu-west1-a__,",
    })
    void aDiskOfGoogleIsOfAZoneOrOfTheRegionOfSeveral(String zones, String handle) {
        assertThat(DiskZones.gceHandle("pd", zones)).isEqualTo(Optional.ofNullable(handle));
    }
}
