package io.evenkeel.tools.simulate;

import com.google.gson.JsonParser;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PriorityClass;
import io.evenkeel.model.read.ObjectReader;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;

/** The pods that simulate makes of manifests. */
public final class ExpandedPods {
    private ExpandedPods() {}

    public static List<Pod> of(Collection<String> manifests, Collection<PriorityClass> classes) {
        Expansions expansions = new Expansions(new ObjectReader(), classes, List.of(), _ -> {});
        return manifests.stream()
                .map(text -> new Manifest(
                        "test", "default", JsonParser.parseString(text).getAsJsonObject()))
                .flatMap(manifest -> expansions.expand(manifest, OptionalInt.empty()).pods().stream())
                .toList();
    }
}
