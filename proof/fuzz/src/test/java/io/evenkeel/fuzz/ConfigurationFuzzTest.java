package io.evenkeel.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.config.file.ConfigurationWriter;
import io.evenkeel.problem.ConfigurationException;
import java.nio.charset.StandardCharsets;

/** A configuration is refused in lines that name their places, or is the same when it is written and read again. */
class ConfigurationFuzzTest {
    private static final String FILE = "file.yaml";
    private static final int LONGEST_LINE = 1_000;

    private final ConfigurationReader reader = new ConfigurationReader();
    private final ConfigurationWriter writer = new ConfigurationWriter();

    @FuzzTest
    @DictionaryEntries({
        "profiles: ",
        "pluginConfig: ",
        "args: ",
        "score: ",
        "enabled: ",
        "name: ",
        "weight: ",
        "extenders: ",
        "15s",
        "&a ",
        "*a",
        "<<: ",
        "!!int ",
        "? ",
        "- ",
        "|",
        "\\x0a",
        "\\x0a  "
    })
    void aFileIsRefusedByPlacesOrReadsBackAsItIsWritten(byte[] bytes) throws Throwable {
        String text = new String(bytes, StandardCharsets.UTF_8);
        Cost.isAtMost(20_000, bytes.length, () -> check(text));
    }

    private void check(String text) {
        SchedulerConfiguration configuration;
        try {
            configuration = reader.read(FILE, text);
        } catch (ConfigurationException refused) {
            assertThat(refused.errors())
                    .isNotEmpty()
                    .hasSizeLessThanOrEqualTo(1 + text.length())
                    .allSatisfy(line -> {
                        assertThat(line).startsWith(FILE).hasSizeLessThan(LONGEST_LINE);
                        assertThat(line.lines()).hasSize(1);
                    });
            return;
        }
        assertThat(reader.read(FILE, writer.write(configuration))).isEqualTo(configuration);
        assertThat(reader.read(FILE, writer.writeJson(configuration))).isEqualTo(configuration);
    }
}
