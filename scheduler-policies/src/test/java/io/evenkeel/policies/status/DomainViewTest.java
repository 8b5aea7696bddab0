package io.evenkeel.policies.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.policies.status.DomainMemory.Place;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DomainViewTest {
    private static final Place PLACE = new Place("zone", "a");

    /** Of two pods that see a domain, the one tells that waits for it; if none does, one that it does not take. */
    @Test
    void twoViewsAreOne() {
        for (DomainView one : views("one")) {
            for (DomainView other : views("other")) {
                String telling = Stream.of(one, other)
                        .filter(DomainView::isInTheWay)
                        .findFirst()
                        .or(() -> Stream.of(one, other)
                                .filter(view -> !view.takesIt())
                                .findFirst())
                        .orElse(other)
                        .obstacle();
                boolean takesIt = one.takesIt() || other.takesIt();
                boolean isInTheWay = one.isInTheWay() || other.isInTheWay();
                assertThat(one.and(other))
                        .as("%s and %s", one, other)
                        .isEqualTo(new DomainView(PLACE, Duration.ZERO, telling, takesIt, isInTheWay));
                assertThat(one.and(other).isToBeRelaxed()).isEqualTo(isInTheWay || !takesIt);
            }
        }
    }

    private static List<DomainView> views(String obstacle) {
        return Stream.of(true, false)
                .flatMap(takesIt -> Stream.of(true, false)
                        .map(isInTheWay -> new DomainView(PLACE, Duration.ZERO, obstacle, takesIt, isInTheWay)))
                .toList();
    }
}
