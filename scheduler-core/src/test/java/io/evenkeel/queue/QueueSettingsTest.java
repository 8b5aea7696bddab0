package io.evenkeel.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.SchedulerConfiguration;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QueueSettingsTest {
    @Test
    void theBackoffDoublesUpToItsMaximum() {
        QueueSettings settings =
                new QueueSettings(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofMinutes(5), true);

        assertThat(settings.backoffNanos(1)).isEqualTo(1_000_000_000L);
        assertThat(settings.backoffNanos(4)).isEqualTo(8_000_000_000L);
        assertThat(settings.backoffNanos(5)).isEqualTo(10_000_000_000L);
        assertThat(settings.backoffNanos(1_000)).isEqualTo(10_000_000_000L);
    }

    @Test
    void theFeatureGateSaysWhetherPodsAreTakenOutOfBackoffEarly() {
        SchedulerConfiguration usual = SchedulerConfiguration.defaults();
        FeatureGates off = FeatureGates.with(Map.of("SchedulerPopFromBackoffQ", false));

        assertThat(of(usual).popsFromBackoff()).isTrue();
        assertThat(of(usual.toBuilder().featureGates(off).build()).popsFromBackoff())
                .isFalse();
    }

    /** A configuration may have any int64 of seconds, and nanoseconds of it fit no long. */
    @Test
    void aBackoffThatNobodyLivesToSeeDoesNotOverflow() {
        QueueSettings settings = new QueueSettings(
                Duration.ofSeconds(Long.MAX_VALUE), Duration.ofSeconds(Long.MAX_VALUE), Duration.ofMinutes(5), true);

        assertThat(settings.backoffNanos(1)).isEqualTo(Duration.ofDays(3650).toNanos());
        assertThat(settings.backoffNanos(100)).isEqualTo(Duration.ofDays(3650).toNanos());
    }

    private static QueueSettings of(SchedulerConfiguration configuration) {
        return QueueSettings.of(
                configuration,
                Duration.ofMinutes(5),
                QueueSettings.HintLimits.USUAL,
                QueueSettings.Neighbours.UNKNOWN,
                QueueSettings.Obstacles.UNKNOWN);
    }
}
