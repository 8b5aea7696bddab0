package io.evenkeel.world.exhaustive;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.model.Pod;
import io.evenkeel.world.check.Placements;
import io.evenkeel.world.check.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Two replicas and a server, and whatever may happen next. The first leads, and knows the pods and nodes of the scene; of the
 * second there is nothing to be seen until it takes the lease, so it is told of what has happened since when it does: to tell it
 * earlier would change nothing else.
 */
final class SmallWorld implements AutoCloseable {
    static final SchedulerConfiguration CONFIGURATION = Profiles.few();

    private final List<Violation> violations = new ArrayList<>();
    private final Scene scene;
    private final Placements placements;
    private final SmallServer server;
    private final Election election;
    private final List<ApiCall> strays = new ArrayList<>();
    private final List<String> story = new ArrayList<>();
    private Optional<SteppedReplica> first;
    private Optional<SteppedReplica> second = Optional.empty();
    private boolean stoodStill;
    private boolean faulted;

    SmallWorld(Scene scene) {
        this.scene = scene;
        placements = new Placements(violations::add, scene.rebinds());
        server = new SmallServer(scene, placements);
        election = new Election(server);
        first = Optional.of(replica(0));
    }

    /** After these steps, by their numbers among those that might have been taken. */
    static SmallWorld after(Scene scene, List<Integer> steps) {
        SmallWorld world = new SmallWorld(scene);
        steps.forEach(world::take);
        return world;
    }

    private SteppedReplica replica(int number) {
        return new SteppedReplica(
                "replica-" + number,
                CONFIGURATION,
                server,
                election.clock(),
                () -> election.leads(number),
                () -> election.mayWrite(number),
                placements,
                scene.rebinds(),
                call -> sends(number, call));
    }

    private void sends(int number, ApiCall call) {
        placements.sends(this, call);
        if (!call.method().equals("GET") && !election.holds(number)) {
            violations.add(new Violation("replica-" + number + " writes about a pod while another holds the lease"));
        }
    }

    SmallServer server() {
        return server;
    }

    Election election() {
        return election;
    }

    List<SteppedReplica> replicas() {
        List<SteppedReplica> replicas = new ArrayList<>();
        first.ifPresent(replicas::add);
        second.ifPresent(replicas::add);
        return replicas;
    }

    List<String> story() {
        return story;
    }

    /** Requests that nobody waits for. */
    List<ApiCall> strays() {
        return strays;
    }

    boolean hadFault() {
        return faulted;
    }

    /** Whatever may happen next. */
    List<Step> choices() {
        List<Step> choices = usual();
        if (!faulted) {
            choices.addAll(new Faults(this).all());
        }
        return choices;
    }

    /** What happens sooner or later where nothing goes wrong. */
    List<Step> usual() {
        List<Step> usual = new ArrayList<>();
        for (SteppedReplica replica : replicas()) {
            for (News news : List.of(replica.nodes(), replica.pods())) {
                if (!news.isEmpty()) {
                    usual.add(Step.of(replica.name() + " hears " + described(news.peek()), () -> replica.hear(news)));
                }
            }
            if (replica.canDecide()) {
                usual.add(Step.of(replica.name() + " decides a pod", replica::decide));
            }
            replica.errands().forEach(errand -> usual.add(next(replica, errand)));
        }
        for (ApiCall stray : strays) {
            usual.add(Step.of("a stray " + stray.method() + " " + stray.path() + " is carried out", () -> {
                strays.remove(stray);
                server.answer(stray);
            }));
        }
        if (stoodStill) {
            usual.add(Step.of("replica-0 notices that its lease is over, and ends", this::firstEnds));
        }
        return usual;
    }

    /** Nobody learns anything from the answer to a condition but that there is room for another, so that comes at once. */
    private Step next(SteppedReplica replica, Errand errand) {
        String whose = "the " + errand.described() + " of " + replica.name();
        if (errand.stage() == Errand.Stage.SENT) {
            return Step.of(whose + " is carried out", () -> {
                errand.answered(Optional.of(server.answer(errand.call())));
                if (errand.isCondition()) {
                    replica.receive(errand);
                }
            });
        }
        String answer = errand.answer().map(each -> each.code() + " comes").orElse("nothing comes");
        return Step.of("as answer to " + whose + " " + answer, () -> replica.receive(errand));
    }

    private static String described(SchedulerEvent event) {
        return switch (event) {
            case ClusterEvent.Put(Pod pod) ->
                "of " + pod.name() + " on " + (pod.isPlaced() ? pod.spec().nodeName() : "no node");
            case ClusterEvent.Put(var object) -> "of " + object.meta().name();
            case ClusterEvent.Removed(var object) -> "that " + object.meta().name() + " is gone";
            case Relist.Began _ -> "that a list begins";
            case Relist.Ended _ -> "that a list ends";
            default -> event.toString();
        };
    }

    /** Takes the step that has this number among the choices; faults are thought of only where it is one. */
    void take(int number) {
        List<Step> usual = usual();
        take(number < usual.size() ? usual.get(number) : new Faults(this).all().get(number - usual.size()));
    }

    void take(Step step) {
        story.add((step.isFault() ? "! " : "  ") + step.what());
        faulted |= step.isFault();
        step.happens().run();
        check();
    }

    void check() {
        if (!violations.isEmpty()) {
            throw violations.getFirst();
        }
    }

    /** The first stands still until the second leads, which has been told so much by then. */
    void firstStandsStill(int told) {
        first.ifPresent(SteppedReplica::holdBack);
        election.handOver(false);
        secondLeads(told);
        stoodStill = true;
        first.ifPresent(SteppedReplica::goOn);
    }

    /** The first is gone with all that it knew; what it has sent is on its way. */
    void firstDies(int told) {
        first.ifPresent(this::leavesRequests);
        first = Optional.empty();
        election.handOver(true);
        secondLeads(told);
    }

    private void firstEnds() {
        stoodStill = false;
        first.ifPresent(this::leavesRequests);
        first = Optional.empty();
        election.firstGoesOn();
        if (!election.hasLost(0)) {
            throw new Violation("replica-0 does not notice that its lease is over");
        }
    }

    private void leavesRequests(SteppedReplica replica) {
        replica.errands().stream()
                .filter(errand -> errand.stage() == Errand.Stage.SENT
                        && !errand.call().method().equals("GET"))
                .map(Errand::call)
                .forEach(strays::add);
    }

    private void secondLeads(int told) {
        SteppedReplica leader = replica(1);
        second = Optional.of(leader);
        for (int each = 0; each < told; each++) {
            leader.hear(leader.pods());
        }
    }

    @Override
    public void close() {
        election.close();
    }
}
