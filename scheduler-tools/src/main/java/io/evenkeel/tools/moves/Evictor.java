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
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has pods go from their nodes, so that their disruption budgets are asked. */
interface Evictor {

    /** @param hasSuccessor whether another runs where its successor is to be */
    EvictionAnswer evict(Pod pod, boolean hasSuccessor);

    /** The pod need not go any more, or has gone. */
    default void withdraw(Pod pod) {}

    /** Asks again for what could not be withdrawn. */
    default void tidy() {}

    /**
     * Withdraws what was left behind by who moves nothing any more.
     *
     * @return whether the server has told what there is
     */
    default boolean sweep() {
        return true;
    }

    /** Whoever leads now sweeps. */
    default void forget() {}

    static EvictionAnswer refusal(Answered answer) {
        String why = answer.code() + " " + answer.status().explanation();
        return answer.mayPass() ? new EvictionAnswer.NotNow(why, answer.retryAfter()) : new EvictionAnswer.Never(why);
    }

    static EvictionAnswer noAnswer(IOException why) {
        return new EvictionAnswer.NotNow("no answer: " + why, Optional.empty());
    }

    static JsonObject tree(Answered answer) {
        return Trees.parse(new String(answer.body(), StandardCharsets.UTF_8));
    }

    /** By the Eviction API. */
    record ByApi(ApiTransport transport) implements Evictor {
        @Override
        public EvictionAnswer evict(Pod pod, boolean hasSuccessor) {
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

    /**
     * By EvictionRequests (lifecycle.k8s.io/v1alpha1, from Kubernetes 1.37 on): whoever looks after the pod, by its
     * {@code evictionResponders}, has it go in its own way; the last of them is the Eviction API. Where the API server has no such kind,
     * in another way.
     *
     * <pre>
     *   evict       there is none          it is made          asked
     *               it is there            nothing             not yet; let go; or, where it is none that can be met, never
     *   withdraw    it is there            it is deleted       until the server has heard it
     *   sweep       there are others       they are deleted
     * </pre>
     */
    final class ByRequests implements Evictor {
        private static final Logger log = LoggerFactory.getLogger(ByRequests.class);
        private static final String VERSION = "/apis/lifecycle.k8s.io/v1alpha1";
        private static final String RESOURCE = "evictionrequests";
        /** Who asks; and the label of what is made here. */
        private static final String REQUESTER = "evenkeel.io/rebalance";
        /** The one reason for which a request has failed for good: of the others its controller begins anew as long as somebody asks. */
        private static final String INVALID = "EvictionInvalid";

        private final ApiTransport transport;
        private final Evictor otherwise;
        private final Map<String, Pod> made = new LinkedHashMap<>();
        private final Set<String> toDelete = new LinkedHashSet<>();
        private Optional<Boolean> served = Optional.empty();

        ByRequests(ApiTransport transport, Evictor otherwise) {
            this.transport = transport;
            this.otherwise = otherwise;
        }

        @Override
        public EvictionAnswer evict(Pod pod, boolean hasSuccessor) {
            try {
                if (!isServed()) {
                    return otherwise.evict(pod, hasSuccessor);
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
                                    .put("labels", new Tree().put(REQUESTER, "true"))
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
                    String reason = Trees.text(condition, "reason");
                    String why = "its EvictionRequest has failed: " + reason + " " + Trees.text(condition, "message");
                    return reason.equals(INVALID)
                            ? new EvictionAnswer.Never(why)
                            : new EvictionAnswer.NotNow(why, Optional.empty());
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
            try {
                for (String path : List.copyOf(toDelete)) {
                    ApiCall delete =
                            new ApiCall("DELETE", path, Map.of("Accept", "application/json"), Optional.empty());
                    if (!Answered.write(transport, delete).mayPass()) {
                        toDelete.remove(path);
                    }
                }
            } catch (IOException again) {
                log.debug("What was asked for is withdrawn later", again);
            }
        }

        @Override
        public boolean sweep() {
            try {
                if (isServed()) {
                    Answered answer = Answered.whole(
                            transport,
                            ApiCall.get(VERSION + "/" + RESOURCE + "?labelSelector=evenkeel.io%2Frebalance%3Dtrue"));
                    if (!answer.isSuccess()) {
                        return false;
                    }
                    Set<String> mine =
                            made.values().stream().map(ByRequests::pathFor).collect(Collectors.toSet());
                    Trees.objects(tree(answer), "items").stream()
                            .map(left -> all(Trees.text(left, "metadata", "namespace")) + "/"
                                    + Trees.text(left, "metadata", "name"))
                            .filter(path -> !mine.contains(path))
                            .forEach(toDelete::add);
                    tidy();
                }
                return true;
            } catch (IOException again) {
                return false;
            }
        }

        @Override
        public void forget() {
            made.clear();
            toDelete.clear();
        }
    }
}
