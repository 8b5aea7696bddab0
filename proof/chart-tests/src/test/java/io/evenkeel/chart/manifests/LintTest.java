package io.evenkeel.chart.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.marcnuri.helm.LintResult;
import io.evenkeel.chart.helm.Chart;
import org.junit.jupiter.api.Test;

class LintTest {
    @Test
    void helmFindsNothingWrong() {
        LintResult result = Chart.lint();
        assertThat(result.getMessages()).allMatch(message -> message.startsWith("[INFO]"));
        assertThat(result.isFailed()).isFalse();
    }
}
