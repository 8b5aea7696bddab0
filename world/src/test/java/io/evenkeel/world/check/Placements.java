package io.evenkeel.world.check;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.CommandResult.BindFailure;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.model.Pod;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What the servers' log says of where pods are: each was put there by a replica that had decided just that of just this
 * pod, or by somebody else who may; and no replica is told that its binding failed which has come to pass.
 */
public final class Placements {
    private static final String BINDING = "/binding";

    private final Consumer<Violation> violations;
    private final Set<String> decided = new HashSet<>();
    private final Map<String, String> placed = new HashMap<>();
    private final Map<String, Integer> sent = new HashMap<>();
    private final Map<String, Integer> sentBefore = new HashMap<>();
    private final Set<String> placedByAnother = new HashSet<>();
    private boolean byAnother;

    public Placements(Consumer<Violation> violations) {
        this.violations = violations;
    }

    /** Whoever places pods from now on needs nobody's decision. */
    public void byAnother(boolean now) {
        byAnother = now;
    }

    /** A replica has decided this. */
    void decided(Pod pod, String node) {
        String place = place(pod.meta().uid(), node);
        decided.add(place);
        sentBefore.put(place, sent.getOrDefault(place, 0));
    }

    private static String place(String uid, String node) {
        return uid + " on " + node;
    }

    /** A request goes out now. */
    public void sends(ApiCall call) {
        if (call.path().endsWith(BINDING)) {
            call.body()
                    .map(body -> JsonParser.parseString(body.content()).getAsJsonObject())
                    .ifPresent(binding -> {
                        JsonObject metadata = binding.getAsJsonObject("metadata");
                        String uid = metadata.has("uid") ? metadata.get("uid").getAsString() : "";
                        String node =
                                binding.getAsJsonObject("target").get("name").getAsString();
                        sent.merge(place(uid, node), 1, Integer::sum);
                    });
        }
    }

    /** The log has this of the pod now. */
    public void logged(JsonObject pod) {
        JsonObject spec = pod.getAsJsonObject("spec");
        if (!spec.has("nodeName") || spec.get("nodeName").getAsString().isEmpty()) {
            return;
        }
        JsonObject metadata = pod.getAsJsonObject("metadata");
        String uid = metadata.get("uid").getAsString();
        String node = spec.get("nodeName").getAsString();
        boolean isNew = placed.put(uid, node) == null;
        if (isNew && byAnother) {
            placedByAnother.add(uid);
        }
        if (isNew && !byAnother && !decided.contains(place(uid, node))) {
            violations.accept(new Violation(metadata.get("name").getAsString() + " of UID " + uid + " is put on " + node
                    + " as nobody decided"));
        }
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
