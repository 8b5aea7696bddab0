package io.evenkeel.plugins.devices;

import io.evenkeel.model.device.Device.Attribute;
import io.evenkeel.model.device.DeviceTaint;
import io.evenkeel.model.device.DeviceTaintRule;
import io.evenkeel.model.device.DeviceToleration;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.plugins.devices.Holdings.DeviceId;
import io.evenkeel.plugins.devices.Holdings.Holding;
import io.evenkeel.plugins.devices.Plan.Ask;
import io.evenkeel.plugins.devices.Plan.Features;
import io.evenkeel.plugins.devices.Plan.Option;
import io.evenkeel.plugins.devices.Plan.Wish;
import io.evenkeel.plugins.devices.Pools.Counters;
import io.evenkeel.plugins.devices.Pools.Layout;
import io.evenkeel.plugins.devices.Pools.Part;
import io.evenkeel.plugins.devices.Pools.Site;
import io.evenkeel.plugins.devices.Pools.Unit;
import io.evenkeel.plugins.devices.Selectors.Selector;
import io.evenkeel.plugins.devices.Selectors.Unanswered;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The search for devices on one node: depth first by claim, request, alternative and device, each in its order; the first full
 * solution counts. The devices of a request are a combination, so the next is looked for behind the last; each request starts at
 * the first device again.
 *
 * <p>Some of the reference's own slips decide which solution is first, so they are kept as long as it has them: what a device draws
 * from counters is not given back where a taint or a constraint keeps it away then, nor where others may share the device.
 *
 * <p>Most searches end soon. One that does not starts again, and where none of these slips can happen, it does not try what
 * cannot lead to a solution: requests that lack devices, and what has failed before with devices that differ in nothing. So no
 * answer changes, and the search does not take a time that doubles with each device.
 */
final class Search {
    private static final byte UNKNOWN = 0;
    private static final byte MATCHES = 1;
    private static final byte FAILS = 2;
    private static final int LOOKS_A_SHARE = 32;
    private static final int RULES_A_LOOK = 4;
    private static final int COUNTERS_A_LOOK = 64;

    private final Features features;
    private final List<DeviceTaintRule> taints;
    private final Site site;
    private final Layout layout;
    private final Plan plan;
    private final Unit[] units;
    private final byte[] @Nullable [] matching;
    private final @Nullable List<Integer>[] allOf;
    private final int[] counts;
    private final List<List<Rule>> rules = new ArrayList<>();
    private final List<List<Taken>> taken = new ArrayList<>();
    private final int[][] chosen;
    private final BitSet[] takenBy;
    private final int[] takers;
    private final Map<Integer, Map<String, Quantity>> planned = new HashMap<>();
    private final int[] sharers;
    private final Map<Counters, Quantity[]> left = new IdentityHashMap<>();
    private final Set<List<Object>> deadEnds = new HashSet<>();
    private boolean prunes;
    private boolean isAnyShared;
    private int @Nullable [] kinds;
    private final Effort effort;
    private final IntConsumer payment = this::payForAnswer;
    private int looksLeft;
    private int looksLater;
    private boolean asked;

    @SuppressWarnings({"unchecked", "rawtypes"})
    Search(Features features, List<DeviceTaintRule> taints, Site site, Plan plan, Effort effort) {
        this.features = features;
        this.taints = taints;
        this.site = site;
        this.plan = plan;
        this.layout = site.layout();
        this.units = layout.units;
        this.effort = effort;
        looksLater = effort.most();
        matching = new byte[plan.options()][];
        allOf = new List[plan.options()];
        counts = new int[plan.options()];
        int claims = plan.wishes().size();
        chosen = new int[claims][];
        takenBy = new BitSet[claims];
        takers = new int[units.length];
        sharers = new int[units.length];
        for (int claim = 0; claim < claims; claim++) {
            chosen[claim] = new int[plan.wishes().get(claim).asks().size()];
            takenBy[claim] = new BitSet();
            taken.add(new ArrayList<>());
        }
    }

    /**
     * How long to search.
     *
     * @param easy so many times all devices, and a few more, may be looked at before it is thought of what need not be tried
     * @param most what may be looked at in all, in place of the reference's ten seconds
     */
    record Effort(int easy, int most) {
        static final Effort USUAL = new Effort(4, 2_000_000);

        private static final int FEW_MORE = 64;

        Effort withMost(int newMost) {
            return new Effort(easy, newMost);
        }

        private int easyLooks(int devices) {
            return Math.min(most, easy * (devices + FEW_MORE));
        }
    }

    /** How the search ended. */
    enum Outcome {
        FOUND,
        NONE,
        /** None with so few results as a claim can have. */
        TOO_MANY,
        /** None, as {@link #whyNotAll} says. */
        BAD_POOL,
        TIMED_OUT
    }

    /** A device for a request, with what it gets of one that is shared. */
    record Taken(Option option, Unit unit, boolean shared, Map<String, Quantity> consumed) {}

    /** An error of the pod. */
    static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Failure(String message) {
            super(message, null, false, false);
        }
    }

    /** The node cannot say which devices are all. */
    private static final class BadPool extends RuntimeException {
        private static final long serialVersionUID = 1L;

        BadPool() {
            super("", null, false, false);
        }
    }

    private static final class OutOfLooks extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OutOfLooks() {
            super("", null, false, false);
        }
    }

    int looks() {
        return effort.most() - looksLeft - looksLater;
    }

    /** Whether selectors were asked what was not known: they will not be asked again. */
    boolean asked() {
        return asked;
    }

    /** The devices that each claim gets, where they were found. */
    List<List<Taken>> taken() {
        return taken;
    }

    /** The alternative that was chosen for a request. */
    Option chosen(int claim, int request) {
        return plan.wishes().get(claim).asks().get(request).options().get(chosen[claim][request]);
    }

    /**
     * Looks for devices for all claims.
     *
     * @throws Failure where the claims cannot be read or compared
     */
    Outcome run() {
        try {
            check();
            Outcome outcome = attempt(Math.min(looksLater, effort.easyLooks(units.length)));
            if (outcome == Outcome.TIMED_OUT && looksLater > 0) {
                startAgain();
                prunes = !canSlip();
                isAnyShared = IntStream.range(0, units.length).anyMatch(this::isShared);
                outcome = attempt(looksLater);
            }
            return outcome == Outcome.TOO_MANY ? Outcome.NONE : outcome;
        } catch (BadPool _) {
            return Outcome.BAD_POOL;
        } catch (OutOfLooks _) {
            return Outcome.TIMED_OUT;
        }
    }

    private Outcome attempt(int looks) {
        looksLater -= looks;
        looksLeft += looks;
        try {
            return next(0, 0, 0, 0, false, 0);
        } catch (OutOfLooks | StackOverflowError _) {
            // a pod may name so many claims that the search goes too deep
            return Outcome.TIMED_OUT;
        }
    }

    /** Asking an expression counts as looks of the second attempt while there are some, so that the first ends as it would. */
    private void payForAnswer(int looks) {
        asked = true;
        pay(looks);
    }

    private void pay(int looks) {
        looksLater -= looks;
        if (looksLater < 0) {
            looksLeft += looksLater;
            looksLater = 0;
            if (looksLeft < 0) {
                throw new OutOfLooks();
            }
        }
    }

    private void startAgain() {
        for (int claim = 0; claim < takenBy.length; claim++) {
            takenBy[claim].clear();
            taken.get(claim).clear();
            rules.set(
                    claim,
                    rules.get(claim).stream()
                            .map(rule -> new Rule(rule.constraint, features))
                            .toList());
        }
        Arrays.fill(takers, 0);
        Arrays.fill(sharers, 0);
        planned.clear();
        left.clear();
    }

    // ---- checks before the search

    private void check() {
        for (int claim = 0; claim < plan.wishes().size(); claim++) {
            Wish wish = plan.wishes().get(claim);
            long fewest = 0;
            for (Ask ask : wish.asks()) {
                if (!ask.problem().isEmpty()) {
                    throw new Failure(ask.problem());
                }
                long fewestOfAsk = Long.MAX_VALUE;
                for (Option option : ask.options()) {
                    fewestOfAsk = Math.min(fewestOfAsk, count(wish.claim(), option));
                }
                fewest = Quantity.saturatedSum(fewest, fewestOfAsk);
            }
            if (fewest > ResourceClaim.MOST_DEVICES) {
                throw new Failure("claim " + wish.claim().key() + ": number of requested devices " + fewest
                        + " exceeds the claim limit of " + ResourceClaim.MOST_DEVICES);
            }
            List<ResourceClaim.Constraint> constraints = wish.claim().spec().constraints();
            List<Rule> ofClaim = new ArrayList<>();
            for (int i = 0; i < constraints.size(); i++) {
                if (constraints.get(i).attribute().isEmpty()) {
                    throw new Failure("claim " + wish.claim().key() + ", constraint #" + i
                            + ": empty constraint (unsupported constraint type?)");
                }
                ofClaim.add(new Rule(constraints.get(i), features));
            }
            rules.add(ofClaim);
        }
    }

    /** How many devices it needs. */
    private long count(ResourceClaim claim, Option option) {
        if (!option.problem().isEmpty()) {
            throw new Failure(option.problem());
        }
        if (!option.wantsAll()) {
            counts[option.number()] =
                    (int) Math.min(Integer.MAX_VALUE / 2, option.wanted().count());
            return option.wanted().count();
        }
        List<Integer> all = new ArrayList<>();
        int at = 0;
        for (Part part : site.all()) {
            if (!part.isGood()) {
                throw features.repairs().badPoolTurnsAway()
                        ? new BadPool()
                        : new Failure(whyNotAll(claim, option, part));
            }
            for (int i = 0; i < part.units().size(); i++, at++) {
                pay(1);
                if (matches(claim, option, at) && isOneOfAll(option, at)) {
                    all.add(at);
                }
            }
        }
        allOf[option.number()] = all;
        counts[option.number()] = all.size();
        return all.size();
    }

    private static String whyNotAll(ResourceClaim claim, Option option, Part bad) {
        return "claim " + claim.key() + ", request " + option.shortName()
                + ": asks for all devices, but resource pool " + bad.pool() + " is currently "
                + (bad.incomplete() ? "being updated" : "invalid");
    }

    /** Why a node cannot say which devices are all: the first of its pools that is so, and the first request that asks. */
    static String whyNotAll(Plan plan, Site site) {
        Part bad =
                site.all().stream().filter(part -> !part.isGood()).findFirst().orElseThrow();
        for (Wish wish : plan.wishes()) {
            for (Ask ask : wish.asks()) {
                for (Option option : ask.options()) {
                    if (option.wantsAll()) {
                        return whyNotAll(wish.claim(), option, bad);
                    }
                }
            }
        }
        throw new IllegalArgumentException("nobody asks for all devices");
    }

    // ---- the search

    private Outcome next(int claim, int request, int alternative, int device, boolean inside, int start) {
        if (--looksLeft < 0) {
            throw new OutOfLooks();
        }
        if (claim >= plan.wishes().size()) {
            return Outcome.FOUND;
        }
        Wish wish = plan.wishes().get(claim);
        if (request >= wish.asks().size()) {
            int following = claim + 1;
            while (following < plan.wishes().size()
                    && plan.wishes().get(following).asks().isEmpty()) {
                following++;
                looksLeft--;
            }
            Outcome outcome = next(following, 0, 0, 0, false, 0);
            return outcome == Outcome.TOO_MANY ? Outcome.NONE : outcome;
        }
        Ask ask = wish.asks().get(request);
        if (!inside && ask.request().prioritized()) {
            boolean tooMany = true;
            for (int i = 0; i < ask.options().size(); i++) {
                Outcome outcome = next(claim, request, i, device, true, 0);
                if (outcome == Outcome.FOUND) {
                    chosen[claim][request] = i;
                    return outcome;
                }
                tooMany &= outcome == Outcome.TOO_MANY;
            }
            return tooMany ? Outcome.TOO_MANY : Outcome.NONE;
        }
        Option option = ask.options().get(alternative);
        int count = counts[option.number()];
        if (option.wantsAll() && count == 0) {
            return Outcome.NONE;
        }
        if (device >= count) {
            return next(claim, request + 1, 0, 0, false, 0);
        }
        if (taken.get(claim).size() + count - device > ResourceClaim.MOST_DEVICES) {
            return Outcome.TOO_MANY;
        }
        List<Integer> all = allOf[option.number()];
        if (all != null) {
            int unit = all.get(device);
            if (!take(claim, option, unit, true)) {
                return Outcome.NONE;
            }
            Outcome outcome = next(claim, request, alternative, device + 1, inside, 0);
            if (outcome != Outcome.FOUND) {
                giveBack(claim, option, unit);
            }
            return outcome;
        }
        if (!prunes) {
            return tryEach(claim, request, alternative, device, inside, start);
        }
        if ((count - device > 1 && mostOf(candidates(claim, option, start)) < count - device)
                || (device == 0 && lacksDevices(claim, request, option))) {
            return Outcome.NONE;
        }
        List<Object> state = state(claim, request, alternative, device, inside, start);
        if (!state.isEmpty() && deadEnds.contains(state)) {
            return Outcome.NONE;
        }
        Outcome outcome = tryEach(claim, request, alternative, device, inside, start);
        if (outcome == Outcome.NONE && !state.isEmpty()) {
            deadEnds.add(state);
        }
        return outcome;
    }

    private Outcome tryEach(int claim, int request, int alternative, int device, boolean inside, int start) {
        Option option = plan.wishes().get(claim).asks().get(request).options().get(alternative);
        ResourceClaim itself = plan.wishes().get(claim).claim();
        int looks = 1 + rules.get(claim).size() / RULES_A_LOOK;
        for (int unit = start; unit < units.length; unit++) {
            looksLeft -= looks;
            if (looksLeft < 0) {
                throw new OutOfLooks();
            }
            if (isInUse(claim, option, unit)
                    || !matches(itself, option, unit)
                    || !fits(option, unit)
                    || !take(claim, option, unit, false)) {
                continue;
            }
            Outcome outcome = next(claim, request, alternative, device + 1, inside, unit + 1);
            if (outcome == Outcome.FOUND) {
                return outcome;
            }
            giveBack(claim, option, unit);
            if (outcome == Outcome.TOO_MANY) {
                return outcome;
            }
        }
        return Outcome.NONE;
    }

    private boolean isInUse(int claim, Option option, int unit) {
        return option.wanted().admin() ? takenBy[claim].get(unit) : isTaken(units[unit], features) || takers[unit] > 0;
    }

    /** Whether somebody has it, so that no other may: mostly as a whole. */
    static boolean isTaken(Unit unit, Features features) {
        return features.repairs().sharedIsNotDedicated() && !isShared(unit, features)
                ? unit.holding.isHeld()
                : unit.holding.isTaken();
    }

    private boolean isShared(int unit) {
        return isShared(units[unit], features);
    }

    private static boolean isShared(Unit unit, Features features) {
        return features.consumableCapacity() && unit.device.shared();
    }

    private boolean matches(ResourceClaim claim, Option option, int unit) {
        byte[] known = matching[option.number()];
        if (known == null) {
            known = new byte[units.length];
            matching[option.number()] = known;
        }
        if (known[unit] == UNKNOWN) {
            known[unit] = selects(claim, option, unit) ? MATCHES : FAILS;
        }
        return known[unit] == MATCHES;
    }

    private boolean selects(ResourceClaim claim, Option option, int unit) {
        if (!features.bindingConditions()
                && !units[unit].device.bindingConditions().isEmpty()) {
            return false;
        }
        String ofClass =
                option.deviceClass().map(each -> "class " + each.name()).orElse("");
        return selectedBy(option.ofClass(), ofClass, unit)
                && selectedBy(option.own(), "claim " + claim.key(), unit)
                && !layout.away.get(unit);
    }

    private boolean selectedBy(List<Selector> selectors, String owner, int unit) {
        for (int i = 0; i < selectors.size(); i++) {
            try {
                if (!selectors.get(i).matches(units[unit], payment)) {
                    return false;
                }
            } catch (Unanswered problem) {
                throw new Failure(owner + ": selector #" + i + ": " + problem.getMessage());
            }
        }
        return true;
    }

    private boolean fits(Option option, int unit) {
        return fits(option, unit, units[unit].holding.consumed);
    }

    private boolean isOneOfAll(Option option, int unit) {
        return features.repairs().allMeansUsedOnesToo() ? fits(option, unit, Map.of()) : fits(option, unit);
    }

    private boolean fits(Option option, int unit, Map<String, Quantity> consumed) {
        String problem = shareProblem(option, unit);
        if (!problem.isEmpty()) {
            throw new Failure(problem);
        }
        return !features.consumableCapacity()
                || Shares.fits(
                        units[unit].device,
                        wantedOf(unit, option),
                        Shares.named(consumed, units[unit], features),
                        planned.get(unit),
                        features);
    }

    private String shareProblem(Option option, int unit) {
        return features.consumableCapacity()
                ? Shares.problem(units[unit].device, wantedOf(unit, option), features)
                : "";
    }

    private Map<String, Quantity> wantedOf(int unit, Option option) {
        return Shares.named(option.wanted().capacity(), units[unit], features);
    }

    /**
     * Gives the device to the claim, if nothing is against it.
     *
     * @param must whether it is one of all, so that a constraint must not be against it
     */
    private boolean take(int claim, Option option, int at, boolean must) {
        Unit unit = units[at];
        boolean shared = isShared(at);
        boolean admin = option.wanted().admin();
        if (admin ? !shared && takenBy[claim].get(at) : isTaken(unit, features) || takers[at] > 0) {
            return false;
        }
        boolean draws = unit.draws() && !(shared && isDrawn(at));
        if (unit.draws() && !features.partitionableDevices()) {
            return false;
        }
        if (draws && !draw(at)) {
            return false;
        }
        if (isTainted(unit, option)) {
            comeBack(at, draws);
            return false;
        }
        List<Rule> ofClaim = rules.get(claim);
        for (int i = 0; i < ofClaim.size(); i++) {
            if (!ofClaim.get(i).add(option, unit)) {
                if (must) {
                    throw new Failure(
                            "claim " + plan.wishes().get(claim).claim().key() + ", request "
                                    + option.shortName() + ": cannot add device " + unit.holding.id
                                    + " because a claim constraint would not be satisfied");
                }
                for (int before = 0; before < i; before++) {
                    ofClaim.get(before).remove(option, unit);
                }
                comeBack(at, draws);
                return false;
            }
        }
        if (!shared && !takenBy[claim].get(at)) {
            takenBy[claim].set(at);
            takers[at]++;
        }
        if (!fits(option, at)) {
            if (features.repairs().countersComeBack()) {
                ofClaim.forEach(rule -> rule.remove(option, unit));
                leave(claim, at);
                comeBack(at, draws);
            }
            return false;
        }
        Map<String, Quantity> consumed = Map.of();
        if (shared) {
            sharers[at]++;
            consumed = Shares.of(unit.device, wantedOf(at, option), features);
            Map<String, Quantity> sum = planned.computeIfAbsent(at, _ -> new HashMap<>());
            consumed.forEach((name, amount) -> sum.merge(name, amount, Quantity::plus));
        }
        taken.get(claim).add(new Taken(option, unit, shared, consumed));
        return true;
    }

    /** Whether who shares the device now draws nothing from counters, as somebody does so already. */
    private boolean isDrawn(int at) {
        Holding holding = units[at].holding;
        return (features.repairs().sharesDrawOnce() ? holding.isHeld() : holding.isConsumed())
                || (features.repairs().countersComeBack() ? sharers[at] > 0 : planned.containsKey(at));
    }

    /** The device is not taken after all, for which counters were drawn from. */
    private void comeBack(int at, boolean drew) {
        if (drew && features.repairs().countersComeBack()) {
            Counters.draw(units[at], false, leftOf(at));
        }
    }

    private void leave(int claim, int at) {
        if (takenBy[claim].get(at)) {
            takenBy[claim].clear(at);
            takers[at]--;
        }
    }

    private void giveBack(int claim, Option option, int at) {
        Unit unit = units[at];
        Taken last = taken.get(claim).removeLast();
        rules.get(claim).forEach(rule -> rule.remove(option, unit));
        leave(claim, at);
        if (!last.shared()) {
            if (unit.draws()) {
                Counters.draw(unit, false, leftOf(at));
            }
            return;
        }
        sharers[at]--;
        comeBack(at, unit.draws() && !isDrawn(at));
        if (!last.consumed().isEmpty()) {
            Map<String, Quantity> sum = planned.getOrDefault(at, new HashMap<>());
            last.consumed().forEach((name, amount) -> sum.computeIfPresent(name, (_, now) -> now.minus(amount)));
            if (sum.values().stream().allMatch(amount -> amount.signum() == 0)) {
                planned.remove(at);
            }
        }
    }

    /** Draws from the pool's counters; none of them may be short then, be it one that the device does not draw on. */
    private boolean draw(int unit) {
        Quantity[] amounts = leftOf(unit);
        looksLeft -= amounts.length / COUNTERS_A_LOOK;
        Counters.draw(units[unit], true, amounts);
        for (Quantity amount : amounts) {
            if (amount.signum() < 0) {
                Counters.draw(units[unit], false, amounts);
                return false;
            }
        }
        return true;
    }

    private Quantity[] leftOf(int unit) {
        Counters counters = layout.counters[unit];
        if (counters == null) {
            throw new IllegalStateException("no counters of " + units[unit].holding.id);
        }
        return left.computeIfAbsent(counters, _ -> counters.left.clone());
    }

    private boolean isTainted(Unit unit, Option option) {
        if (!features.deviceTaints()) {
            return false;
        }
        for (DeviceTaint taint : unit.device.taints()) {
            if (keepsAway(taint, option)) {
                return true;
            }
        }
        for (DeviceTaintRule rule : taints) {
            if (taints(rule, unit, features) && keepsAway(rule.taint(), option)) {
                return true;
            }
        }
        return false;
    }

    static boolean taints(DeviceTaintRule rule, Unit unit, Features features) {
        DeviceId id = unit.holding.id;
        return rule.devices().isEmpty()
                ? !features.repairs().bareRuleTaintsNone()
                : rule.selects(id.driver(), id.pool(), id.device());
    }

    static boolean keepsAway(DeviceTaint taint, Option option) {
        if (!taint.keepsAway()) {
            return false;
        }
        for (DeviceToleration toleration : option.wanted().tolerations()) {
            if (toleration.tolerates(taint)) {
                return false;
            }
        }
        return true;
    }

    // ---- what need not be tried

    /**
     * Whether something may be kept that should be given back, so that each try may change what comes after it; or whether a try
     * may end the search with an error.
     */
    private boolean canSlip() {
        for (int claim = 0; claim < plan.wishes().size(); claim++) {
            Wish wish = plan.wishes().get(claim);
            boolean ruled = !rules.get(claim).isEmpty();
            for (Ask ask : wish.asks()) {
                for (Option option : ask.options()) {
                    if (ruled && option.wantsAll()) {
                        return true;
                    }
                    for (int unit = 0; unit < units.length; unit++) {
                        boolean matches = mayMatch(wish.claim(), option, unit);
                        boolean slips =
                                units[unit].draws() && (isShared(unit) || ruled || isTainted(units[unit], option));
                        byte[] known = matching[option.number()];
                        if (known == null
                                || known[unit] == UNKNOWN
                                || (matches
                                        && (slips || !shareProblem(option, unit).isEmpty()))) {
                            return true;
                        }
                    }
                }
            }
        }
        return false;
    }

    /** Whether the device matches, as far as that can be said without an error. */
    private boolean mayMatch(ResourceClaim claim, Option option, int unit) {
        try {
            return matches(claim, option, unit);
        } catch (Failure _) {
            return true; // to be said once its turn has come
        }
    }

    /** The devices from there on that the request could still have, each for itself. */
    private BitSet candidates(int claim, Option option, int start) {
        ResourceClaim itself = plan.wishes().get(claim).claim();
        BitSet candidates = new BitSet();
        for (int unit = start; unit < units.length; unit++) {
            if (!isInUse(claim, option, unit)
                    && mayMatch(itself, option, unit)
                    && fits(option, unit)
                    && !isTainted(units[unit], option)
                    && isAllowed(claim, option, units[unit])) {
                candidates.set(unit);
            }
        }
        looksLeft -= (units.length - start) * (1 + rules.get(claim).size());
        return candidates;
    }

    /** Whether this or a request behind it wants more devices than there are for it, or they do together. */
    private boolean lacksDevices(int claim, int request, Option first) {
        if (isAnyShared) {
            return false;
        }
        BitSet candidates = new BitSet();
        boolean apart = true;
        long wanted = 0;
        for (int i = claim; i < plan.wishes().size(); i++) {
            List<Ask> asks = plan.wishes().get(i).asks();
            for (int j = i == claim ? request : 0; j < asks.size(); j++) {
                boolean isFirst = i == claim && j == request;
                boolean lacks = true;
                long fewest = Long.MAX_VALUE;
                for (Option option : isFirst ? List.of(first) : asks.get(j).options()) {
                    BitSet ofOption = candidates(i, option, 0);
                    int count = counts[option.number()];
                    lacks &= ofOption.cardinality() < count;
                    fewest = Math.min(fewest, count);
                    apart &= !option.wanted().admin();
                    candidates.or(ofOption);
                }
                if (lacks) {
                    return true;
                }
                wanted += fewest;
            }
        }
        return apart && mostOf(candidates) < wanted;
    }

    /**
     * How many of the devices there can be together at most, by the counters that they draw on. Each counts for the first set
     * that it draws on; of those, a counter leaves out as many as do not fit even if the smallest go first.
     */
    private int mostOf(BitSet candidates) {
        Map<Counters, Map<Integer, List<Integer>>> bySet = new IdentityHashMap<>();
        for (int unit = candidates.nextSetBit(0); unit >= 0; unit = candidates.nextSetBit(unit + 1)) {
            Counters counters = layout.counters[unit];
            if (counters != null && units[unit].draws()) {
                bySet.computeIfAbsent(counters, _ -> new HashMap<>())
                        .computeIfAbsent(counters.setOf(units[unit]), _ -> new ArrayList<>())
                        .add(unit);
            }
        }
        int most = candidates.cardinality();
        for (Map.Entry<Counters, Map<Integer, List<Integer>>> each : bySet.entrySet()) {
            Quantity[] amounts = left.getOrDefault(each.getKey(), each.getKey().left);
            for (List<Integer> ofSet : each.getValue().values()) {
                int leftOut = 0;
                for (int counter = 0; counter < amounts.length; counter++) {
                    leftOut = Math.max(leftOut, leftOut(ofSet, counter, amounts[counter]));
                }
                most -= leftOut;
            }
        }
        return most;
    }

    private int leftOut(List<Integer> drawing, int counter, Quantity available) {
        List<Quantity> amounts = new ArrayList<>();
        for (int unit : drawing) {
            units[unit].drawsOn(counter).ifPresent(amounts::add);
        }
        amounts.sort(Comparator.naturalOrder());
        int leftOut = amounts.size();
        Quantity rest = available;
        for (Quantity amount : amounts) {
            rest = rest.minus(amount);
            leftOut -= rest.signum() < 0 ? 0 : 1;
        }
        return leftOut;
    }

    private boolean isAllowed(int claim, Option option, Unit unit) {
        for (Rule rule : rules.get(claim)) {
            if (!rule.mayTake(option, unit)) {
                return false;
            }
        }
        return true;
    }

    /**
     * All that the rest of the search depends on, with alike devices taken for one another; empty where it depends on more.
     */
    private List<Object> state(int claim, int request, int alternative, int device, boolean inside, int start) {
        int[] kind = kinds();
        if (kind.length < units.length) {
            return List.of();
        }
        int[] used = new int[2 * units.length];
        for (BitSet each : takenBy) {
            for (int unit = each.nextSetBit(0); unit >= 0; unit = each.nextSetBit(unit + 1)) {
                used[2 * kind[unit] + (unit < start ? 0 : 1)]++;
            }
        }
        List<Object> state = new ArrayList<>();
        state.add(IntBuffer.wrap(new int[] {
            claim,
            request,
            alternative,
            device,
            inside ? 1 : 0,
            start,
            taken.get(claim).size()
        }));
        state.add(IntBuffer.wrap(used));
        rules.get(claim).forEach(rule -> state.add(rule.state()));
        if (!planned.isEmpty()) {
            // texts in order: hashes of maps add up, so all ways to share out the same amounts would have one
            List<String> shares = new ArrayList<>();
            planned.forEach((unit, amounts) ->
                    shares.add(kind[unit] + (unit < start ? " behind " : " ahead ") + new TreeMap<>(amounts)));
            shares.sort(Comparator.naturalOrder());
            state.add(shares);
            looksLeft -= LOOKS_A_SHARE * shares.size();
        }
        looksLeft -= units.length;
        return state;
    }

    /** The devices numbered so that those that differ in nothing have one number; none where that does not suffice. */
    private int[] kinds() {
        if (kinds == null) {
            kinds = new int[0];
            boolean simple = true;
            for (int claim = 0; claim < plan.wishes().size(); claim++) {
                for (Ask ask : plan.wishes().get(claim).asks()) {
                    for (Option option : ask.options()) {
                        simple &= !option.wanted().admin();
                        for (Rule rule : rules.get(claim)) {
                            simple &= !rule.constraint.distinct() || counts[option.number()] <= 1;
                        }
                    }
                }
            }
            if (simple) {
                Map<List<Object>, List<Integer>> alike = new HashMap<>();
                int[] numbers = new int[units.length];
                int next = 0;
                for (int unit = 0; unit < units.length; unit++) {
                    List<Integer> before = alike.computeIfAbsent(looks(unit), _ -> new ArrayList<>());
                    int number = -1;
                    for (int other : before) {
                        if (!units[unit].draws() || Counters.drawAlike(units[unit], units[other])) {
                            number = numbers[other];
                            break;
                        }
                    }
                    if (number < 0) {
                        number = next++;
                        before.add(unit);
                    }
                    numbers[unit] = number;
                }
                kinds = numbers;
            }
        }
        return kinds;
    }

    private List<Object> looks(int unit) {
        List<Object> looks = new ArrayList<>();
        looks.add(isTaken(units[unit], features));
        looks.add(units[unit].draws());
        if (isShared(unit)) {
            looks.add(units[unit].device.capacity());
            looks.add(units[unit].holding.consumed);
        }
        for (int claim = 0; claim < plan.wishes().size(); claim++) {
            Wish wish = plan.wishes().get(claim);
            for (Ask ask : wish.asks()) {
                for (Option option : ask.options()) {
                    looks.add(mayMatch(wish.claim(), option, unit)
                            && (isShared(unit) || fits(option, unit))
                            && !isTainted(units[unit], option));
                }
            }
            for (Rule rule : rules.get(claim)) {
                Attribute value = rule.attribute(units[unit]);
                looks.add(value == null ? "" : value);
            }
        }
        return looks;
    }

    /** A constraint of a claim, and what it was told of the devices that the claim would have. */
    private static final class Rule {
        private final ResourceClaim.Constraint constraint;
        private final Map<Object, Attribute> values = new HashMap<>();
        private @Nullable Attribute common;
        private final boolean distinctWithinRequests;
        private int devices;

        Rule(ResourceClaim.Constraint constraint, Features features) {
            this.constraint = constraint;
            distinctWithinRequests = features.repairs().distinctWithinRequests();
        }

        /** By what the values of distinct devices are kept: mostly one for each request, as the reference had it. */
        private Object key(Option option, Unit unit) {
            return distinctWithinRequests ? unit : option.request().name();
        }

        private boolean concerns(Option option) {
            return constraint.requests().isEmpty() || option.isIn(constraint.requests());
        }

        @Nullable
        Attribute attribute(Unit unit) {
            String name = constraint.attribute();
            Attribute full = unit.device.attributes().get(name);
            int slash = name.indexOf('/');
            return full == null && slash >= 0 && name.substring(0, slash).equals(unit.holding.id.driver())
                    ? unit.device.attributes().get(name.substring(slash + 1))
                    : full;
        }

        /** Notes the device; answers no where the devices have not in common, or have, what the constraint says. */
        boolean add(Option option, Unit unit) {
            if (!concerns(option)) {
                return true;
            }
            Attribute value = attribute(unit);
            if (value == null || (devices > 0 && !agrees(value))) {
                return false;
            }
            if (constraint.distinct()) {
                values.put(key(option, unit), value);
            } else if (devices == 0) {
                common = value;
            }
            devices++;
            return true;
        }

        private boolean agrees(Attribute value) {
            boolean known = !(value instanceof Attribute.Unknown);
            return constraint.distinct()
                    ? values.isEmpty() || (known && !values.containsValue(value))
                    : known && value.equals(common);
        }

        void remove(Option option, Unit unit) {
            if (concerns(option)) {
                values.remove(key(option, unit));
                devices--;
            }
        }

        /** Whether it may be noted, now or after others. */
        boolean mayTake(Option option, Unit unit) {
            if (!concerns(option)) {
                return true;
            }
            Attribute value = attribute(unit);
            return value != null && (constraint.distinct() || devices == 0 || agrees(value));
        }

        Object state() {
            return constraint.distinct()
                    ? List.of(devices > 0, Map.copyOf(values))
                    : devices > 0 ? String.valueOf(common) : "";
        }
    }
}
