package io.evenkeel.tools.simulate.workload;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Of several manifests of one object the last, as it is what the object is once all have been applied. */
public final class LastManifests {
    private LastManifests() {}

    private record Identity(String group, String kind, String namespace, String name) {}

    /**
     * Returns the manifests that count, in their order.
     *
     * @param remarks is told which do not
     */
    public static List<Manifest> of(List<Manifest> all, Consumer<String> remarks) {
        Map<Object, Manifest> last = new LinkedHashMap<>();
        for (Manifest manifest : all) {
            // a manifest without a name is an object of its own each time
            Object identity = manifest.name().isEmpty() ? new Object() : identity(manifest);
            Manifest before = last.remove(identity);
            last.put(identity, manifest);
            if (before != null) {
                remarks.accept(before.title() + " is given twice, and the one " + where(before, manifest) + " counts");
            }
        }
        return List.copyOf(last.values());
    }

    private static String where(Manifest before, Manifest later) {
        return before.source().equals(later.source()) ? "further down" : "of " + later.source();
    }

    private static Identity identity(Manifest manifest) {
        String version = manifest.apiVersion();
        int slash = version.indexOf('/');
        return new Identity(
                slash < 0 ? "" : version.substring(0, slash),
                manifest.kind(),
                manifest.namespaceNamed(),
                manifest.name());
    }
}
