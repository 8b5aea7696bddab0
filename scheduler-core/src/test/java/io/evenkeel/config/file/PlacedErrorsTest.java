package io.evenkeel.config.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlacedErrorsTest {
    private static final String TEXT = """
            profiles:
            - schedulerName: first
            - schedulerName: second
              plugins:
                score:
                  enabled:
                  - name: A
                  - {weight: 2, name: example.com/B}
            """;

    @ParameterizedTest
    @CsvSource({
        "profiles[1].plugins.score.enabled[0].name,             7:15, profiles[1].plugins.score.enabled[0].name",
        "profiles[1].plugins.score.enabled[A].name,             7:15, profiles[1].plugins.score.enabled[0].name",
        "profiles[1].plugins.score.enabled[example.com/B].name, 8:27, profiles[1].plugins.score.enabled[1].name",
        "profiles[0].schedulerName,                             2:18, profiles[0].schedulerName",
        "profiles[1].plugins.bind,                              5:5,  profiles[1].plugins.bind",
        "profiles[0].plugins.score.enabled[A].name,             2:3,  profiles[0].plugins.score.enabled[A].name",
        "profiles[7].plugins,                                   2:1,  profiles[7].plugins",
        "extenders[0],                                          1:1,  extenders[0]",
    })
    void aFieldIsFoundElseWhatIsAroundIt(String path, String place, String written) {
        assertThat(ConfigurationReader.placed("cfg.yaml", TEXT, List.of(path + ": is wrong: very")))
                .containsExactly("cfg.yaml:" + place + ": " + written + ": is wrong: very");
    }

    @Test
    void whatNamesNoFieldStandsAtTheStart() {
        assertThat(ConfigurationReader.placed("cfg.yaml", TEXT, List.of("my plugin says: no")))
                .containsExactly("cfg.yaml:1:1: my plugin says: no");
    }

    @Test
    void errorsStandInTheOrderOfTheFile() {
        assertThat(ConfigurationReader.placed("cfg.yaml", TEXT, List.of("profiles[1].plugins: b", "profiles[0]: a")))
                .containsExactly("cfg.yaml:2:3: profiles[0]: a", "cfg.yaml:5:5: profiles[1].plugins: b");
    }
}
