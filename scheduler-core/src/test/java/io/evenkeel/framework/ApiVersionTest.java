package io.evenkeel.framework;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiVersionTest {

    @ParameterizedTest(name = "what was built for {0} works with {1}: {2}")
    @CsvSource({
        "0.1, 0.1, true",
        "0.1, 0.2, false",
        "0.2, 0.1, false",
        "1.0, 1.4, true",
        "1.4, 1.4, true",
        "1.5, 1.4, false",
        "0.9, 1.0, false",
        "1.9, 2.0, false",
    })
    void minorVersionsAddToAMajorOneButBelowOneEachIsAnother(String builtFor, String have, boolean works) {
        assertThat(version(have).carries(version(builtFor))).isEqualTo(works);
    }

    @ParameterizedTest
    @CsvSource({"1", "1.2.3", "0.1-SNAPSHOT", "-1.0", "[0.1]", "1.99999999999", "''"})
    void onlyTwoNumbersAreAVersion(String text) {
        assertThat(ApiVersion.parse(text)).isEmpty();
    }

    @Test
    void itIsThatOfTheBuild() throws IOException {
        Matcher version = Pattern.compile("<version>(\\d+\\.\\d+)\\.[^<]*</version>")
                .matcher(Files.readString(Path.of("../pom.xml")));

        assertThat(version.find()).isTrue();
        assertThat(ApiVersion.CURRENT).hasToString(version.group(1));
    }

    private static ApiVersion version(String text) {
        return ApiVersion.parse(text).orElseThrow();
    }
}
