package io.evenkeel.world.check;

import com.google.gson.JsonObject;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.CommandResult.BindFailure;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.model.Pod;
import io.evenkeel.model.json.Trees;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What the servers' log says of where pods are: each was put there by a replica that had decided just that of just this
 * pod, or by somebody else who may; and no replica is told that its binding failed which has come to pass.
 */
public final class Placements {
    private static final String BINDING = "/binding";
    private static final int MOST_BINDINGS = 4;

    private final Consumer<Violation> violations;
    private final boolean rebinds;
    private final Set<String> decided = new HashSet<>();
    private final Map<String, String> placed = new HashMap<>();
    private final Map<String, Integer> sent = new HashMap<>();
    private final Map<String, Integer> sentBefore = new HashMap<>();
    private final Set<String> placedByAnother = new HashSet<>();
    /** What has been sent and may have come to pass, by the process that sent it, with the code that was last heard. */
    private final Map<Object, Map<String, Integer>> unclear = new HashMap<>();

    private Decisions decisions = (_, _, _) -> {};
    private boolean byAnother;

    /** @param rebinds whether a binding that fails for a moment only may be asked for again */
    public Placements(Consumer<Violation> violations, boolean rebinds) {
        this.violations = violations;
        this.rebinds = rebinds;
    }

    /** Whoever places pods from now on needs nobody's decision. */
    public void byAnother(boolean now) {
        byAnother = now;
    }

    /** Hears what replicas decide. */
    public interface Decisions {
        /** @param shard whose engine it was, by its name; empty where there are none */
        void decided(String shard, Pod pod, String node);
    }

    /** Tells of what replicas decide from now on. */
    public void tell(Decisions listener) {
        decisions = listener;
    }

    /** A replica's engine has decided this. */
    void decided(String shard, Pod pod, String node) {
        decisions.decided(shard, pod, node);
        String place = place(pod.meta().uid(), node);
        decided.add(place);
        unclear.values().forEach(places -> places.remove(place));
        sentBefore.put(place, sent.getOrDefault(place, 0));
    }

    private static String place(String uid, String node) {
        return uid + " on " + node;
    }

    /** A process sends a request now. */
    public void sends(Object process, ApiCall call) {
        placeBy(call).ifPresent(place -> {
            int sinceDecided = sent.merge(place, 1, Integer::sum) - sentBefore.getOrDefault(place, 0);
            Integer code = unclear.getOrDefault(process, Map.of()).get(place);
            if (code != null && !(mayRebind(code) && sinceDecided <= MOST_BINDINGS)) {
                throw new Violation(place + ": bound once more, though it is not known whether it was");
            }
        });
    }

    private boolean mayRebind(int code) {
        return rebinds && (code == 500 || code == 503);
    }

    /** A process is answered, by this code or by none, which is 0; only that of too many requests says that nothing was done. */
    public void hears(Object process, ApiCall call, int code) {
        if (code == 0 || code >= 500) {
            placeBy(call)
                    .ifPresent(place -> unclear.computeIfAbsent(process, _ -> new HashMap<>())
                            .put(place, code));
        }
    }

    /** Where a request binds a pod to, if it binds one. */
    private static Optional<String> placeBy(ApiCall call) {
        return call.body()
                .filter(_ -> call.path().endsWith(BINDING))
                .map(body -> Trees.parse(body.content()))
                .map(binding -> place(Trees.text(binding, "metadata", "uid"), Trees.text(binding, "target", "name")));
    }

    /** The log has this of the pod now; true where a replica has just put it on its node. */
    public boolean logged(JsonObject pod) {
        JsonObject spec = pod.getAsJsonObject("spec");
        if (!spec.has("nodeName") || spec.get("nodeName").getAsString().isEmpty()) {
            return false;
        }
        JsonObject metadata = pod.getAsJsonObject("metadata");
        String uid = metadata.get("uid").getAsString();
        String node = spec.get("nodeName").getAsString();
        String before = placed.put(uid, node);
        boolean isNew = before == null;
        if (!isNew && !node.equals(before)) {
            violations.accept(new Violation(
                    metadata.get("name").getAsString() + " is bound twice: to " + before + " and to " + node));
        }
        if (isNew && byAnother) {
            placedByAnother.add(uid);
        }
        if (isNew && !byAnother && !decided.contains(place(uid, node))) {
            violations.accept(new Violation(metadata.get("name").getAsString() + " of UID " + uid + " is put on " + node
                    + " as nobody decided"));
        }
        return isNew && !byAnother;
    }

    /** Whether who sent the binding that has put the pod on its node heard nothing of it, and may have taken back all else since. */
    public boolean isUnclear(JsonObject pod) {
        String place = place(Trees.text(pod, "metadata", "uid"), Trees.text(pod, "spec", "nodeName"));
        return unclear.values().stream().anyMatch(places -> places.containsKey(place));
    }

    /** A replica hears what became of its binding. Where an earlier one may have come late, both may be true. */
    void hears(CommandResult result) {
        if (result instanceof CommandResult.NotBound(Pod pod, String node, BindFailure why, String message)
                && why == BindFailure.FAILED) {
            String place = place(pod.meta().uid(), node);
            boolean onlyOne = sent.getOrDefault(place, 0) == 1 && sentBefore.getOrDefault(place, 0) == 0;
            boolean byUs = !placedByAnother.contains(pod.meta().uid());
            if (byUs && onlyOne && node.equals(placed.get(pod.meta().uid()))) {
                throw new Violation(pod.key() + " is bound to " + node + ", and that is taken for failed: " + message);
            }
        }
    }
}
