package io.evenkeel.world.exhaustive;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What may go wrong in a world, each at this place. */
final class Faults {
    private final SmallWorld world;
    private final SmallServer server;
    private final List<Step> all = new ArrayList<>();

    Faults(SmallWorld world) {
        this.world = world;
        server = world.server();
    }

    List<Step> all() {
        for (SteppedReplica replica : world.replicas()) {
            replica.errands().forEach(this::ofErrand);
            ofNews(replica);
            if (replica.leads()) {
                ofLease(replica);
            }
        }
        server.pods().forEach(this::ofPod);
        server.nodes().forEach(this::ofNode);
        world.replicas().stream().filter(SteppedReplica::leads).forEach(this::unheard);
        return all;
    }

    private void ofErrand(Errand errand) {
        if (errand.stage() == Errand.Stage.SENT) {
            ofRequest(errand);
        } else if (errand.answer().isPresent()) {
            add("an answer is lost to the " + errand.described() + " is lost", () -> errand.answered(Optional.empty()));
        }
    }

    private void ofRequest(Errand errand) {
        String request = "the " + errand.described();
        add(request + " is lost", () -> errand.answered(Optional.empty()));
        answered(errand, 500, "InternalError", "something is broken");
        answered(errand, 429, "TooManyRequests", "too many requests");
        if (errand.call().method().equals("GET")) {
            return;
        }
        refused(errand, 403, "Forbidden", "you may not");
        refused(errand, 409, "Conflict", "the object has been modified");
        add(request + " is late: its client gives up, and it is carried out later", () -> {
            errand.answered(Optional.empty());
            world.strays().add(errand.call());
        });
        add(request + " is carried out, and later once more", () -> {
            errand.answered(Optional.of(server.answer(errand.call())));
            world.strays().add(errand.call());
        });
        add(request + " is carried out, and answered 503", () -> {
            server.answer(errand.call());
            errand.answered(Optional.of(Answer.refusal(503, "ServiceUnavailable", "pods", "not now")));
        });
        if (errand.isBinding()) {
            add(request + " is answered 201, and not carried out", () -> errand.answered(Optional.of(Answer.of("{}"))));
        }
    }

    private void answered(Errand errand, int code, String reason, String message) {
        add(
                errand.described() + " is answered " + code,
                () -> errand.answered(Optional.of(Answer.refusal(code, reason, "pods", message))));
    }

    private void refused(Errand errand, int code, String reason, String message) {
        add(errand.described() + " is refused by " + code, () -> {
            server.refuses(errand.call());
            errand.answered(Optional.of(Answer.refusal(code, reason, "pods", message)));
        });
    }

    private void ofNews(SteppedReplica replica) {
        String name = replica.name();
        add(
                name + "'s watch of pods is cut, and it lists anew",
                () -> replica.pods().listNow(server.all()));
        add(
                name + "'s watch of nodes is cut, and it lists anew",
                () -> replica.nodes().listNow(server.all()));
        add(
                name + "'s watch of pods is cut, and it lists from an old cache",
                () -> replica.pods().listOld(server.first()));
    }

    private void ofLease(SteppedReplica leader) {
        for (int told = 0; told <= server.log("Pod").size(); told++) {
            int soMuch = told;
            String heard =
                    ", which has heard " + told + " of " + server.log("Pod").size();
            add(leader.name() + " stands still until replica-1 leads" + heard, () -> world.firstStandsStill(soMuch));
            add(leader.name() + " dies, and replica-1 leads" + heard, () -> world.firstDies(soMuch));
            if (leader.canDecide()) {
                add(
                        leader.name() + " decides a pod, and stands still before it asks, until replica-1 leads"
                                + heard,
                        () -> {
                            leader.holdBack();
                            leader.decide();
                            world.firstStandsStill(soMuch);
                        });
            }
        }
    }

    private void ofPod(ServedPod pod) {
        String name = pod.name();
        add(name + " is deleted", () -> server.removePod(name));
        add(name + " is deleted and made anew", () -> server.makePodAnew(name));
        if (pod.node().isEmpty()) {
            add(name + " is bound to node-0 by a stranger", () -> server.bindByAnother(name, "node-0"));
            add(name + " is bound to node-2 by a stranger", () -> server.bindByAnother(name, "node-2"));
        }
    }

    private void ofNode(ServedNode node) {
        String name = node.name();
        add(name + " is removed", () -> server.removeNode(name));
        add(name + " is made anew, with 2 CPUs", () -> server.makeNodeAnew(name, 2_000));
    }

    /** Of which the leader's watch tells nothing, as it was cut then; it lists anew. */
    private void unheard(SteppedReplica leader) {
        for (ServedPod pod : server.pods()) {
            add(pod.name() + " is deleted, unheard by " + leader.name(), () -> {
                server.removePod(pod.name());
                leader.pods().listNow(server.all());
            });
            add(pod.name() + " is made anew, unheard by " + leader.name(), () -> {
                server.makePodAnew(pod.name());
                leader.pods().listNow(server.all());
            });
        }
        for (ServedNode node : server.nodes()) {
            add(node.name() + " is removed, unheard by " + leader.name(), () -> {
                server.removeNode(node.name());
                leader.nodes().listNow(server.all());
            });
        }
    }

    private void add(String what, Runnable happens) {
        all.add(Step.fault(what, happens));
    }
}
