package io.evenkeel.e2e.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.hollow.rest.LoggedRequest;
import io.evenkeel.e2e.scene.Scene;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The bindings that a hollow server has granted to pods of a scene; no pod's name is used twice there. */
final class BindingLog {
    private static final int CREATED = 201;

    private BindingLog() {}

    static Map<String, Long> granted(Scene scene) {
        return scene.hollow().requestLog().requests().stream()
                .filter(request -> request.code() == CREATED)
                .map(LoggedRequest::attributes)
                .filter(wanted -> wanted.resourcePath().equals("pods/binding"))
                .filter(wanted -> wanted.namespace().equals(scene.namespace()))
                .collect(Collectors.groupingBy(wanted -> wanted.name(), Collectors.counting()));
    }

    static void assertNothingBoundTwice(Scene scene) {
        assertThat(granted(scene).values()).as("bindings granted to one pod").allMatch(count -> count == 1);
    }

    /** Each of these pods, once. */
    static void assertBoundOnce(Scene scene, int pods) {
        assertThat(granted(scene)).hasSize(pods);
        assertNothingBoundTwice(scene);
    }

    static Map<String, Long> refused(Scene scene) {
        return scene.hollow().requestLog().requests().stream()
                .filter(request -> request.code() != CREATED)
                .map(LoggedRequest::attributes)
                .filter(wanted -> wanted.resourcePath().equals("pods/binding"))
                .filter(wanted -> wanted.namespace().equals(scene.namespace()))
                .map(wanted -> wanted.name())
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    }
}
