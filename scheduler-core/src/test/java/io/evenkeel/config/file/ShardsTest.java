package io.evenkeel.config.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.ShardSettings;
import io.evenkeel.problem.ConfigurationException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShardsTest {
    private static final String HEAD = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";

    private final ConfigurationReader reader = new ConfigurationReader();

    @Test
    void nodesArePartedByTheirNamesOrByALabel() {
        assertThat(shards("{count: 4}")).isEqualTo(new ShardSettings("", List.of(), 4, false));
        assertThat(shards("{count: 64, across: Place}")).isEqualTo(new ShardSettings("", List.of(), 64, false));
        assertThat(shards("{nodeLabel: example.com/pool, values: [b, a, ''], across: Refuse}"))
                .isEqualTo(new ShardSettings("example.com/pool", List.of("b", "a", ""), 1, true));
        assertThat(shards("{nodeLabel: pool, values: [" + values(63) + "]}").shards())
                .isEqualTo(64);
    }

    @Test
    void withoutShardsOrWithOneAllNodesAreInOneEngine() {
        for (String one : List.of("", "{count: 1}", "{count: 1, across: Place}")) {
            assertThat(shards(one)).as(one).isEqualTo(ShardSettings.NONE);
        }
        assertThat(shards("{count: 1, across: Refuse}").shards()).isEqualTo(1);
    }

    @Test
    void whatIsWrittenReadsBackAsTheSame() {
        ConfigurationWriter writer = new ConfigurationWriter();
        for (String given :
                List.of("{count: 4}", "{count: 2, across: Refuse}", "{nodeLabel: l, values: [b, a, '1']}")) {
            SchedulerConfiguration configuration = read(given);
            assertThat(reader.read("written", writer.write(configuration))).isEqualTo(configuration);
            assertThat(reader.read("written", writer.writeJson(configuration))).isEqualTo(configuration);
        }
        assertThat(writer.write(read("{count: 4}"))).endsWith("shards:\n  count: 4\n  across: Place\n");
    }

    @Test
    void whatKubeSchedulerDoesNotKnowIsWrittenOnlyWhereItIsSet() {
        assertThat(new ConfigurationWriter().write(read("{count: 1}"))).doesNotContain("shards");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                    | cfg.yaml:3:9: shards: expected a count, or a nodeLabel and values
            {across: Refuse}                      | cfg.yaml:3:9: shards: expected a count, or a nodeLabel and values
            4                                     | cfg.yaml:3:9: shards: expected a mapping, got 4
            {count: 0}                            | cfg.yaml:3:17: shards.count: must be between 1 and 64, got 0
            {count: 65}                           | cfg.yaml:3:17: shards.count: must be between 1 and 64, got 65
            {count: two}                          | cfg.yaml:3:17: shards.count: expected an integer, got "two"
            {count: 2, across: Wait}              | cfg.yaml:3:28: shards.across: expected one of Place, Refuse, got "Wait"
            {counts: 2, count: 2}                 | cfg.yaml:3:10: shards.counts: unknown field; did you mean "count"?
            {count: 2, nodeLabel: l, values: [a]} | cfg.yaml:3:17: shards.count: must not stand beside nodeLabel and values: they say how many shards there are
            {nodeLabel: l}                        | cfg.yaml:3:9: shards.values: is required
            {values: [a]}                         | cfg.yaml:3:9: shards.nodeLabel: is required
            {nodeLabel: '', values: [a]}          | cfg.yaml:3:21: shards.nodeLabel: must not be empty
            {nodeLabel: a b, values: [a]}         | cfg.yaml:3:21: shards.nodeLabel: expected a name such as "example.com/name" or "name", got "a b"
            {nodeLabel: l, values: []}            | cfg.yaml:3:32: shards.values: expected 1 to 63 values, got 0
            {nodeLabel: l, values: [a, b, a]}     | cfg.yaml:3:39: shards.values[2]: "a" is given already
            {nodeLabel: l, values: [a/b]}         | cfg.yaml:3:33: shards.values[0]: "a/b" is no valid label value
            {nodeLabel: l, values: [1]}           | cfg.yaml:3:33: shards.values[0]: expected a string, got 1
            """, quoteCharacter = '`')
    void whatMakesNoSenseIsRefusedInOneLine(String given, String error) {
        assertThat(errors(given)).containsExactly(error);
    }

    @Test
    void moreValuesThanShardsMayBeAreRefused() {
        assertThat(errors("{nodeLabel: l, values: [" + values(64) + "]}"))
                .containsExactly("cfg.yaml:3:32: shards.values: expected 1 to 63 values, got 64");
    }

    private static String values(int count) {
        return IntStream.range(0, count).mapToObj(i -> "v" + i).collect(Collectors.joining(", "));
    }

    private ShardSettings shards(String given) {
        return read(given).shards();
    }

    private SchedulerConfiguration read(String given) {
        return reader.read("cfg.yaml", HEAD + "shards: " + given + "\n");
    }

    private List<String> errors(String given) {
        return catchThrowableOfType(ConfigurationException.class, () -> read(given))
                .errors();
    }
}
