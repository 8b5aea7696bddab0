package io.evenkeel.config.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.resolver.Resolver;

class GoResolverTest {
    private final Resolver resolver = new GoResolver();

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "on, bool",
                "No, bool",
                "y, str",
                "oN, str",
                "~, null",
                "``, null",
                "12, int",
                "-0x1F, int",
                "0o17, int",
                "017, int",
                "0b11, int",
                "1_000, int",
                "18446744073709551615, int",
                "18446744073709551616, float",
                "08, float",
                "1e3, float",
                ".5, float",
                "-.inf, float",
                ".NaN, float",
                "1:30, str",
                "2001-01-01, str",
                "_1, str",
                "1.2.3, str",
                "<<, merge"
            })
    void plainScalarsHaveTheTypesThatGoGivesThem(String plain, String type) {
        assertThat(resolver.resolve(NodeId.scalar, plain, true).getValue()).endsWith(":" + type);
    }

    @Test
    void stringsThatWouldReadAsSomethingElseAreWrittenInQuotes() {
        String yaml = YamlText.dump(Map.of("key", "0o17"));

        assertThat(yaml).isEqualTo("key: '0o17'\n");
    }
}
