package io.evenkeel.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.metrics.LiveMetrics.ExtenderMetrics;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ExtenderMetricsTest {
    private final ExtenderMetrics metrics = new ExtenderMetrics();

    @Test
    void callsAreTimedByExtenderVerbAndResult() {
        metrics.called("http://gpus", "filter", true, Duration.ofMillis(250));
        metrics.called("http://gpus", "filter", true, Duration.ofMillis(750));
        metrics.called("http://gpus", "bind", false, Duration.ofSeconds(5));

        HistogramSnapshot calls = (HistogramSnapshot) metrics.read().findFirst().orElseThrow();
        assertThat(calls.getDataPoints()).hasSize(2).anySatisfy(series -> {
            assertThat(series.getLabels().get("verb")).isEqualTo("filter");
            assertThat(series.getLabels().get("result")).isEqualTo("success");
            assertThat(series.getCount()).isEqualTo(2);
            assertThat(series.getSum()).isEqualTo(1);
        });
    }
}
