package io.evenkeel.world;

import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.Store;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.model.Pod;
import io.evenkeel.model.json.Trees;
import io.evenkeel.whatif.rebalance.Move;
import io.evenkeel.world.life.Life;
import io.evenkeel.world.net.Front;
import io.evenkeel.world.net.Trap;
import io.evenkeel.world.play.Agenda;
import io.evenkeel.world.play.Choices;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The three ways in which Sieve (OSDI 2022) misleads whoever acts on what he has been told of a cluster, and some more:
 *
 * <pre>
 * intermediate   ends between two of its own writes, and finds half of what it wanted done
 * stale          begins anew with a server whose caches have stood still: of all kinds, or of one while others are new
 * unobserved     hears nothing while something comes and goes, or changes and changes back
 * hanging        has decided, and hangs before that is written, for so long that others may lead by then
 * crossed        binds a pod that goes, is replaced, changes or is bound by somebody else just then
 * leaving        keeps pods waiting because of a node that is being emptied, and goes then
 * awaited        has many wait for one, who comes at the moment at which one of them changes
 * pressing       has others go for a pod, and one of them, the pod or the node becomes another just then
 * moving         is to move a pod, and somebody is at it, its owner or where it is to go, or the replica ends just then
 * inquiring      asks what became of a pod that it may have bound, and is refused, or told of another of its name by then
 * </pre>
 *
 * <p>Half of the worlds, drawn aside, have these too, which chance seldom brings together:
 *
 * <pre>
 * overtaken      binds a pod so slowly that another of its name is decided by then
 * cut            begins to list what there is, is cut off, and begins again when some of it is gone
 * deceived       is told that a pod goes for others, and it stays
 * thwarted       has others go from a node that takes nobody any more by then, as more come who are as important
 * </pre>
 *
 * <p>Where nodes are parted among engines, these are half of it:
 *
 * <pre>
 * flipped        hears nothing while a node is another's and comes back, and that one has not heard that it lost it
 * behind         binds a pod so slowly that the node is another's by then, and crowded
 * succeeded      ends, and who takes its shard begins with what is old, or while others wait for a word of it
 * stopped        is asked to end while a binding of it takes ages
 * unheard        places pods of which another that shuns them has yet to hear, and ends
 * speechless     hears from no server for longer than it may go by its Leases, and is overtaken meanwhile or not
 * uninformed     is asked for the place of a pod, and has not heard what its claims have got
 * preparing      has written for a pod's claims, or asked for its place, and ends, pauses or finds the place taken
 * </pre>
 *
 * <p>And once nothing goes wrong any more, these, which need much to go well before or afterwards:
 *
 * <pre>
 * halfway        has told a pod that it goes for a gang, and ends before that is deleted
 * backlogged     is to ask in later turns whether a change helps some that wait, and these change before
 * deceived       as above
 * </pre>
 *
 * <p>In other worlds one of those where nodes are parted.
 */
final class Perturbation {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final String OVERSEER = "overseer";

    /** The longest of those among shards is over by then. */
    private static final long TO_END_IN_CALM = 80 * SECOND;

    /** Moments at which it strikes: most often the last at which it makes things worse. */
    private static final List<Trap.Moment> MOMENTS =
            List.of(Trap.Moment.ANSWERED, Trap.Moment.CARRIED_OUT, Trap.Moment.SENT, Trap.Moment.SENT);

    private static final List<List<ResourceType>> KINDS = List.of(
            List.of(ResourceTable.PODS),
            List.of(ResourceTable.NODES),
            List.of(ResourceTable.NODES, ResourceTable.NAMESPACES),
            List.of(ResourceTable.PODS, ResourceTable.NODES, ResourceTable.NAMESPACES));

    private static final List<ResourceType> OF_CLAIMS = List.of(
            ResourceTable.PERSISTENT_VOLUME_CLAIMS, ResourceTable.PERSISTENT_VOLUMES, ResourceTable.RESOURCE_CLAIMS);

    /** Losses that may happen anywhere. */
    private static final List<Trap.Loss> LOSSES =
            List.of(Trap.Loss.NOTHING, Trap.Loss.ANSWER, Trap.Loss.REQUEST, Trap.Loss.PERMISSION);

    private final Choices choices;
    private final boolean isIntricate;
    private final Agenda agenda;
    private final Story story;
    private final Store store;
    private final List<Front> fronts;
    private final List<Replica> replicas;
    private final Life life;
    private final Consumer<Replica> start;
    private final Consumer<Runnable> byOthers;
    private boolean over;
    /** Whether one goes on among shards though nothing goes wrong any more. */
    private boolean isCalm;

    private boolean crossesNextMove;

    /** @param isIntricate whether it has those that chance seldom brings together */
    Perturbation(
            Choices choices,
            boolean isIntricate,
            Agenda agenda,
            Story story,
            Store store,
            List<Front> fronts,
            List<Replica> replicas,
            Life life,
            Consumer<Replica> start,
            Consumer<Runnable> byOthers) {
        this.choices = choices;
        this.isIntricate = isIntricate;
        this.agenda = agenda;
        this.story = story;
        this.store = store;
        this.fronts = fronts;
        this.replicas = replicas;
        this.life = life;
        this.start = start;
        this.byOthers = byOthers;
    }

    /** Nothing new begins from now on, whatever was to come later; but for what comes when all has settled. */
    void end() {
        over = true;
        if (life.hasMoves()) {
            agenda.after(25 * SECOND, () -> byOthers.accept(life::comeOrGo));
            agenda.after(40 * SECOND, () -> byOthers.accept(life::comeOrGo));
        }
        if (isIntricate) {
            agenda.after(25 * SECOND, () -> byOthers.accept(life::fillForGang));
            agenda.after(30 * SECOND, this::halfway);
            agenda.after(50 * SECOND, () -> {
                replicas.forEach(replica -> replica.set(Trap.NONE));
                byOthers.accept(life::gatherUnlike);
            });
            agenda.after(60 * SECOND, () -> byOthers.accept(life::arriveAmongMany));
            agenda.after(65 * SECOND, () -> byOthers.accept(life::fillForOne));
            agenda.after(70 * SECOND, () -> {
                isDeceived();
                byOthers.accept(life::pressAlone);
            });
        }
    }

    /** One of those among shards when nothing is late or lost, so that all of it comes to pass. */
    void happenInCalm() {
        isCalm = true;
        happenAmongShards();
        agenda.after(TO_END_IN_CALM, () -> {
            isCalm = false;
            fronts.forEach(Front::thaw);
            replicas.forEach(replica -> replica.set(Trap.NONE));
            byOthers.accept(life::mend);
        });
    }

    private void halfway() {
        Replica replica = leader();
        story.tell("world", replica.name() + " is to end when it has told the next pod that it goes");
        replica.set(Trap.atEviction(
                Trap.Moment.CARRIED_OUT,
                Trap.Loss.NOTHING,
                _ -> agenda.after(0, () -> restart(replica, "when it has told a pod that it goes"))));
        byOthers.accept(life::pressTogether);
    }

    /** One of these. */
    void happen() {
        if (life.hasMoves() && choices.oneIn(3)) {
            moving();
            return;
        }
        if (life.isParted() && choices.oneIn(2)) {
            happenAmongShards();
            return;
        }
        if (isIntricate && !choices.oneIn(3)) {
            happenTogether();
            return;
        }
        switch (choices.below(12)) {
            case 1 -> stale();
            case 2 -> unobserved();
            case 3 -> crossed();
            case 4 -> hanging();
            case 5, 8 -> inquiring();
            case 6 -> leaving();
            case 7 -> awaited();
            case 9, 10, 11 -> pressing();
            default -> intermediate();
        }
    }

    private void happenTogether() {
        switch (choices.below(4)) {
            case 1 -> cut();
            case 2 -> deceived();
            case 3 -> thwarted();
            default -> overtaken();
        }
    }

    private void happenAmongShards() {
        if (life.hasClaims() && choices.oneIn(3)) {
            if (choices.oneIn(3)) {
                uninformed();
            } else {
                preparing();
            }
            return;
        }
        Optional<String> node = life.someNode();
        switch (choices.below(6)) {
            case 5 -> speechless();
            case 1 -> node.ifPresent(this::flipped);
            case 2 -> node.ifPresent(this::succeeded);
            case 3 -> stopped();
            case 4 -> node.ifPresent(this::unheard);
            default -> node.ifPresent(this::behind);
        }
    }

    /** Who holds the Lease of a shard, by its name. */
    private Optional<Replica> holder(String shard) {
        return replicas.stream()
                .filter(replica -> replica.shards().contains(shard))
                .findFirst();
    }

    private String lastShard() {
        return replicas.stream()
                .flatMap(replica -> replica.shards().stream())
                .filter(shard -> !shard.equals(OVERSEER))
                .max(Comparator.naturalOrder())
                .orElse("");
    }

    /** From now on these hear from different servers; answers whom the first one hears from. */
    private Front apart(Optional<Replica> one, Optional<Replica> other) {
        Front ofOne = one.map(replica -> fronts.get(replica.front())).orElseGet(() -> choices.from(fronts));
        other.filter(replica -> !one.equals(other) && fronts.get(replica.front()) == ofOne)
                .ifPresent(replica -> {
                    replica.failOver();
                    ofOne.closeWatches();
                });
        return ofOne;
    }

    private List<Front> except(Front front) {
        return fronts.stream().filter(other -> other != front).toList();
    }

    /** Unless nothing goes wrong any more by then. */
    private void later(long nanos, Runnable what) {
        agenda.after(nanos, () -> {
            if (!over || isCalm) {
                what.run();
            }
        });
    }

    private void flipped(String node) {
        story.tell("world", node + " is to be another's for a while, of which its owner hears nothing");
        byOthers.accept(() -> life.moveToFirst(node));
        later(SECOND * 4, () -> {
            Front deaf = apart(holder("0"), holder(lastShard()));
            later(SECOND * 4, () -> {
                long silence = SECOND * (6 + choices.below(6));
                deaf.beSilent(silence);
                byOthers.accept(() -> life.moveToLast(node));
                later(SECOND * (2 + choices.below(3)), () -> {
                    except(deaf).forEach(front -> front.freeze(ResourceTable.NODES));
                    byOthers.accept(() -> life.moveToFirst(node));
                    forget();
                    // who hears nothing asks ever less often
                    long again = silence + SECOND * 12;
                    later(again, () -> byOthers.accept(() -> life.crowd(node)));
                    later(again + SECOND * (20 + choices.below(15)), () -> fronts.forEach(Front::thaw));
                });
            });
        });
    }

    private void behind(String node) {
        story.tell("world", "the next binding to " + node + " takes ages, and the node is another's meanwhile");
        boolean[] isOver = {false};
        replicas.forEach(replica -> replica.set(Trap.atBindingTo(
                node,
                Trap.Loss.AGES,
                _ -> agenda.after(0, () -> {
                    if (!isOver[0]) {
                        isOver[0] = true;
                        byOthers.accept(() -> life.moveAway(node));
                        byOthers.accept(() -> life.crowd(node));
                    }
                }))));
        byOthers.accept(() -> life.comeTo(node));
    }

    /** Who is asked for the place of a pod has not heard what its claims have got. */
    private void uninformed() {
        story.tell("world", "of claims nobody hears who does not hear from the server that the overseer hears from");
        Front ofOverseer = apart(holder(OVERSEER), holder("0"));
        later(SECOND * 4, () -> {
            except(ofOverseer).forEach(front -> OF_CLAIMS.forEach(front::freeze));
            byOthers.accept(life::wantClaims);
            for (int second = 1; second < 12; second++) {
                later(SECOND * second, () -> byOthers.accept(life::endAwaited));
            }
            later(SECOND * (12 + choices.below(15)), () -> fronts.forEach(Front::thaw));
        });
    }

    /** Between what is written for a pod's claims, the ask for its place, and the answer. */
    private void preparing() {
        Trap.Moment moment = choices.from(List.of(Trap.Moment.values()));
        boolean isAsk = choices.oneIn(2);
        int what = choices.below(4);
        long pause = SECOND * (1 + choices.below(40));
        story.tell(
                "world",
                (isAsk ? "as a place is asked for" : "as a claim is seen to") + ", when " + moment + ", "
                        + List.of("others come for it", "its sender pauses", "ends", "ends for long")
                                .get(what));
        boolean[] isOver = {false};
        for (Replica replica : replicas) {
            Consumer<ApiCall> spring = call -> agenda.after(0, () -> {
                if (isOver[0]) {
                    return;
                }
                isOver[0] = true;
                switch (what) {
                    case 1 -> replica.pause(pause);
                    case 2 -> restart(replica, "as claims are seen to");
                    case 3 -> restartLate(replica, "as claims are seen to");
                    default ->
                        byOthers.accept(() -> life.crowdNamed(
                                call.body().map(body -> body.content()).orElse("")));
                }
            });
            replica.set(isAsk ? Trap.atAsk(moment, spring) : Trap.atPreparation(moment, spring));
        }
        byOthers.accept(life::wantClaims);
    }

    /** Whoever hears from the server that stands still comes to hold what others held. */
    private void succeeded(String node) {
        story.tell("world", "pods come to " + node + " of which its next owner has not heard");
        byOthers.accept(() -> life.moveToFirst(node));
        byOthers.accept(() -> life.waitFor(node));
        Optional<Replica> heir = Optional.of(choices.from(replicas));
        later(SECOND * 4, () -> {
            List<Front> old = except(apart(holder("0"), heir));
            later(SECOND * 4, () -> {
                old.forEach(front -> front.freeze(ResourceTable.PODS));
                byOthers.accept(() -> life.comeFirst(node));
                byOthers.accept(() -> life.open(node));
                later(
                        SECOND * (5 + choices.below(5)),
                        () -> replicas.stream()
                                .filter(replica -> !old.contains(fronts.get(replica.front())))
                                .forEach(replica -> restartLate(replica, "to have a successor that knows less")));
                later(SECOND * (32 + choices.below(20)), () -> fronts.forEach(Front::thaw));
            });
        });
    }

    private void restartLate(Replica replica, String why) {
        if (replica.isRunning()) {
            replica.kill(why);
            agenda.after(SECOND * (20 + choices.below(30)), () -> start.accept(replica));
        }
    }

    private void stopped() {
        Replica replica = choices.from(replicas);
        if (choices.oneIn(4)) {
            replica.stop();
            return;
        }
        story.tell("world", replica.name() + " is to stop as it binds a pod, which takes ages");
        replica.set(Trap.atBinding(
                Trap.Moment.SENT, Trap.Loss.AGES, _ -> later(SECOND / 2 * choices.below(4), replica::stop)));
        byOthers.accept(life::flicker);
    }

    /** Who knows the pod that shuns has not heard of whom others place, who have not heard of it, and are gone before they do. */
    private void unheard(String node) {
        story.tell(
                "world",
                "a pod comes that shuns others on " + node + ", of which the owner does not hear before it ends");
        byOthers.accept(() -> life.moveToFirst(node));
        byOthers.accept(() -> life.waitFor(node));
        later(SECOND * 6, () -> {
            Front ofOwner = apart(holder("0"), holder(OVERSEER));
            later(SECOND * 4, () -> {
                ofOwner.freeze(ResourceTable.PODS);
                byOthers.accept(life::guard);
                later(SECOND * (1 + choices.below(3)), () -> {
                    except(ofOwner).forEach(front -> front.freeze(ResourceTable.PODS));
                    byOthers.accept(() -> life.open(node));
                    later(SECOND * (4 + choices.below(6)), () -> {
                        boolean gently = choices.oneIn(3);
                        replicas.stream()
                                .filter(replica -> fronts.get(replica.front()) == ofOwner)
                                .forEach(replica -> {
                                    if (gently) {
                                        replica.stop();
                                    } else {
                                        restartLate(replica, "before it has heard of all");
                                    }
                                });
                    });
                    later(SECOND * (30 + choices.below(15)), () -> fronts.forEach(Front::thaw));
                });
            });
        });
    }

    /** Longer than the renew deadline; others have to read a Lease that they find the same once its duration is over. */
    private void speechless() {
        long silence = SECOND * (8 + choices.below(40));
        if (choices.oneIn(3)) {
            Replica one = choices.from(replicas);
            Front its = apart(
                    Optional.of(one),
                    replicas.stream().filter(other -> other != one).findFirst());
            one.cutOff(silence);
            its.beSilent(silence);
        } else {
            story.tell("world", "no server answers anybody");
            replicas.forEach(replica -> replica.cutOff(silence));
            fronts.forEach(front -> front.beSilent(silence));
        }
        for (int step = choices.below(6); step > 0; step--) {
            later(SECOND * choices.below(30), () -> byOthers.accept(life::flicker));
        }
    }

    private void overtaken() {
        Replica replica = leader();
        story.tell(
                "world", "another takes the name of the next pod that " + replica.name() + " binds, which takes long");
        replica.set(Trap.atBinding(Trap.Moment.SENT, Trap.Loss.TIME, call -> meanwhile(call, life::renew)));
    }

    private void cut() {
        beSilent(SECOND * (1 + choices.below(3)));
        life.flicker();
        forget();
        fronts.forEach(front -> front.cutNextList(ResourceTable.PODS, named -> {
            String namespace = Trees.text(named, "metadata", "namespace");
            String name = Trees.text(named, "metadata", "name");
            story.tell("world", "a list is cut off behind " + name + ", which is gone then");
            agenda.after(0, () -> byOthers.accept(() -> life.vanish(namespace, name)));
        }));
    }

    private void deceived() {
        pressSoon(life::press, this::isDeceived);
    }

    private void isDeceived() {
        Replica replica = leader();
        story.tell("world", "the next pod that " + replica.name() + " has go for another is said to, and stays");
        replica.set(Trap.atDeletion(Trap.Moment.SENT, Trap.Loss.EFFECT));
    }

    private void pressSoon(Runnable press, Runnable then) {
        byOthers.accept(life::fill);
        agenda.after(SECOND * (1 + choices.below(10)), () -> {
            if (!over) {
                byOthers.accept(press);
                then.run();
            }
        });
    }

    private void thwarted() {
        pressSoon(
                life::press,
                () -> agenda.after(SECOND / 2 * (1 + choices.below(10)), () -> {
                    if (!over) {
                        byOthers.accept(life::thwart);
                        agenda.after(SECOND / 4 * choices.below(4), () -> byOthers.accept(life::endAwaited));
                    }
                }));
    }

    private void intermediate() {
        Replica replica = choices.from(replicas);
        Trap.Moment moment = choices.from(List.of(Trap.Moment.values()));
        int writes = 1 + choices.below(5);
        long pause = SECOND * choices.below(40);
        boolean kills = !choices.oneIn(3);
        Runnable stop = () -> agenda.after(0, () -> {
            if (kills) {
                restart(replica, "at a write");
            } else {
                replica.pause(pause);
            }
        });
        if (life.hasDevices() && choices.oneIn(2)) {
            story.tell("world", replica.name() + " is to stop as a claim gets its devices, when " + moment);
            replica.set(Trap.atClaim(moment, stop));
            return;
        }
        story.tell("world", replica.name() + " is to stop at its write number " + writes + ", when " + moment);
        replica.set(Trap.atWrite(moment, writes, stop));
    }

    private void moving() {
        byOthers.accept(life::comeOrGo);
        agenda.after(SECOND * (10 + choices.below(20)), () -> {
            if (!over) {
                byOthers.accept(life::comeOrGo);
            }
        });
        if (choices.oneIn(2)) {
            crossesNextMove = true;
            return;
        }
        Replica replica = leader();
        Trap.Moment moment = choices.from(MOMENTS);
        Trap.Loss loss = choices.from(LOSSES);
        boolean ends = choices.oneIn(3);
        int steps = 1 + choices.below(2);
        story.tell("world", "something comes between as " + replica.name() + " has a pod go, when " + moment);
        replica.set(Trap.atMove(moment, steps, loss, call -> {
            if (ends || !call.path().endsWith("/eviction")) {
                agenda.after(0, () -> restart(replica, "while it moves a pod"));
            } else {
                meanwhile(call, life::crossMove);
            }
        }));
    }

    /** The place for a successor is being held, and its predecessor is asked to go soon. */
    void begins(Replica replica, Move move) {
        story.tell(replica.name(), "begins to move " + move.pod().key() + " from " + move.from() + " to " + move.to());
        if (crossesNextMove && !over) {
            crossesNextMove = false;
            long soon = SECOND / 4 * choices.below(10);
            if (choices.oneIn(3)) {
                agenda.after(soon, () -> restart(replica, "between holding a place and evicting"));
            } else {
                Pod pod = move.pod();
                agenda.after(soon, () -> byOthers.accept(() -> life.crossMove(pod.namespace(), pod.name(), move.to())));
            }
        }
    }

    private void restart(Replica replica, String why) {
        if (replica.isRunning()) {
            replica.kill(why);
            agenda.after(SECOND * choices.below(5), () -> start.accept(replica));
        }
    }

    private void stale() {
        Front front = choices.from(fronts);
        List<ResourceType> kinds = choices.from(KINDS);
        story.tell(
                "world",
                "caches of a server stand still: "
                        + kinds.stream().map(ResourceType::storage).toList());
        kinds.forEach(front::freeze);
        agenda.after(SECOND * (1 + choices.below(60)), front::thaw);
        if (choices.oneIn(2)) {
            Replica replica = choices.from(replicas);
            agenda.after(SECOND * choices.below(20), () -> restart(replica, "to begin with what is old"));
        }
    }

    /** Who writes, mostly. */
    private Replica leader() {
        Replica any = choices.from(replicas);
        return replicas.stream().filter(Replica::isLeading).findFirst().orElse(any);
    }

    private void crossed() {
        Replica replica = leader();
        Trap.Moment moment = choices.from(MOMENTS);
        Trap.Loss loss = choices.from(LOSSES);
        long cutOff = choices.oneIn(3) ? SECOND * (1 + choices.below(8)) : 0;
        long silence = choices.oneIn(2) ? SECOND * (1 + choices.below(40)) : 0;
        story.tell("world", "somebody else is at the next pod that " + replica.name() + " binds, when " + moment);
        replica.set(Trap.atBinding(
                moment,
                loss,
                call -> agenda.after(0, () -> {
                    if (cutOff > 0) {
                        replica.cutOff(cutOff);
                    }
                    if (silence > 0) {
                        fronts.forEach(front -> front.beSilent(silence));
                    }
                    meanwhile(call, life::meddle);
                })));
    }

    /** The look-up is the first to tell of what has happened meanwhile, or of all but its beginning. */
    private void inquiring() {
        Replica replica = leader();
        Trap.Loss loss = choices.oneIn(3) ? Trap.Loss.ANSWER : Trap.Loss.REQUEST;
        Trap.Moment moment = choices.oneIn(4) ? Trap.Moment.CARRIED_OUT : Trap.Moment.SENT;
        long silence = SECOND * (1 + choices.below(20));
        boolean anything = choices.oneIn(4);
        story.tell("world", replica.name() + " is to look up the next pod that it binds, and not to find what it was");
        Trap becomesAnother = Trap.atLookup(moment, Trap.Loss.NOTHING, lookup -> {
            meanwhile(lookup, anything ? life::meddle : life::supplant);
            agenda.after(0, () -> fronts.forEach(front -> front.beSilent(silence)));
        });
        // the first look-up is in vain, so that there is time for the news that the pod is about to go
        Trap lingering = Trap.atLookup(Trap.Moment.SENT, Trap.Loss.REQUEST, lookup -> {
            meanwhile(lookup, life::beginEnd);
            replica.set(becomesAnother);
        });
        Trap refused = Trap.atLookup(Trap.Moment.SENT, Trap.Loss.PERMISSION, _ -> {});
        replica.set(Trap.atBinding(
                Trap.Moment.SENT,
                loss,
                _ -> replica.set(choices.from(List.of(becomesAnother, becomesAnother, lingering, refused)))));
    }

    /** Somebody does this to the pod that the call is about. */
    private void meanwhile(ApiCall call, BiConsumer<String, String> deed) {
        String[] segments = call.path().split("/", -1);
        agenda.after(0, () -> byOthers.accept(() -> deed.accept(segments[4], segments[6])));
    }

    private void hanging() {
        if (choices.oneIn(2)) {
            leader().hangAtRejection(SECOND * (25 + choices.below(35)));
        } else {
            leader().hangAtDecision(SECOND * (5 + choices.below(55)));
        }
    }

    private void leaving() {
        byOthers.accept(() -> life.drain()
                .ifPresent(node -> agenda.after(
                        SECOND * (1 + choices.below(20)), () -> byOthers.accept(() -> life.takeAway(node)))));
    }

    private void awaited() {
        byOthers.accept(life::gather);
        agenda.after(SECOND * (2 + choices.below(10)), () -> byOthers.accept(life::arrive));
    }

    private void pressing() {
        byOthers.accept(life::fill);
        Trap.Moment moment = choices.from(MOMENTS);
        Trap.Loss loss = choices.from(LOSSES);
        boolean quietly = choices.oneIn(3);
        long silence = choices.oneIn(2) ? SECOND * (1 + choices.below(40)) : 0;
        agenda.after(SECOND * (1 + choices.below(10)), () -> {
            if (over) {
                return;
            }
            byOthers.accept(life::press);
            agenda.after(SECOND / 2 * choices.belowAside(6), () -> {
                if (!over) {
                    byOthers.accept(life::pressOn);
                }
            });
            if (!quietly) {
                story.tell("world", "somebody else is there when the next pod is to go for another, when " + moment);
                Replica replica = leader();
                replica.set(Trap.atEviction(moment, loss, call -> {
                    if (silence > 0) {
                        agenda.after(0, () -> fronts.forEach(front -> front.beSilent(silence)));
                    }
                    cross(replica, call);
                }));
            }
        });
    }

    private void cross(Replica replica, ApiCall eviction) {
        switch (choices.below(4)) {
            case 1 -> agenda.after(0, () -> byOthers.accept(life::meddleWithImportant));
            case 2 -> agenda.after(0, () -> restart(replica, "while others go"));
            case 3 -> agenda.after(0, () -> byOthers.accept(life::flicker));
            default -> meanwhile(eviction, life::meddle);
        }
    }

    /** The pod is held up, for seconds perhaps: long enough for others to come by, of whom a relist may be the first to tell. */
    void heldUp(Pod pod) {
        if (!choices.oneIn(4)) {
            boolean unheard = choices.oneIn(2);
            agenda.after(SECOND * choices.below(6), () -> {
                if (unheard) {
                    beSilent(SECOND * choices.below(4));
                }
                byOthers.accept(() -> life.meddle(pod.namespace(), pod.name()));
                if (unheard) {
                    forget();
                }
            });
        }
    }

    private void unobserved() {
        beSilent(SECOND * (1 + choices.below(15)));
        int steps = 1 + choices.below(3);
        for (int step = 0; step < steps; step++) {
            life.flicker();
        }
        if (choices.oneIn(3)) {
            forget();
        }
    }

    private void beSilent(long silence) {
        story.tell("world", "nobody hears anything");
        fronts.forEach(front -> front.beSilent(silence));
    }

    private void forget() {
        story.tell("world", "history is compacted");
        store.compact();
    }
}
