package io.evenkeel.e2e.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.e2e.scene.Scene;
import io.evenkeel.hollow.RequestLog.LoggedRequest;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The bindings that a hollow server has granted to pods of a scene; no pod's name is used twice there. */
public final class BindingLog {
    private static final int CREATED = 201;
    private static final int CONFLICT = 409;

    private BindingLog() {}

    /** How often a binding was granted, by pod. */
    public static Map<String, Long> granted(Scene scene) {
        return answers(scene, code -> code == CREATED);
    }

    /** How often one was refused, whatever for. */
    public static Map<String, Long> refused(Scene scene) {
        return answers(scene, code -> code != CREATED);
    }

    /** Each of these pods, once. */
    public static void assertBoundOnce(Scene scene, int pods) {
        assertThat(granted(scene)).hasSize(pods);
        assertNothingBoundTwice(scene);
    }

    /** The server grants no second binding, so nobody must have asked for one either. */
    public static void assertNothingBoundTwice(Scene scene) {
        assertThat(granted(scene).values()).as("bindings granted to one pod").allMatch(count -> count == 1);
        assertThat(answers(scene, code -> code == CONFLICT))
                .as("bindings of pods that were bound")
                .isEmpty();
    }

    /** The protocols that bindings were sent by, such as {@code HTTP/2.0}. */
    public static Set<String> protocols(Scene scene) {
        return bindings(scene).map(LoggedRequest::protocol).collect(Collectors.toSet());
    }

    private static Map<String, Long> answers(Scene scene, IntPredicate code) {
        return bindings(scene)
                .filter(request -> code.test(request.code()))
                .collect(Collectors.groupingBy(request -> request.attributes().name(), Collectors.counting()));
    }

    private static Stream<LoggedRequest> bindings(Scene scene) {
        return scene.hollow().requestLog().requests().stream()
                .filter(request -> request.attributes().resourcePath().equals("pods/binding"))
                .filter(request -> request.attributes().namespace().equals(scene.namespace()));
    }
}
