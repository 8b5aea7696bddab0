package io.evenkeel.plugins.devices;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.index.ObjectStore;
import io.evenkeel.cluster.index.Work;
import io.evenkeel.cluster.node.ChangeLog;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.config.Difference;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.FeatureGates.Feature;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.device.DeviceAllocation;
import io.evenkeel.model.device.DeviceClass;
import io.evenkeel.model.device.DeviceRequest;
import io.evenkeel.model.device.DeviceTaint;
import io.evenkeel.model.device.DeviceTaintRule;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.device.ResourceSlice;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.plugins.devices.Holdings.Holding;
import io.evenkeel.plugins.devices.Plan.Features;
import io.evenkeel.plugins.devices.Plan.Option;
import io.evenkeel.plugins.devices.Pools.Layout;
import io.evenkeel.plugins.devices.Pools.Part;
import io.evenkeel.plugins.devices.Pools.Published;
import io.evenkeel.plugins.devices.Pools.Site;
import io.evenkeel.plugins.devices.Pools.Unit;
import io.evenkeel.plugins.devices.Search.Effort;
import io.evenkeel.plugins.devices.Search.Failure;
import io.evenkeel.plugins.devices.Search.Outcome;
import io.evenkeel.plugins.devices.Selectors.Selector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The devices of the cluster and who has them, kept up to date with every change; and which nodes have devices for claims. Answers
 * are kept for claims that want the same, and are looked up again only on nodes where something has changed since.
 */
final class DeviceBook implements ClusterIndex {
    private static final int LENGTH_OF_LOG = 1 << 13;
    private static final int MOST_LOOKS_AT_ONCE = 4 * Effort.USUAL.most();
    private static final int LEAST_LOOKS = 5_000;
    private static final int LOOKS_A_SLICE = 1 << 17;

    private final NodeTable nodes;
    private final ObjectStore objects;
    private final Work work;
    private final FeatureGates gates;
    private final Features features;
    private final boolean taintRules;
    private final Holdings holdings;
    private final Pools pools;
    private final Selectors selectors;
    private final List<DeviceTaintRule> taints = new ArrayList<>();
    private final Map<String, DeviceAllocation> counted = new HashMap<>();
    private final Map<String, DeviceAllocation> assumed = new HashMap<>();
    /** By the claims for which what was assumed is written. */
    private final Map<String, Written> written = new HashMap<>();
    /** What claims have that did not get ready in time. */
    private final Map<String, DeviceAllocation> givenUp = new HashMap<>();

    /** Nodes that changed; below 0 the places of devices that changed for several nodes. */
    private final ChangeLog log = new ChangeLog(LENGTH_OF_LOG);

    private final @Nullable Holding[] changed = new Holding[LENGTH_OF_LOG];
    private final NodeSet alike = new NodeSet();
    private final KeptAnswers kept = new KeptAnswers();
    private final DeviceCounts.Census census;
    private @Nullable Plan lastPlan;

    private DeviceBook(NodeTable nodes, ObjectStore objects, FeatureGates gates, Work work) {
        this.nodes = nodes;
        this.objects = objects;
        this.work = work;
        this.gates = gates;
        features = Features.of(gates);
        taintRules = gates.isOn(Feature.DRA_DEVICE_TAINT_RULES);
        selectors = new Selectors(features.consumableCapacity(), gates.has(Difference.MISSING_KEY_IS_EXPLAINED));
        holdings = new Holdings(features.consumableCapacity(), holding -> pools().heldChanged(holding));
        pools = new Pools(nodes, holdings, features, new Pools.Changes() {
            @Override
            public void of(int node) {
                log.append(node);
            }

            @Override
            public void of(Holding device) {
                int place = (int) log.position() & (LENGTH_OF_LOG - 1);
                changed[place] = device;
                log.append(-1 - place);
            }

            @Override
            public void of(Published slice, NodeSet others) {
                kept.heed(slice, others);
            }

            @Override
            public void ofAll() {
                kept.clear();
            }
        });
        census = new DeviceCounts.Census(pools, selectors, features, this::isTainted);
    }

    static DeviceBook of(ClusterView cluster) {
        return cluster.index(
                DeviceBook.class,
                view -> new DeviceBook(view.nodes(), view.objects(), view.featureGates(), view.work()));
    }

    private Pools pools() {
        return pools;
    }

    // ---- who has what

    /** The claim has these devices from now on, though the server does not show it yet. */
    void assume(ResourceClaim claim, DeviceAllocation allocation) {
        assumed.put(idOf(claim), allocation);
        count(claim);
    }

    /** The server has it, and shows as of then whether that is still so. */
    void written(ResourceClaim claim, Written as) {
        if (assumed.containsKey(idOf(claim))) {
            written.put(idOf(claim), as);
        }
    }

    /**
     * A write of a claim.
     *
     * @param version that the claim has since; empty where the server did not say
     * @param before that it had until then
     */
    record Written(String version, String before) {
        /** One more write after it. */
        Written then(String next) {
            return new Written(next, version.isEmpty() ? before : version);
        }

        /** Whether the claim is shown as it is since, or later: versions are numbers that only grow. */
        boolean isShownBy(ResourceClaim claim) {
            String now = claim.meta().resourceVersion();
            return version.isEmpty() ? compare(now, before) > 0 : compare(now, version) >= 0;
        }

        private static int compare(String one, String other) {
            return one.length() == other.length()
                    ? one.compareTo(other)
                    : Integer.compare(one.length(), other.length());
        }
    }

    /** Takes back what was assumed, if anything. */
    void forget(ResourceClaim claim) {
        written.remove(idOf(claim));
        if (assumed.remove(idOf(claim)) != null) {
            count(claim);
        }
    }

    /** What the claim has by what the server shows did not get ready in time, and is waited for no more. */
    void giveUp(ResourceClaim claim) {
        claim.allocation().ifPresent(allocation -> givenUp.put(idOf(claim), allocation));
    }

    boolean isGivenUp(ResourceClaim claim) {
        return !givenUp.isEmpty()
                && claim.allocation()
                        .filter(allocation -> allocation.equals(givenUp.get(idOf(claim))))
                        .isPresent();
    }

    /** What was assumed for the claim and the server does not show yet. */
    Optional<DeviceAllocation> assumed(ResourceClaim claim) {
        return Optional.ofNullable(assumed.get(idOf(claim))).or(() -> Optional.ofNullable(assumed.get(claim.key())));
    }

    boolean isAssumed(String id) {
        return assumed.containsKey(id);
    }

    /** A claim that is made for extended resources has its name only, until the server shows it. */
    static String idOf(ResourceClaim claim) {
        return claim.meta().uid().isEmpty() ? claim.key() : claim.meta().uid();
    }

    /** A claim that was made before a list began that does not show it has gone again, and was never shown. */
    @Override
    public Consumer<Predicate<ObjectMeta>> listBegins(String kind) {
        List<String> made = kind.equals(Kinds.RESOURCE_CLAIM.name())
                ? written.keySet().stream().filter(DeviceBook::isKey).toList()
                : List.of();
        return isGone -> made.stream()
                .filter(key -> written.containsKey(key)
                        && isGone.test(ObjectMeta.named(
                                key.substring(0, key.indexOf('/')), key.substring(key.indexOf('/') + 1))))
                .forEach(key -> {
                    overrideAssumed(key);
                    count(key, key);
                });
    }

    private static boolean isKey(String id) {
        return id.indexOf('/') >= 0;
    }

    /** Counts what the claim has: what the server shows, else what was assumed. */
    private void count(ResourceClaim claim) {
        count(claim.key(), idOf(claim));
    }

    private void count(String claim, String id) {
        Optional<DeviceAllocation> now = objects.find(Kinds.RESOURCE_CLAIM, claim)
                .filter(shown -> idOf(shown).equals(id))
                .flatMap(ResourceClaim::allocation)
                .or(() -> Optional.ofNullable(assumed.get(id)));
        DeviceAllocation before = now.isPresent() ? counted.put(id, now.get()) : counted.remove(id);
        if (before != null
                && now.isPresent()
                && before.results().equals(now.get().results())) {
            return;
        }
        if (before != null) {
            holdings.remove(before);
        }
        now.ifPresent(holdings::add);
    }

    @Override
    public void objectChanged(Optional<KubernetesObject> before, Optional<KubernetesObject> after) {
        lastPlan = null;
        switch (after.or(() -> before).orElseThrow()) {
            case ResourceClaim _ -> {
                before.map(ResourceClaim.class::cast).ifPresent(claim -> {
                    if (after.filter(now -> isGivenUp((ResourceClaim) now)).isEmpty()) {
                        givenUp.remove(idOf(claim));
                    }
                    boolean isGone = after.isEmpty()
                            || !idOf((ResourceClaim) after.get()).equals(idOf(claim));
                    if (isGone) {
                        overrideAssumed(idOf(claim));
                        count(claim);
                        if (written.containsKey(claim.key())) {
                            overrideAssumed(claim.key());
                            count(claim.key(), claim.key());
                        }
                    }
                });
                after.map(ResourceClaim.class::cast).ifPresent(this::saw);
            }
            case ResourceSlice _ -> {
                before.map(ResourceSlice.class::cast).ifPresent(slice -> {
                    Published gone = pools.remove(slice);
                    if (gone != null) {
                        selectors.forget(gone);
                    }
                });
                after.map(ResourceSlice.class::cast).ifPresent(pools::put);
            }
            case DeviceClass _ -> kept.clear();
            case DeviceTaintRule _ -> {
                if (taintRules && features.deviceTaints()) {
                    before.map(DeviceTaintRule.class::cast).ifPresent(taints::remove);
                    after.map(DeviceTaintRule.class::cast).ifPresent(taints::add);
                    census.rulesChanged();
                    taints.sort(Comparator.comparing(rule -> rule.meta().name()));
                    kept.clear();
                }
            }
            default -> {}
        }
    }

    /** What the server shows of a claim overrides for good what was assumed of it. */
    private void saw(ResourceClaim claim) {
        String id = idOf(claim);
        if (overrides(claim, id)) {
            overrideAssumed(id);
        }
        if (!id.equals(claim.key()) && overrides(claim, claim.key())) {
            overrideAssumed(claim.key());
            DeviceAllocation asMade = counted.remove(claim.key());
            if (asMade != null && counted.putIfAbsent(id, asMade) != null) {
                holdings.remove(asMade);
            }
        }
        count(claim);
    }

    private boolean overrides(ResourceClaim claim, String id) {
        Written as = written.get(id);
        return claim.allocation().isPresent() || (as != null && as.isShownBy(claim));
    }

    private void overrideAssumed(String id) {
        assumed.remove(id);
        written.remove(id);
    }

    @Override
    public void nodeChanged(int node, Optional<Node> before, Optional<Node> after) {
        boolean same = before.isPresent()
                && after.isPresent()
                && before.get().labels().equals(after.get().labels());
        if (!same) {
            pools.forget(node);
        }
    }

    // ---- what claims can have

    /** Devices for all of these claims on this node. */
    Answer allocate(List<ResourceClaim> claims, int node) {
        return allocate(claims, node, Effort.USUAL);
    }

    Answer allocate(List<ResourceClaim> claims, int node, Effort effort) {
        Plan plan = plan(claims);
        Site site = pools.site(node);
        Search search = new Search(features, taints, site, plan, effort);
        try {
            return switch (search.run()) {
                case FOUND -> new Answer.Found(allocations(plan, search, node));
                case TIMED_OUT -> new Answer.None(Answer.TIMED_OUT);
                case BAD_POOL -> new Answer.None(Search.whyNotAll(plan, site));
                default ->
                    new Answer.None(site.all().stream().anyMatch(Part::invalid) ? Answer.INVALID : Answer.CANNOT);
            };
        } catch (Failure failure) {
            return new Answer.Failed(String.valueOf(failure.getMessage()));
        } finally {
            work.addSearched(search.looks());
        }
    }

    /**
     * Whether there may be devices for all of these claims on this node, by what is known or a short look: what takes longer to
     * tell counts as a yes, and so does an error.
     */
    boolean mayHave(List<ResourceClaim> claims, int node) {
        Optional<Answers> answers = kept.find(claims);
        answers.ifPresent(known -> known.bringUpToDate(budget()));
        if (answers.filter(known -> known.known.contains(node)).isPresent()) {
            return answers.get().maySucceed(node);
        }
        return !(allocate(claims, node, Effort.USUAL.withMost(LEAST_LOOKS)) instanceof Answer.None(String reason))
                || reason.equals(Answer.TIMED_OUT);
    }

    /** For questions about many nodes. */
    Budget budget() {
        return budget(MOST_LOOKS_AT_ONCE);
    }

    Budget budget(long looks) {
        return new Budget(looks);
    }

    /** Looks that questions have in common. When they are spent, each question still gets a few, until as many are spent again. */
    final class Budget {
        private long looks;

        private Budget(long looks) {
            this.looks = looks;
        }

        boolean isSpent() {
            return looks <= 0;
        }

        private void spend(int more) {
            looks -= more;
            work.addSearched(more);
        }

        private Effort effort() {
            return Effort.USUAL.withMost(
                    looks < -MOST_LOOKS_AT_ONCE ? 0 : Math.clamp(looks, LEAST_LOOKS, Effort.USUAL.most()));
        }

        Answer allocate(List<ResourceClaim> claims, int node) {
            long before = work.searched();
            Answer answer = DeviceBook.this.allocate(claims, node, effort());
            looks -= work.searched() - before;
            return answer;
        }
    }

    private List<DeviceAllocation> allocations(Plan plan, Search search, int onNode) {
        String node = nodes.name(onNode);
        List<DeviceAllocation> allocations = new ArrayList<>();
        for (int claim = 0; claim < plan.wishes().size(); claim++) {
            List<Option> chosen = new ArrayList<>();
            for (int request = 0; request < plan.wishes().get(claim).asks().size(); request++) {
                chosen.add(search.chosen(claim, request));
            }
            allocations.add(Allocations.of(
                    plan.wishes().get(claim).claim(), search.taken().get(claim), chosen, node, features));
        }
        return allocations;
    }

    /** Which of the nodes could have all of these claims; to be read until the next call or change. */
    Verdicts verdicts(List<ResourceClaim> claims, NodeSetView candidates, Budget budget) {
        Answers answers = kept.of(claims);
        answers.bringUpToDate(budget);
        answers.unknown.copyFrom(candidates);
        answers.unknown.removeAll(answers.known);
        int node = answers.unknown.first();
        if (node >= 0) {
            Plan plan = plan(claims);
            boolean fails = false;
            for (; node >= 0 && !fails; node = answers.unknown.next(node + 1)) {
                answers.ask(plan, node, budget);
                fails = answers.failed.contains(node);
            }
        }
        for (int each = answers.failed.first(); each >= 0; each = answers.failed.next(each + 1)) {
            if (candidates.contains(each) && allocate(claims, each) instanceof Answer.Failed(String message)) {
                return answers.verdicts(Map.of(), Optional.of(new Verdicts.Failure(each, message)));
            }
        }
        Map<String, NodeSet> unsure = answers.unsure.isEmpty() ? Map.of() : new TreeMap<>();
        for (int each = answers.unsure.first(); each >= 0; each = answers.unsure.next(each + 1)) {
            if (candidates.contains(each)) {
                unsure.computeIfAbsent(Search.whyNotAll(plan(claims), pools.site(each)), _ -> new NodeSet())
                        .add(each);
            }
        }
        return answers.verdicts(unsure, Optional.empty());
    }

    /** The answers for claims that want the same, by node. */
    private final class Answers {
        private final List<ResourceClaim> example;
        private final NodeSet known = new NodeSet();
        private final NodeSet unknown = new NodeSet();
        private final NodeSet possible = new NodeSet();
        private final NodeSet invalid = new NodeSet();
        private final NodeSet unsure = new NodeSet();
        private final NodeSet timedOut = new NodeSet();
        private final NodeSet failed = new NodeSet();
        private long readTo = log.position();

        /** Of whoever wants this: those who asked first may be gone. */
        Answers(List<ResourceClaim.Spec> wish) {
            example = wish.stream()
                    .map(spec -> new ResourceClaim(
                            ObjectMeta.named("", "example"), spec, Optional.empty(), List.of(), List.of()))
                    .toList();
        }

        void bringUpToDate(Budget budget) {
            if (log.reaches(readTo, LENGTH_OF_LOG)) {
                log.forEachSince(readTo, change -> {
                    if (change >= 0) {
                        known.remove(change);
                    } else {
                        heed(Objects.requireNonNull(changed[-1 - change]), budget);
                    }
                });
            } else {
                known.clear();
            }
            readTo = log.position();
        }

        /** A device that is not wanted, and is no part of one that is, changes no answer. */
        private void heed(Holding device, Budget budget) {
            for (Unit unit : device.units) {
                NodeSet reaching = unit.slice.pool.seenBy;
                if (known.intersects(reaching)
                        && (unit.draws() || budget.isSpent() || plan(example).mayHave(unit, budget::spend))) {
                    known.removeAll(reaching);
                }
            }
        }

        /** Where all is had from elsewhere, it is so whatever becomes of a pool of which no device is wanted. */
        private void heed(Published slice, NodeSet others, Budget budget) {
            if (known.isEmpty()) {
                return;
            }
            Plan plan = plan(example);
            Predicate<Unit> isWanted = unit -> budget.isSpent() || plan.mayHave(unit, budget::spend);
            alike.copyFrom(others);
            if (!plan.wantsAll() && !slice.hasAny(isWanted) && !slice.pool.hasAny(isWanted)) {
                alike.addAll(possible);
            }
            known.retainAll(alike);
        }

        /** Nodes that reach the same devices have the same answer: one of them is asked. */
        void ask(Plan plan, int node, Budget budget) {
            NodeSet same = pools.site(node).nodes;
            if (same.size() == 1) {
                look(plan, node, budget);
                return;
            }
            alike.copyFrom(same);
            alike.retainAll(known);
            int asked = alike.first();
            if (asked < 0) {
                look(plan, node, budget);
                asked = node;
            }
            alike.copyFrom(same);
            alike.retainAll(unknown);
            for (NodeSet answers : List.of(known, possible, invalid, unsure, timedOut, failed)) {
                if (answers.contains(asked)) {
                    answers.addAll(alike);
                } else {
                    answers.removeAll(alike);
                }
            }
            unknown.removeAll(alike);
        }

        boolean maySucceed(int node) {
            return possible.contains(node) || timedOut.contains(node) || failed.contains(node);
        }

        /** What took too long this time may take less the next time, where it had less than usual or selectors were asked. */
        private void look(Plan plan, int node, Budget budget) {
            Effort effort = budget.effort();
            Site site = pools.site(node);
            Search search = new Search(features, taints, site, plan, effort);
            Outcome outcome = Outcome.NONE;
            boolean fails = false;
            try {
                outcome = search.run();
                if (outcome == Outcome.FOUND) {
                    allocations(plan, search, node);
                }
            } catch (Failure _) {
                fails = true;
            }
            budget.spend(search.looks());
            boolean endless = !fails && outcome == Outcome.TIMED_OUT;
            known.set(node, !endless || (effort.equals(Effort.USUAL) && !search.asked()));
            failed.set(node, fails);
            possible.set(node, !fails && outcome == Outcome.FOUND);
            unsure.set(node, !fails && outcome == Outcome.BAD_POOL);
            timedOut.set(node, endless);
            invalid.set(
                    node,
                    !fails && outcome == Outcome.NONE && site.all().stream().anyMatch(Part::invalid));
        }

        void audit(DeviceBook anew, AuditFacts facts, Differences differences) {
            bringUpToDate(budget());
            for (int node = known.first(); node >= 0; node = known.next(node + 1)) {
                if (nodes.isPresent(node) && !timedOut.contains(node)) {
                    boolean now = anew.allocate(example, node) instanceof Answer.Found;
                    String name = facts.nameOf(node);
                    differences.compare(() -> "devices for " + example + " on " + name, possible.contains(node), now);
                }
            }
        }

        Verdicts verdicts(Map<String, NodeSet> whyUnsure, Optional<Verdicts.Failure> failure) {
            return new Verdicts(possible, invalid, whyUnsure, timedOut, failure);
        }
    }

    /** The answers for what was asked of late. */
    private final class KeptAnswers {
        private static final int MOST = 128;
        private static final int MOST_CHARACTERS = 1 << 22;

        private final LinkedHashMap<List<ResourceClaim.Spec>, Answers> byWish = new LinkedHashMap<>(16, 0.75f, true);
        private long characters;

        private static List<ResourceClaim.Spec> wish(List<ResourceClaim> claims) {
            return claims.stream()
                    .map(claim -> claim.spec().withoutConfigurations())
                    .toList();
        }

        Optional<Answers> find(List<ResourceClaim> claims) {
            return Optional.ofNullable(byWish.get(wish(claims)));
        }

        Answers of(List<ResourceClaim> claims) {
            List<ResourceClaim.Spec> wish = wish(claims);
            Answers answers = byWish.get(wish);
            if (answers == null) {
                answers = new Answers(wish);
                byWish.put(wish, answers);
                characters += size(wish);
                while (byWish.size() > 1 && (byWish.size() > MOST || characters > MOST_CHARACTERS)) {
                    characters -= size(byWish.pollFirstEntry().getKey());
                }
            }
            return answers;
        }

        private static long size(List<ResourceClaim.Spec> wish) {
            return wish.stream()
                    .flatMap(spec -> spec.requests().stream())
                    .flatMap(request -> request.alternatives().stream())
                    .flatMap(wanted -> wanted.selectors().stream())
                    .mapToLong(String::length)
                    .sum();
        }

        /** A slice that several nodes may reach is there now, or no longer. */
        void heed(Published slice, NodeSet others) {
            Budget budget = budget(LOOKS_A_SLICE);
            byWish.values().forEach(answers -> answers.heed(slice, others, budget));
        }

        void clear() {
            byWish.clear();
            characters = 0;
        }
    }

    /**
     * Whether it may matter which of the devices claims have that all get theirs on the node: not where all ask for the same of
     * devices that have nothing to do with each other.
     */
    boolean dependsOnChoice(List<ResourceClaim> claims, int node) {
        ResourceClaim.Spec first = claims.getFirst().spec();
        return first.requests().size() > 1
                || first.requests().stream().anyMatch(DeviceRequest::prioritized)
                || !first.constraints().isEmpty()
                || claims.stream()
                        .anyMatch(claim -> !claim.spec().withoutConfigurations().equals(first.withoutConfigurations()))
                || Arrays.stream(pools.site(node).layout().units).anyMatch(Unit::draws);
    }

    // ---- what is in the way

    /** What the claims ask for; the last is kept until an object changes, as one decision asks for it on many nodes. */
    Plan plan(List<ResourceClaim> claims) {
        if (lastPlan == null || !lastPlan.isFor(claims)) {
            lastPlan = Plan.of(claims, objects, selectors, features);
        }
        return lastPlan;
    }

    /** What the devices of a node are lost to, each by itself, for one request: those that its class selects. */
    List<DeviceLoss> losses(Option option, int node) {
        return lossesOfAll(option, node).stream()
                .filter(loss -> loss.kind() != DeviceLoss.Kind.CLASS)
                .toList();
    }

    /** The same of all devices. */
    List<DeviceLoss> lossesOfAll(Option option, int node) {
        Layout layout = pools.site(node).layout();
        List<DeviceLoss> losses = new ArrayList<>();
        for (int unit = 0; unit < layout.units.length; unit++) {
            losses.add(DeviceLoss.of(layout, unit, option, features, taints, work::add));
            work.add(1);
        }
        return losses;
    }

    private boolean isTainted(Unit unit) {
        return features.deviceTaints()
                && (unit.device.taints().stream().anyMatch(DeviceTaint::keepsAway)
                        || taints.stream()
                                .anyMatch(rule -> rule.taint().keepsAway() && Search.taints(rule, unit, features)));
    }

    /** @param looks how many looks the selectors of classes may take */
    DeviceCounts counts(long looks) {
        return census.count(objects.all(Kinds.DEVICE_CLASS), looks);
    }

    void forEachReached(Node node, Consumer<Unit> unit) {
        pools.forEachReached(node, unit);
    }

    Selector selector(String expression) {
        return selectors.of(expression);
    }

    /** Why no node has any device of the request's class; empty where there are none at all. */
    String whyNowhere(Option option) {
        return pools.whyNowhere(unit -> DeviceLoss.isOfClass(unit, option, work::add));
    }

    /** Whether a request may have alternatives. */
    boolean takesAlternatives() {
        return features.prioritizedList();
    }

    // ---- audit

    @Override
    public void audit(AuditFacts facts, Differences differences) {
        DeviceBook anew = new DeviceBook(nodes, objects, gates, new Work());
        anew.assumed.putAll(assumed);
        objects.all().forEach(object -> anew.objectChanged(Optional.empty(), Optional.of(object)));
        anew.assumed.forEach((id, allocation) -> {
            if (anew.counted.putIfAbsent(id, allocation) == null) {
                anew.holdings.add(allocation);
            }
        });
        differences.compare(() -> "devices in use", holdings.lines(), anew.holdings.lines());
        if (census.isAsked()) {
            differences.compare(
                    () -> "counts of devices",
                    counts(Long.MAX_VALUE).rows(),
                    anew.counts(Long.MAX_VALUE).rows());
        }
        pools.forEachKept(node -> differences.compare(
                () -> "devices of " + facts.nameOf(node), pools.describe(node), anew.pools.describe(node)));
        kept.byWish.values().forEach(answers -> answers.audit(anew, facts, differences));
    }

    @Override
    public void describe(AuditFacts facts, Consumer<String> line) {
        holdings.lines().forEach((device, how) -> line.accept("device " + device + " has " + how));
        assumed.forEach((claim, allocation) -> line.accept("claim " + claim + " assumed to have " + names(allocation)));
        givenUp.forEach(
                (claim, allocation) -> line.accept("claim " + claim + " waits no more for " + names(allocation)));
    }

    private static List<String> names(DeviceAllocation allocation) {
        return allocation.results().stream()
                .map(DeviceAllocation.Result::device)
                .toList();
    }

    /** Whether there are devices for claims on a node. */
    sealed interface Answer {
        String CANNOT = "cannot allocate all claims";
        String INVALID = "invalid resource pools were encountered";
        String TIMED_OUT = "timed out trying to allocate devices";

        /**
         * There are.
         *
         * @param allocations for each claim, in their order; the request of a result names the alternative that was chosen
         */
        record Found(List<DeviceAllocation> allocations) implements Answer {}

        /** There are none: a reason for the node. */
        record None(String reason) implements Answer {}

        /** The claims cannot be read or compared: an error of the pod. */
        record Failed(String message) implements Answer {}
    }

    /**
     * The answers of many nodes. Those that are in no set have not what is wanted.
     *
     * @param invalid nodes that have not, and have a pool that is invalid
     * @param unsure nodes that cannot say which devices are all, by why
     * @param timedOut nodes where the search took too long
     * @param failure the first node's, in their order, that {@link Answer.Failed failed}; then the sets say nothing
     */
    record Verdicts(
            NodeSetView possible,
            NodeSetView invalid,
            Map<String, NodeSet> unsure,
            NodeSetView timedOut,
            Optional<Failure> failure) {
        /** Why the claims cannot be read or compared. */
        record Failure(int node, String message) {}
    }
}
