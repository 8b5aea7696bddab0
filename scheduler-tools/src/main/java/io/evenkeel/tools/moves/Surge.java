package io.evenkeel.tools.moves;

import com.google.gson.JsonObject;
import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.write.Tree;
import io.evenkeel.whatif.moves.MoveRun.EvictionAnswer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the successor of a Deployment's pod come first: the Deployment has a pod more for a while. That it has stands on it, written by the
 * very patch that scales it, so whoever leads next takes it back; and each patch says which version of the Deployment it is about, so none
 * undoes what another has done.
 *
 * <pre>
 *   evict, at first       the Deployment is at rest, nobody else scales it     replicas + 1, and a note    asked
 *                         else                                                 in another way
 *   evict again           the successor is ready                               the pod is the first to go, replicas as in the note
 *   withdraw, or sweep    there is a note, and as many replicas as it led to   replicas as in the note, and no note
 *                         there is a note, and others have scaled since        no note
 * </pre>
 */
final class Surge implements Evictor {
    private static final Logger log = LoggerFactory.getLogger(Surge.class);
    private static final String DEPLOYMENTS = "/apis/apps/v1/";
    /** The label of Deployments with a note, and the note: an annotation with the replicas before, and the UID of the pod that is to go. */
    private static final String NOTE = "evenkeel.io/surge";

    /** Who keeps what a Deployment is like as it is written elsewhere, with its replicas. */
    private static final List<String> KEEPERS =
            List.of("argocd.argoproj.io/", "kustomize.toolkit.fluxcd.io/", "helm.toolkit.fluxcd.io/");

    private static final Tree.Raw NOTHING = new Tree.Raw("null");
    private static final String MERGE_PATCH = "application/merge-patch+json";

    private final ApiTransport transport;
    private final Function<Pod, Optional<OwnerReference>> deployments;
    private final Evictor otherwise;
    /** The paths of Deployments, by the UIDs of the pods that are to go. */
    private final Map<String, String> surging = new HashMap<>();

    /** The UIDs of those that were said to go first. */
    private final Set<String> marked = new HashSet<>();

    /** The paths of Deployments that are to have no note any more. */
    private final Set<String> toEnd = new LinkedHashSet<>();

    /** @param deployments whose pod it is, if it is a Deployment's */
    Surge(ApiTransport transport, Function<Pod, Optional<OwnerReference>> deployments, Evictor otherwise) {
        this.transport = transport;
        this.deployments = deployments;
        this.otherwise = otherwise;
    }

    @Override
    public EvictionAnswer evict(Pod pod, boolean hasSuccessor) {
        try {
            String path = surging.get(pod.meta().uid());
            if (path != null) {
                return hasSuccessor
                        ? shrink(pod, path)
                        : new EvictionAnswer.NotNow("its successor is not ready yet", Optional.empty());
            }
            Optional<OwnerReference> deployment =
                    deployments.apply(pod).filter(owner -> owner.kind().equals("Deployment"));
            return deployment.isPresent()
                    ? grow(pod, deployment.get(), hasSuccessor)
                    : otherwise.evict(pod, hasSuccessor);
        } catch (IOException noAnswer) {
            return Evictor.noAnswer(noAnswer);
        }
    }

    private EvictionAnswer grow(Pod pod, OwnerReference deployment, boolean hasSuccessor) throws IOException {
        String path = DEPLOYMENTS + "namespaces/" + pod.namespace() + "/deployments/" + deployment.name();
        Answered answer = Answered.whole(transport, ApiCall.get(path));
        if (!answer.isSuccess()) {
            return Evictor.refusal(answer);
        }
        JsonObject tree = Evictor.tree(answer);
        Optional<String> objection = objection(tree, deployment).or(() -> scaler(pod.namespace(), deployment));
        if (objection.isPresent()) {
            log.atDebug()
                    .setMessage("No surge for a pod")
                    .addKeyValue("pod", pod.key())
                    .addKeyValue("why", objection.get())
                    .log();
            return otherwise.evict(pod, hasSuccessor);
        }
        long replicas = replicas(tree);
        // it may have been done, whatever is heard of it
        surging.put(pod.meta().uid(), path);
        toEnd.remove(path);
        Answered patched =
                patch(path, tree, Optional.of(replicas + " " + pod.meta().uid()), replicas + 1);
        if (patched.isSuccess()) {
            return new EvictionAnswer.Asked();
        }
        if (!patched.isUnclear()) {
            surging.remove(pod.meta().uid());
        }
        return patched.code() == 409
                ? new EvictionAnswer.NotNow("Deployment " + deployment.name() + " has changed", Optional.empty())
                : Evictor.refusal(patched);
    }

    /** Why the Deployment is not to have a pod more now. */
    private static Optional<String> objection(JsonObject deployment, OwnerReference known) {
        long replicas = replicas(deployment);
        boolean isAtRest = Stream.of("replicas", "updatedReplicas", "availableReplicas")
                        .allMatch(count ->
                                Trees.number(deployment, "status", count).orElse(0L) == replicas)
                && Trees.number(deployment, "status", "observedGeneration")
                        .equals(Trees.number(deployment, "metadata", "generation"));
        boolean isKept = Stream.of("labels", "annotations")
                .flatMap(part -> Trees.object(deployment, "metadata", part).stream())
                .flatMap(names -> names.keySet().stream())
                .anyMatch(name -> KEEPERS.stream().anyMatch(name::startsWith));
        if (!Trees.text(deployment, "metadata", "uid").equals(known.uid())) {
            return Optional.of("Deployment " + known.name() + " is another");
        }
        if (isKept) {
            return Optional.of("Deployment " + known.name() + " is kept as it is written elsewhere");
        }
        return isAtRest && note(deployment).isEmpty()
                ? Optional.empty()
                : Optional.of("Deployment " + known.name() + " is not at rest");
    }

    /** Who scales the Deployment, so that nobody else should; also where nobody may say. */
    private Optional<String> scaler(String namespace, OwnerReference deployment) {
        try {
            Answered answer = Answered.whole(
                    transport,
                    ApiCall.get("/apis/autoscaling/v2/namespaces/" + namespace + "/horizontalpodautoscalers"));
            if (answer.leadsNowhere()) {
                return Optional.empty();
            }
            if (!answer.isSuccess()) {
                return Optional.of("who scales Deployment " + deployment.name() + " is not known: " + answer.code());
            }
            return Trees.objects(Evictor.tree(answer), "items").stream()
                    .filter(each ->
                            Trees.text(each, "spec", "scaleTargetRef", "kind").equals("Deployment")
                                    && Trees.text(each, "spec", "scaleTargetRef", "name")
                                            .equals(deployment.name()))
                    .map(each -> "HorizontalPodAutoscaler " + Trees.text(each, "metadata", "name") + " scales it")
                    .findFirst();
        } catch (IOException noAnswer) {
            return Optional.of("who scales Deployment " + deployment.name() + " is not known: " + noAnswer);
        }
    }

    private static long replicas(JsonObject deployment) {
        return Trees.number(deployment, "spec", "replicas").orElse(1L);
    }

    private static String note(JsonObject deployment) {
        return Trees.text(deployment, "metadata", "annotations", NOTE);
    }

    /** @param note what it says from now on, nothing where it is to have none */
    private Answered patch(String path, JsonObject seen, Optional<String> note, long replicas) throws IOException {
        Tree metadata = new Tree()
                .put("resourceVersion", Trees.text(seen, "metadata", "resourceVersion"))
                .put(
                        "labels",
                        new Tree().put(NOTE, note.<Object>map(_ -> "true").orElse(NOTHING)))
                .put(
                        "annotations",
                        new Tree().put(NOTE, note.<Object>map(text -> text).orElse(NOTHING)));
        Tree patch = new Tree().put("metadata", metadata).put("spec", new Tree().put("replicas", replicas));
        return Answered.write(transport, ApiCall.send("PATCH", path, MERGE_PATCH, patch.json()));
    }

    /** @param cost what it says from now on of when it goes, if there is one less */
    private Answered mark(Pod pod, Object cost) throws IOException {
        Tree metadata = new Tree()
                .put("uid", pod.meta().uid())
                .put("annotations", new Tree().put(Annotations.DELETION_COST, cost));
        return Answered.write(
                transport,
                ApiCall.send(
                        "PATCH",
                        Kinds.POD.path(pod.meta()),
                        MERGE_PATCH,
                        new Tree().put("metadata", metadata).json()));
    }

    /** The successor is ready: with one less the pod is the first to go. */
    private EvictionAnswer shrink(Pod pod, String path) throws IOException {
        marked.add(pod.meta().uid());
        Answered answer = mark(pod, Integer.toString(Integer.MIN_VALUE));
        if (answer.isPodGone()) {
            return new EvictionAnswer.Gone();
        }
        if (!answer.isSuccess()) {
            return Evictor.refusal(answer);
        }
        if (!hasEnded(path)) {
            return new EvictionAnswer.NotNow("its Deployment has changed", Optional.empty());
        }
        surging.remove(pod.meta().uid());
        return new EvictionAnswer.Accepted();
    }

    /** Whether the Deployment has no note any more, and the replicas that it had before; unless others have scaled it since. */
    private boolean hasEnded(String path) throws IOException {
        Answered answer = Answered.whole(transport, ApiCall.get(path));
        if (answer.code() == 404) {
            return true;
        }
        if (!answer.isSuccess()) {
            return false;
        }
        JsonObject deployment = Evictor.tree(answer);
        String note = note(deployment);
        if (note.isEmpty()) {
            return true;
        }
        long replicas = replicas(deployment);
        boolean isAsLeft = note.startsWith((replicas - 1) + " ");
        return patch(path, deployment, Optional.empty(), isAsLeft ? replicas - 1 : replicas)
                .isSuccess();
    }

    @Override
    public void withdraw(Pod pod) {
        String path = surging.remove(pod.meta().uid());
        boolean isFirst = marked.remove(pod.meta().uid());
        if (path != null) {
            toEnd.add(path);
            if (isFirst) {
                stays(pod);
            }
        }
        otherwise.withdraw(pod);
        tidy();
    }

    /** It is not to go any more; best effort, as it would go first only where there is to be one less. */
    private void stays(Pod pod) {
        try {
            mark(pod, NOTHING);
        } catch (IOException unheard) {
            log.debug("A pod stays the first to go", unheard);
        }
    }

    @Override
    public void tidy() {
        for (String path : List.copyOf(toEnd)) {
            try {
                if (hasEnded(path)) {
                    toEnd.remove(path);
                }
            } catch (IOException again) {
                log.debug("What was asked for is withdrawn later", again);
            }
        }
        otherwise.tidy();
    }

    @Override
    public boolean sweep() {
        List<String> left = new ArrayList<>();
        try {
            Answered answer = Answered.whole(
                    transport, ApiCall.get(DEPLOYMENTS + "deployments?labelSelector=evenkeel.io%2Fsurge%3Dtrue"));
            if (!answer.isSuccess()) {
                return false;
            }
            for (JsonObject deployment : Trees.objects(Evictor.tree(answer), "items")) {
                left.add(DEPLOYMENTS + "namespaces/" + Trees.text(deployment, "metadata", "namespace") + "/deployments/"
                        + Trees.text(deployment, "metadata", "name"));
            }
        } catch (IOException again) {
            return false;
        }
        left.removeAll(surging.values());
        toEnd.addAll(left);
        tidy();
        return otherwise.sweep();
    }

    @Override
    public void forget() {
        surging.clear();
        marked.clear();
        toEnd.clear();
        otherwise.forget();
    }
}
