package io.evenkeel.framework.why;

import io.evenkeel.model.Pod;
import io.evenkeel.model.Taint;
import io.evenkeel.model.Toleration;
import io.evenkeel.model.build.PodBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A toleration of just this taint. */
public record Tolerated(Taint taint) implements PodChange {
    @Override
    public Kind kind() {
        return Kind.TOLERATION;
    }

    @Override
    public String text() {
        return "toleration of taint " + taint.text();
    }

    /** Returns the toleration that is added to the pod's own. */
    public Toleration toleration() {
        boolean hasValue = !taint.value().isEmpty();
        return new Toleration(
                taint.key(),
                hasValue ? Toleration.Operator.EQUAL : Toleration.Operator.EXISTS,
                taint.value(),
                Optional.of(taint.effect()));
    }

    @Override
    public Pod applied(Pod pod) {
        return PodBuilder.from(pod).toleration(toleration()).build();
    }

    @Override
    public List<PatchOperation> patch(Pod before) {
        Toleration toleration = toleration();
        Map<String, Object> written = new LinkedHashMap<>();
        written.put("key", taint.key());
        written.put("operator", toleration.operator().apiName());
        if (!taint.value().isEmpty()) {
            written.put("value", taint.value());
        }
        written.put("effect", taint.effect().apiName());
        return List.of(
                before.spec().tolerations().isEmpty()
                        ? PatchOperation.add("/spec/tolerations", List.of(written))
                        : PatchOperation.add("/spec/tolerations/-", written));
    }
}
