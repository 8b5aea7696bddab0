package io.evenkeel.framework.why;

import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.value.Labels;
import java.util.List;
import java.util.Map;

/** A label no longer asked for by the pod's nodeSelector. */
public record NodeSelectorDropped(String key, String value) implements PodChange {
    @Override
    public Kind kind() {
        return Kind.NODE_SELECTOR;
    }

    @Override
    public String text() {
        return "nodeSelector without " + key + "=" + value;
    }

    @Override
    public Pod applied(Pod pod) {
        Map<String, String> rest = pod.spec().nodeSelector().asMap();
        rest.remove(key);
        return PodBuilder.from(pod).nodeSelector(Labels.of(rest)).build();
    }

    @Override
    public List<PatchOperation> patch(Pod before) {
        return List.of(PatchOperation.remove("/spec/nodeSelector/" + PatchOperation.escaped(key)));
    }
}
