package io.evenkeel.kube.watch;

import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.NoAnswer;
import io.evenkeel.kube.watch.Decoder.ListPage;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * All objects of some kinds, listed once.
 *
 * @param objects in the order of the kinds; without pods that have finished
 * @param failed by kind: why it could not be listed
 * @param unreadable by kind: why some objects of it are left out
 */
public record ClusterList(
        List<KubernetesObject> objects, Map<String, String> failed, Map<String, List<String>> unreadable) {

    /** @param unanswered whether nothing of an answer came */
    private record Listed(
            List<KubernetesObject> objects, List<String> unreadable, Optional<String> failed, boolean unanswered) {}

    /** Lists all kinds: the first, then all others at the same time, unless the server gave no answer. */
    public static ClusterList of(Collection<? extends Kind<?>> kinds, ApiTransport transport)
            throws InterruptedException {
        ObjectReader reader = new ObjectReader(Kinds.of(kinds));
        List<KubernetesObject> objects = new ArrayList<>();
        Map<String, String> failed = new LinkedHashMap<>();
        Map<String, List<String>> unreadable = new LinkedHashMap<>();
        try (ExecutorService lists = Executors.newVirtualThreadPerTaskExecutor()) {
            Map<String, Future<Listed>> begun = new LinkedHashMap<>();
            Optional<Future<Listed>> unanswered = Optional.empty();
            for (Kind<?> kind : kinds) {
                Future<Listed> listed = unanswered.orElseGet(() -> lists.submit(() -> list(kind, transport, reader)));
                // or each would agree on keys with the server, before one connection does for all
                if (begun.isEmpty() && listed.get().unanswered) {
                    unanswered = Optional.of(listed);
                }
                begun.put(kind.name(), listed);
            }
            for (Map.Entry<String, Future<Listed>> each : begun.entrySet()) {
                Listed listed = each.getValue().get();
                objects.addAll(listed.objects);
                listed.failed.ifPresent(why -> failed.put(each.getKey(), why));
                if (!listed.unreadable.isEmpty()) {
                    unreadable.put(each.getKey(), listed.unreadable);
                }
            }
        } catch (ExecutionException fault) {
            throw new IllegalStateException(fault.getCause());
        }
        return new ClusterList(List.copyOf(objects), failed, unreadable);
    }

    /** In the newest version in which the server has it. */
    private static Listed list(Kind<?> kind, ApiTransport transport, ObjectReader reader) {
        for (Kind<?> version : kind.versions()) {
            Optional<Listed> listed = listIfServed(version, transport, reader);
            if (listed.isPresent()) {
                return listed.get();
            }
        }
        return new Listed(List.of(), List.of(), Optional.empty(), false);
    }

    /** Empty where the server has no such kind, which it need not. */
    private static Optional<Listed> listIfServed(Kind<?> kind, ApiTransport transport, ObjectReader reader) {
        List<KubernetesObject> objects = new ArrayList<>();
        List<String> unreadable = new ArrayList<>();
        WatchQueries queries = new WatchQueries(kind, () -> 0);
        Connection connection = new Connection(transport, new WatchGauge(kind.name()));
        Decoder decoder = new Decoder(kind, reader);
        Optional<String> failed = Optional.empty();
        boolean unanswered = false;
        try {
            ListPage page = new ListPage("", "");
            do {
                page = connection.ask(
                        queries.page(Watch.WHATEVER_IS_CACHED, page.continueToken()),
                        answer -> decoder.page(answer, item -> take(item, objects, unreadable)));
            } while (!page.continueToken().isEmpty());
        } catch (RefusedException refusal) {
            if (kind.optional() && refusal.isOfNothing()) {
                return Optional.empty();
            }
            failed = Optional.of(String.valueOf(refusal.getMessage()));
        } catch (IOException cut) {
            failed = Optional.of(NoAnswer.why(cut));
            unanswered = objects.isEmpty();
        }
        return Optional.of(new Listed(objects, unreadable, failed, unanswered));
    }

    private static void take(WatchEvent item, List<KubernetesObject> objects, List<String> unreadable) {
        switch (item) {
            case WatchEvent.Put(var object) -> objects.add(object);
            case WatchEvent.Illegible illegible -> unreadable.add(illegible.reason());
            default -> throw new IllegalStateException("no item of a list: " + item);
        }
    }
}
