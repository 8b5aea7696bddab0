package io.evenkeel.engine;

import io.evenkeel.config.Extender;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Extenders that are asked only about pods that want a GPU. */
final class GpuExtender {
    static final String GPU = "example.com/gpu";

    private GpuExtender() {}

    /** One that filters, scores and, where it has a verb for it, binds. */
    static Extender advising(String bindVerb) {
        return of("filter", "prioritize", 1, bindVerb);
    }

    static Extender onlyBinding() {
        return of("", "", 0, "bind");
    }

    private static Extender of(String filterVerb, String prioritizeVerb, long weight, String bindVerb) {
        return new Extender(
                "http://gpus",
                filterVerb,
                "",
                prioritizeVerb,
                weight,
                bindVerb,
                false,
                Optional.empty(),
                Duration.ofSeconds(5),
                true,
                List.of(new Extender.ManagedResource(GPU, false)),
                false);
    }
}
