package io.evenkeel.framework.why;

import io.evenkeel.cluster.shape.LoweredRequests;
import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.model.Container;
import io.evenkeel.model.Pod;
import io.evenkeel.model.value.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Less of a resource that the pod asks for, taken from its containers as {@link LoweredRequests} has it.
 *
 * @param pod as it asks now
 * @param asked how much it asks for in all, cpu in thousandths
 * @param less how much is taken from that
 */
public record LessAsked(Pod pod, String resource, long asked, long less) implements PodChange, Sized {

    /** Empty where the pod cannot do with so much less. */
    public static Optional<LessAsked> of(Pod pod, String resource, long less) {
        long asked = LoweredRequests.asked(pod, resource);
        return LoweredRequests.to(pod, resource, asked - less).map(_ -> new LessAsked(pod, resource, asked, less));
    }

    @Override
    public Kind kind() {
        return Kind.REQUEST;
    }

    @Override
    public String text() {
        return written(less) + " less " + resource + " asked for (" + written(asked - less) + " instead of "
                + written(asked) + ")" + byWhom();
    }

    /** Where there are several containers. */
    private String byWhom() {
        if (pod.spec().containers().size() + pod.spec().initContainers().size() == 1) {
            return "";
        }
        List<String> parts = new ArrayList<>();
        lowered(
                pod,
                applied(pod),
                (path, pair) -> parts.add((path.startsWith("/spec/init") ? "init container " : "container ")
                        + pair.getFirst().name() + " (" + amount(pair.getLast()) + " instead of "
                        + amount(pair.getFirst()) + ")"));
        return parts.isEmpty() ? "" : ", by " + String.join(" and ", parts);
    }

    private String written(long amount) {
        return ResourceNames.text(resource, amount);
    }

    private Quantity amount(Container container) {
        return container.requests().getOrDefault(resource, Quantity.ZERO);
    }

    @Override
    public long size() {
        return less;
    }

    /** As near to it as can be. */
    @Override
    public Change ofSize(long size) {
        long can = 0;
        long cannot = Math.min(size, asked) + 1;
        for (long next = cannot - 1; cannot - can > 1; next = can + (cannot - can) / 2) {
            if (LoweredRequests.to(pod, resource, asked - next).isPresent()) {
                can = next;
            } else {
                cannot = next;
            }
        }
        return new LessAsked(pod, resource, asked, Math.max(1, can));
    }

    @Override
    public Pod applied(Pod before) {
        return LoweredRequests.to(before, resource, asked - less).orElse(before);
    }

    @Override
    public List<PatchOperation> patch(Pod before) {
        Pod after = applied(before);
        List<PatchOperation> operations = new ArrayList<>();
        String name = PatchOperation.escaped(resource);
        if (!after.spec().podRequests().equals(before.spec().podRequests())) {
            after.spec()
                    .podRequests()
                    .ifPresent(requests -> operations.add(PatchOperation.add(
                            "/spec/resources/requests/" + name,
                            requests.getOrDefault(resource, Quantity.ZERO).toString())));
        }
        lowered(before, after, (path, pair) -> {
            String amount = amount(pair.getLast()).toString();
            operations.add(PatchOperation.add(path + "/resources/requests/" + name, amount));
            if (!pair.getLast().limits().equals(pair.getFirst().limits())) {
                operations.add(PatchOperation.add(path + "/resources/limits/" + name, amount));
            }
        });
        return List.copyOf(operations);
    }

    /** Tells each container that is changed: where it is, and what it was and is. */
    private static void lowered(Pod before, Pod after, BiConsumer<String, List<Container>> changed) {
        lowered("/spec/containers/", before.spec().containers(), after.spec().containers(), changed);
        lowered(
                "/spec/initContainers/",
                before.spec().initContainers(),
                after.spec().initContainers(),
                changed);
    }

    private static void lowered(
            String path, List<Container> before, List<Container> after, BiConsumer<String, List<Container>> changed) {
        for (int i = 0; i < before.size(); i++) {
            if (!before.get(i).equals(after.get(i))) {
                changed.accept(path + i, List.of(before.get(i), after.get(i)));
            }
        }
    }
}
