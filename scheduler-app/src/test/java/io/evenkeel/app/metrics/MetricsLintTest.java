package io.evenkeel.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetricsLintTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "# TYPE evenkeel_a counter               | evenkeel_a: counters, and nothing else, end in _total",
                "# TYPE evenkeel_a_total gauge           | evenkeel_a_total: counters, and nothing else, end in _total",
                "# TYPE evenkeel_pod_count gauge         | evenkeel_pod_count: an ending of histograms",
                "# TYPE evenkeel_wait_ms gauge           | evenkeel_wait_ms: ms is no base unit in full",
                "# TYPE evenkeel_wait_milliseconds gauge | evenkeel_wait_milliseconds: milliseconds is no base unit in full",
                "# TYPE evenkeel_a_gauge gauge           | evenkeel_a_gauge: names its type",
                "# HELP evenkeel_a                       | evenkeel_a: no help text",
                "'evenkeel_a{podName=\"x\"} 1.0'         | evenkeel_a: label podName",
            })
    void eachRuleFindsItsMistake(String line, String problem) {
        assertThat(MetricsLint.problems(line)).containsExactly(problem);
    }
}
