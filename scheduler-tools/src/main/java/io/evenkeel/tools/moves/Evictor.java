package io.evenkeel.tools.moves;

import com.google.gson.JsonObject;
import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.model.Pod;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.write.Tree;
import io.evenkeel.whatif.moves.MoveRun.EvictionAnswer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has pods go from their nodes, so that their disruption budgets are asked. */
interface Evictor {

    EvictionAnswer evict(Pod pod);

    /** The pod need not go any more, or has gone. */
    default void withdraw(Pod pod) {}

    /** Asks again for what could not be withdrawn; at the beginning, withdraws what others have left behind. */
    default void tidy() {}

    /** By the Eviction API. */
    record ByApi(ApiTransport transport) implements Evictor {
        @Override
        public EvictionAnswer evict(Pod pod) {
            Tree eviction = new Tree()
                    .put("apiVersion", "policy/v1")
                    .put("kind", "Eviction")
                    .put("metadata", new Tree().put("name", pod.name()).put("namespace", pod.namespace()))
                    .put(
                            "deleteOptions",
                            new Tree()
                                    .put(
                                            "preconditions",
                                            new Tree().put("uid", pod.meta().uid())));
            ApiCall call =
                    ApiCall.send("POST", Kinds.POD.path(pod.meta()) + "/eviction", "application/json", eviction.json());
            try {
                Answered answer = Answered.write(transport, call);
                if (answer.isSuccess()) {
                    return new EvictionAnswer.Accepted();
                }
                return answer.isPodGone() ? new EvictionAnswer.Gone() : refusal(answer);
            } catch (IOException noAnswer) {
                return noAnswer(noAnswer);
            }
        }
    }

    private static EvictionAnswer refusal(Answered answer) {
        String why = answer.code() + " " + answer.status().explanation();
        return answer.mayPass() ? new EvictionAnswer.NotNow(why, answer.retryAfter()) : new EvictionAnswer.Never(why);
    }

    private static EvictionAnswer noAnswer(IOException why) {
        return new EvictionAnswer.NotNow("no answer: " + why, Optional.empty());
    }

    /**
     * By EvictionRequests (lifecycle.k8s.io/v1alpha1, from Kubernetes 1.37 on): whoever looks after the pod, by its
     * {@code evictionResponders}, has it go in its own way; the last of them is the Eviction API. Where the API server has no such kind,
     * by that at once.
     *
     * <pre>
     *   evict       there is none          it is made          asked
     *               it is there            nothing             not yet; let go; or, where all have failed, never
     *   withdraw    it is there            it is deleted       until the server has heard it
     *   tidy        at the beginning       all of this requester are deleted: who made them moves nothing any more
     * </pre>
     */
    final class ByRequests implements Evictor {
        static final String REQUESTER = "evenkeel.io/rebalance";

        private static final Logger log = LoggerFactory.getLogger(ByRequests.class);
        private static final String VERSION = "/apis/lifecycle.k8s.io/v1alpha1";
        private static final String RESOURCE = "evictionrequests";
        /** A label of those that are made here. */
        private static final String LABEL = "evenkeel.io/rebalance";

        private final ApiTransport transport;
        private final BooleanSupplier mayWrite;
        private final Evictor otherwise;
        private final Map<String, Pod> made = new LinkedHashMap<>();
        private final List<String> toDelete = new ArrayList<>();
        private boolean isTidy;
        private Optional<Boolean> served = Optional.empty();

        ByRequests(ApiTransport transport, BooleanSupplier mayWrite) {
            this.transport = transport;
            this.mayWrite = mayWrite;
            otherwise = new ByApi(transport);
        }

        @Override
        public EvictionAnswer evict(Pod pod) {
            try {
                if (!isServed()) {
                    return otherwise.evict(pod);
                }
                return made.containsKey(pod.meta().uid()) ? state(pod) : request(pod);
            } catch (IOException noAnswer) {
                return noAnswer(noAnswer);
            }
        }

        private boolean isServed() throws IOException {
            if (served.isEmpty()) {
                Answered answer = Answered.whole(transport, ApiCall.get(VERSION));
                if (!answer.isSuccess() && answer.code() != 404) {
                    throw new IOException(answer.code() + " " + answer.status().explanation());
                }
                boolean has = answer.isSuccess()
                        && Trees.objects(tree(answer), "resources").stream()
                                .anyMatch(
                                        resource -> Trees.text(resource, "name").equals(RESOURCE));
                if (!has) {
                    log.info("The API server has no EvictionRequests, pods are evicted by the Eviction API");
                }
                served = Optional.of(has);
            }
            return served.get();
        }

        private static JsonObject tree(Answered answer) {
            return Trees.parse(new String(answer.body(), StandardCharsets.UTF_8));
        }

        private static String all(String namespace) {
            return VERSION + "/namespaces/" + namespace + "/" + RESOURCE;
        }

        private static String nameFor(Pod pod) {
            return "evenkeel-" + pod.meta().uid();
        }

        private static String pathFor(Pod pod) {
            return all(pod.namespace()) + "/" + nameFor(pod);
        }

        private EvictionAnswer request(Pod pod) throws IOException {
            Tree named =
                    new Tree().put("name", pod.name()).put("uid", pod.meta().uid());
            Tree request = new Tree()
                    .put("apiVersion", "lifecycle.k8s.io/v1alpha1")
                    .put("kind", "EvictionRequest")
                    .put(
                            "metadata",
                            new Tree()
                                    .put("name", nameFor(pod))
                                    .put("namespace", pod.namespace())
                                    .put("labels", new Tree().put(LABEL, "true"))
                                    .put(
                                            "ownerReferences",
                                            List.of(new Tree()
                                                    .put("apiVersion", "v1")
                                                    .put("kind", "Pod")
                                                    .put("name", pod.name())
                                                    .put("uid", pod.meta().uid()))))
                    .put(
                            "spec",
                            new Tree()
                                    .put("requester", REQUESTER)
                                    .put("intent", "Eviction")
                                    .put("target", new Tree().put("pod", named)));
            // it may have been made, whatever is heard of it
            made.put(pod.meta().uid(), pod);
            Answered answer = Answered.write(
                    transport, ApiCall.send("POST", all(pod.namespace()), "application/json", request.json()));
            if (answer.isSuccess() || answer.code() == 409) {
                return new EvictionAnswer.Asked();
            }
            if (!answer.mayPass()) {
                made.remove(pod.meta().uid());
            }
            return refusal(answer);
        }

        private EvictionAnswer state(Pod pod) throws IOException {
            Answered answer = Answered.whole(transport, ApiCall.get(pathFor(pod)));
            if (answer.code() == 404) {
                made.remove(pod.meta().uid());
                return new EvictionAnswer.NotNow("its EvictionRequest is gone", Optional.empty());
            }
            if (!answer.isSuccess()) {
                return refusal(answer);
            }
            for (JsonObject condition : Trees.objects(tree(answer), "status", "conditions")) {
                boolean holds = Trees.text(condition, "status").equals("True");
                if (holds && Trees.text(condition, "type").equals("TargetEvicted")) {
                    return new EvictionAnswer.Gone();
                }
                if (holds && Trees.text(condition, "type").equals("Failed")) {
                    return new EvictionAnswer.Never("its EvictionRequest has failed: " + Trees.text(condition, "reason")
                            + " " + Trees.text(condition, "message"));
                }
            }
            return new EvictionAnswer.NotNow("its EvictionRequest is not met yet", Optional.empty());
        }

        @Override
        public void withdraw(Pod pod) {
            if (made.remove(pod.meta().uid()) != null) {
                toDelete.add(pathFor(pod));
                tidy();
            }
        }

        @Override
        public void tidy() {
            if (!mayWrite.getAsBoolean()) {
                // who leads next does so
                isTidy = false;
                toDelete.clear();
                return;
            }
            try {
                if (!isTidy && isServed()) {
                    findLeftBehind();
                }
                isTidy = true;
                while (!toDelete.isEmpty()) {
                    Answered answer = Answered.write(transport, delete(toDelete.getFirst()));
                    if (answer.mayPass()) {
                        return;
                    }
                    toDelete.removeFirst();
                }
            } catch (IOException again) {
                log.debug("EvictionRequests are withdrawn later", again);
            }
        }

        private static ApiCall delete(String path) {
            return new ApiCall("DELETE", path, Map.of("Accept", "application/json"), Optional.empty());
        }

        private void findLeftBehind() throws IOException {
            Answered answer = Answered.whole(
                    transport, ApiCall.get(VERSION + "/" + RESOURCE + "?labelSelector=evenkeel.io%2Frebalance%3Dtrue"));
            if (!answer.isSuccess()) {
                throw new IOException(answer.code() + " " + answer.status().explanation());
            }
            Set<String> mine = made.values().stream().map(ByRequests::pathFor).collect(Collectors.toSet());
            Trees.objects(tree(answer), "items").stream()
                    .map(left ->
                            all(Trees.text(left, "metadata", "namespace")) + "/" + Trees.text(left, "metadata", "name"))
                    .filter(path -> !mine.contains(path) && !toDelete.contains(path))
                    .forEach(toDelete::add);
        }
    }
}
