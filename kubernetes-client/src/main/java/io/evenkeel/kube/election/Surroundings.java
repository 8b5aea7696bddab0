package io.evenkeel.kube.election;

import java.time.InstantSource;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** An elector's time and chance, as tests want them otherwise. */
record Surroundings(LongSupplier nanos, InstantSource clock, RandomGenerator random, Sleeper sleeper, TimeLimit limit) {

    static Surroundings real() {
        return new Surroundings(
                System::nanoTime,
                InstantSource.system(),
                RandomGenerator.of("L64X128MixRandom"),
                Sleeper.light(),
                TimeLimit::onOwnThread);
    }
}
