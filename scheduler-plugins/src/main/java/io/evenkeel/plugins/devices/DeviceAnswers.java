package io.evenkeel.plugins.devices;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.index.ObjectStore;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Account.DeviceUsers;
import io.evenkeel.framework.why.Account.NodeDevices;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.Change.ObjectRemoved;
import io.evenkeel.framework.why.Change.PodGone;
import io.evenkeel.framework.why.ClaimChange;
import io.evenkeel.framework.why.ClaimChange.AlternativeAdded;
import io.evenkeel.framework.why.ClaimChange.ConstraintDropped;
import io.evenkeel.framework.why.ClaimChange.FewerDevices;
import io.evenkeel.framework.why.ClaimChange.OtherClass;
import io.evenkeel.framework.why.ClaimChange.Place;
import io.evenkeel.framework.why.ClaimChange.SelectorDropped;
import io.evenkeel.framework.why.ClaimChange.Source;
import io.evenkeel.framework.why.ClaimChange.TaintTolerated;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodResourceClaim;
import io.evenkeel.model.device.Device;
import io.evenkeel.model.device.DeviceAllocation;
import io.evenkeel.model.device.DeviceClass;
import io.evenkeel.model.device.DeviceRequest;
import io.evenkeel.model.device.DeviceRequest.Wanted;
import io.evenkeel.model.device.DeviceTaint;
import io.evenkeel.model.device.DeviceTaintRule;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.plugins.devices.DeviceBook.Answer;
import io.evenkeel.plugins.devices.Holdings.DeviceId;
import io.evenkeel.plugins.devices.Plan.Ask;
import io.evenkeel.plugins.devices.Plan.Option;
import io.evenkeel.plugins.devices.Plan.Wish;
import io.evenkeel.plugins.devices.Pools.Unit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Explains DynamicResources to a pod: what the devices are lost to that its claims ask for, and what might give it some. */
final class DeviceAnswers {
    private static final int MOST_NODES = 5;
    private static final int MOST_LOOKS = 1_000_000;
    private static final int MOST_PODS = 5;
    private static final int MOST_CLASSES = 3;
    private static final int MOST_OTHERS = 3;
    private static final int MOST_MENTIONS = 2;

    private final ObjectStore objects;
    private final NodeTable nodes;
    private final PodTable pods;
    private final DeviceBook book;
    private final ClaimsUnderway underway;

    DeviceAnswers(ClusterView cluster, DeviceBook book) {
        objects = cluster.objects();
        nodes = cluster.nodes();
        pods = cluster.pods();
        this.book = book;
        underway = ClaimsUnderway.of(cluster);
    }

    /** Of claims by which no node can be found yet. */
    List<Account> ofUnusable(Pod pod, String why) {
        List<Account> accounts = new ArrayList<>();
        Map<String, String> names = ClaimChange.namesOf(pod);
        Map<String, ResourceClaim> claims = ClaimChange.claimsOf(pod, objects);
        for (PodResourceClaim each : pod.spec().resourceClaims()) {
            String who = "claim " + each.name() + ": ";
            ResourceClaim claim = claims.get(each.name());
            if (claim == null && !each.resourceClaimName().isEmpty()) {
                accounts.add(Account.Mistake.of(
                        who + "there is no ResourceClaim " + each.resourceClaimName(),
                        each.resourceClaimName(),
                        claimNames(pod.namespace())));
            } else if (claim == null && !names.containsKey(each.name()) && isAwaited(pod, each)) {
                accounts.add(new Account.Words(who + "waits for a controller to make it of ResourceClaimTemplate "
                        + each.resourceClaimTemplateName() + "; events of the pod tell what keeps it"));
            } else if (claim != null && claim.meta().terminating()) {
                accounts.add(
                        new Account.Words(who + "ResourceClaim " + claim.meta().name() + " is being deleted"));
            } else if (claim != null && claim.isFullFor(pod.meta().uid())) {
                accounts.add(
                        new Account.Words(who + "ResourceClaim " + claim.meta().name() + " is used by "
                                + claim.reservedFor().size() + " pods, and by no more at a time"));
            } else if (claim != null) {
                claim.spec().requests().stream()
                        .flatMap(request -> request.alternatives().stream())
                        .map(DeviceRequest.Wanted::deviceClass)
                        .filter(this::isMissing)
                        .distinct()
                        .forEach(name -> accounts.add(
                                Account.Mistake.of(who + "there is no device class " + name, name, classes())));
            }
        }
        if (accounts.isEmpty()) {
            accounts.add(new Account.Words(why));
        }
        return List.copyOf(accounts);
    }

    private static boolean isAwaited(Pod pod, PodResourceClaim claim) {
        return !claim.resourceClaimTemplateName().isEmpty()
                && pod.status().claims().stream().noneMatch(made -> made.name().equals(claim.name()));
    }

    private SortedSet<String> claimNames(String namespace) {
        return objects.all(Kinds.RESOURCE_CLAIM).stream()
                .map(ResourceClaim::meta)
                .filter(meta ->
                        meta.namespace().equals(namespace) && meta.controller().isEmpty())
                .map(ObjectMeta::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private boolean isMissing(String deviceClass) {
        return !deviceClass.isEmpty()
                && objects.find(Kinds.DEVICE_CLASS, deviceClass).isEmpty();
    }

    private SortedSet<String> classes() {
        return objects.all(Kinds.DEVICE_CLASS).stream()
                .map(DeviceClass::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Of claims that have devices somewhere, and of those that need some. */
    List<Account> accounts(Pod pod, List<ResourceClaim> with, List<ResourceClaim> without, Reach reach) {
        List<Account> accounts = new ArrayList<>();
        for (ResourceClaim claim : with) {
            List<String> there = present()
                    .filter(node -> reach.includes(claim, node))
                    .mapToObj(nodes::name)
                    .toList();
            if (there.size() < nodes.count()) {
                accounts.add(Account.Places.of(
                        "claim " + nameOf(pod, claim) + ": its devices, within reach", there, nodes.count()));
            }
        }
        accounts.addAll(ofFree(pod, without));
        return List.copyOf(accounts);
    }

    /** Where the devices can be used that a claim has. */
    @FunctionalInterface
    interface Reach {
        boolean includes(ResourceClaim claim, int node);
    }

    private IntStream present() {
        return IntStream.range(0, nodes.end()).filter(nodes::isPresent);
    }

    /** Empty for the claim that is made for extended resources. */
    private String nameOf(Pod pod, ResourceClaim claim) {
        return ClaimChange.claimsOf(pod, objects).entrySet().stream()
                .filter(each -> each.getValue().key().equals(claim.key()))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("");
    }

    private List<Account> ofFree(Pod pod, List<ResourceClaim> claims) {
        Map<DeviceId, ResourceClaim> holders = holders();
        List<Account> all = new ArrayList<>();
        List<Account> inTheWay = new ArrayList<>();
        for (Wish wish : book.plan(claims).wishes()) {
            for (Ask ask : wish.asks()) {
                boolean isShort = true;
                List<Account> ofAsk = new ArrayList<>();
                for (Option option : ask.options()) {
                    Account.Devices account = account(pod, claims, wish, option, holders);
                    ofAsk.add(account);
                    isShort &= account.nodes().isEmpty()
                            || isShort(option, account.nodes().getFirst().free());
                }
                all.addAll(ofAsk);
                if (isShort) {
                    inTheWay.addAll(ofAsk);
                }
            }
        }
        return inTheWay.isEmpty() ? all : inTheWay;
    }

    private static boolean isShort(Option option, long free) {
        return free < Math.max(1, option.wanted().count());
    }

    private Account.Devices account(
            Pod pod, List<ResourceClaim> claims, Wish wish, Option option, Map<DeviceId, ResourceClaim> holders) {
        List<NodeDevices> counted = new ArrayList<>();
        SortedMap<String, Integer> lostInAll = new TreeMap<>();
        Set<String> users = new TreeSet<>();
        Set<String> others = new TreeSet<>();
        List<DeviceLoss> bySelectors = new ArrayList<>();
        int devices = 0;
        int free = 0;
        int looks = MOST_LOOKS;
        for (int node = 0; node < nodes.end() && looks > 0; node++) {
            if (nodes.isPresent(node)) {
                List<DeviceLoss> all = book.lossesOfAll(option, node);
                List<DeviceLoss> losses = ofClass(all);
                looks -= all.size() + 1;
                all.stream().filter(loss -> !loss.selector().isEmpty()).forEach(bySelectors::add);
                if (!losses.isEmpty()) {
                    NodeDevices there = devices(nodes.name(node), losses);
                    counted.add(there);
                    devices += there.devices();
                    free += there.free();
                    there.lost().forEach((what, many) -> lostInAll.merge(what, many, Integer::sum));
                    for (DeviceLoss loss : losses) {
                        ResourceClaim holder =
                                loss.kind() == DeviceLoss.Kind.USE ? holders.get(loss.unit().holding.id) : null;
                        if (holder != null) {
                            List<String> its = usersOf(holder);
                            (its.isEmpty() || !holder.meta().namespace().equals(pod.namespace()) ? others : users)
                                    .addAll(its.isEmpty() ? List.of(holder.key()) : its);
                        }
                    }
                }
            }
        }
        counted.sort(Comparator.comparingInt(NodeDevices::free)
                .reversed()
                .thenComparing(Comparator.comparingInt(NodeDevices::devices).reversed()));
        List<NodeDevices> best = counted.stream().limit(MOST_NODES).toList();
        boolean isShort = best.isEmpty() || isShort(option, best.getFirst().free());
        boolean isAlone =
                wish.asks().size() == 1 && wish.asks().getFirst().options().size() == 1;
        return new Account.Devices(
                nameOf(pod, wish.claim()),
                isAlone ? "" : option.fullName(),
                option.wanted().deviceClass(),
                option.wantsAll() ? 0 : option.wanted().count(),
                new NodeDevices("", devices, free, lostInAll),
                best,
                counted.size() - best.size(),
                isShort
                        ? ""
                        : beside(
                                wish,
                                option,
                                claims,
                                nodes.findPresent(best.getFirst().node())),
                new DeviceUsers(List.copyOf(users), others.size()),
                isShort ? instead(option, bySelectors, best.isEmpty()) : "");
    }

    private static List<DeviceLoss> ofClass(List<DeviceLoss> losses) {
        return losses.stream()
                .filter(loss -> loss.kind() != DeviceLoss.Kind.CLASS)
                .toList();
    }

    /** What devices have that a selector does not match: of the selector that keeps most of them away. */
    private String instead(Option option, List<DeviceLoss> bySelectors, boolean ofClass) {
        String nowhere = ofClass ? book.whyNowhere(option) : "";
        if (!nowhere.isEmpty()) {
            return nowhere;
        }
        Map<String, List<DeviceLoss>> bySelector = bySelectors.stream()
                .filter(loss -> (loss.kind() == DeviceLoss.Kind.CLASS) == ofClass)
                .collect(Collectors.groupingBy(DeviceLoss::selector, TreeMap::new, Collectors.toList()));
        return bySelector.entrySet().stream()
                .max(Comparator.comparingInt(each -> each.getValue().size()))
                .map(most -> {
                    List<Unit> units =
                            most.getValue().stream().map(DeviceLoss::unit).toList();
                    String there = Mention.in(most.getKey()).stream()
                            .map(mention -> mention.words() + " " + mention.values(units))
                            .distinct()
                            .limit(MOST_MENTIONS)
                            .collect(Collectors.joining(" and "));
                    return ofClass
                            ? "its selector " + SelectorDropped.brief(most.getKey())
                                    + " matches none of the devices there are"
                                    + (there.isEmpty() ? "" : ", which have " + there)
                            : there.isEmpty() ? "" : "others have " + there;
                })
                .orElse("");
    }

    /**
     * What an expression asks of a device.
     *
     * @param name the driver, or an attribute by its domain and name
     * @param begin where the text begins that it is compared with, and ends; negative for no such
     */
    private record Mention(String name, int begin, int end) {
        private static final Pattern PATTERN = Pattern.compile("device\\.(?:driver\\b"
                + "|attributes\\[\\s*[\"']([^\"']+)[\"']\\s*]\\s*(?:\\.\\s*(\\w+)|\\[\\s*[\"'](\\w+)[\"']\\s*]))"
                + "(?:\\s*==\\s*[\"']([^\"'\\\\]*)[\"'])?");
        private static final int MOST_VALUES = 4;

        static List<Mention> in(String expression) {
            return PATTERN.matcher(expression)
                    .results()
                    .map(found -> new Mention(
                            found.group(1) == null
                                    ? "driver"
                                    : found.group(1) + '/' + (found.group(2) == null ? found.group(3) : found.group(2)),
                            found.start(4),
                            found.end(4)))
                    .toList();
        }

        String words() {
            return name.substring(name.lastIndexOf('/') + 1);
        }

        Optional<String> value(Unit unit) {
            String driver = unit.holding.id.driver();
            if (name.equals("driver")) {
                return Optional.of(driver);
            }
            Map<String, Device.Attribute> attributes = unit.device.attributes();
            Device.Attribute attribute = attributes.get(name);
            if (attribute == null && name.startsWith(driver + '/')) {
                attribute = attributes.get(name.substring(driver.length() + 1));
            }
            return switch (attribute) {
                case Device.Attribute.Text(String text) -> Optional.of(text);
                case Device.Attribute.Version(String version) -> Optional.of(version);
                case Device.Attribute.Int(long number) -> Optional.of(String.valueOf(number));
                case Device.Attribute.Bool(boolean truth) -> Optional.of(String.valueOf(truth));
                case Device.Attribute.Unknown _ -> Optional.empty();
                case null -> Optional.empty();
            };
        }

        String values(List<Unit> units) {
            SortedSet<String> values =
                    units.stream().flatMap(unit -> value(unit).stream()).collect(Collectors.toCollection(TreeSet::new));
            int more = values.size() - MOST_VALUES;
            return values.isEmpty()
                    ? "nowhere"
                    : values.stream().limit(MOST_VALUES).collect(Collectors.joining(", "))
                            + (more > 0 ? " and " + more + " more" : "");
        }
    }

    private static NodeDevices devices(String node, List<DeviceLoss> losses) {
        SortedMap<String, Integer> lost = new TreeMap<>();
        losses.stream()
                .filter(loss -> loss.kind() != DeviceLoss.Kind.NONE)
                .forEach(loss -> lost.merge(loss.what(), 1, Integer::sum));
        int free = losses.size()
                - lost.values().stream().mapToInt(Integer::intValue).sum();
        return new NodeDevices(node, losses.size(), free, lost);
    }

    /** Why enough devices are not enough: found out by asking for less. */
    private String beside(Wish wish, Option option, List<ResourceClaim> claims, int node) {
        ResourceClaim.Spec spec = wish.claim().spec();
        DeviceRequest alone = new DeviceRequest(option.request().name(), List.of(option.wanted()), false);
        List<ResourceClaim.Constraint> constraints = spec.constraints().stream()
                .filter(constraint -> constraint.requests().isEmpty() || option.isIn(constraint.requests()))
                .map(constraint ->
                        new ResourceClaim.Constraint(List.of(), constraint.attribute(), constraint.distinct()))
                .toList();
        if (!canHave(wish, alone, List.of(), node)) {
            boolean draw = book.losses(option, node).stream()
                    .filter(loss -> loss.kind() == DeviceLoss.Kind.NONE)
                    .anyMatch(loss -> loss.unit().draws());
            return draw ? "they draw on the same counters" : "";
        }
        for (ResourceClaim.Constraint constraint : constraints) {
            if (!canHave(wish, alone, List.of(constraint), node)) {
                return constraint.distinct()
                        ? "they do not differ in " + constraint.attribute()
                        : "they have no one value of " + constraint.attribute();
            }
        }
        boolean hasOthers = claims.size() > 1 || spec.requests().size() > 1;
        if (!hasOthers || book.allocate(claims, node) instanceof Answer.Found) {
            return "";
        }
        return spec.constraints().isEmpty()
                ? "not beside the pod's other requests"
                : "not beside the pod's other requests, with "
                        + spec.constraints().stream()
                                .map(constraint ->
                                        (constraint.distinct() ? "different " : "the same ") + constraint.attribute())
                                .collect(Collectors.joining(" and "));
    }

    private boolean canHave(Wish wish, DeviceRequest alone, List<ResourceClaim.Constraint> constraints, int node) {
        ResourceClaim less = new ResourceClaim(
                wish.claim().meta(),
                new ResourceClaim.Spec(List.of(alone), constraints, List.of()),
                Optional.empty(),
                List.of(),
                List.of());
        return book.allocate(List.of(less), node) instanceof Answer.Found;
    }

    /** Which claim has a device, as a whole. */
    private Map<DeviceId, ResourceClaim> holders() {
        Map<DeviceId, ResourceClaim> holders = new HashMap<>();
        for (ResourceClaim claim : objects.all(Kinds.RESOURCE_CLAIM)) {
            claim.allocation().or(() -> book.assumed(claim)).map(DeviceAllocation::results).stream()
                    .flatMap(List::stream)
                    .filter(result -> !result.admin())
                    .forEach(result ->
                            holders.put(new DeviceId(result.driver(), result.pool(), result.device()), claim));
        }
        return holders;
    }

    /** With the pod for which it has got its devices, though the server does not show it. */
    private List<String> usersOf(ResourceClaim claim) {
        List<String> shown = podsOf(claim);
        return shown.isEmpty() ? underway.holderOf(claim).map(Pod::key).stream().toList() : shown;
    }

    private static List<String> podsOf(ResourceClaim claim) {
        return claim.reservedFor().stream()
                .filter(consumer -> consumer.resource().equals("pods"))
                .map(consumer -> claim.meta().namespace() + '/' + consumer.name())
                .toList();
    }

    /** How many devices the node lacks. */
    double distance(List<ResourceClaim> without, int node) {
        long lacking = 0;
        for (Wish wish : book.plan(without).wishes()) {
            for (Ask ask : wish.asks()) {
                lacking += ask.options().stream()
                        .mapToLong(option -> lacking(option, book.losses(option, node)))
                        .min()
                        .orElse(0);
            }
        }
        return lacking;
    }

    private static long lacking(Option option, List<DeviceLoss> losses) {
        long free = losses.stream()
                .filter(loss -> loss.kind() == DeviceLoss.Kind.NONE)
                .count();
        return Math.max(0, Math.max(1, option.wanted().count()) - free);
    }

    /** Of the users of claims that can have no more. */
    List<List<Change>> oneUserLess(Pod pod) {
        List<List<Change>> ways = new ArrayList<>();
        ClaimChange.claimsOf(pod, objects).values().stream()
                .filter(claim -> claim.isFullFor(pod.meta().uid()))
                .flatMap(claim -> inPlace(podsOf(claim)).limit(MOST_PODS))
                .forEach(user -> ways.add(List.of(gone(user))));
        return ways;
    }

    /** Classes there are, in the place of those that there are not. */
    List<List<Change>> otherClasses(Pod pod) {
        List<List<Change>> ways = new ArrayList<>();
        for (String there : classes().stream().limit(MOST_CLASSES).toList()) {
            List<Change> changes = new ArrayList<>();
            ClaimChange.claimsOf(pod, objects)
                    .forEach((name, claim) -> claim.spec()
                            .requests()
                            .forEach(request -> request.alternatives().stream()
                                    .filter(wanted -> isMissing(wanted.deviceClass()))
                                    .forEach(wanted -> changes.add(new OtherClass(
                                            Place.of(Source.of(pod, name, claim), claim, request, wanted),
                                            wanted.deviceClass(),
                                            there)))));
            if (!changes.isEmpty()) {
                ways.add(List.copyOf(changes));
            }
        }
        return ways;
    }

    private PodGone gone(Pod pod) {
        return new PodGone(pod, nodes.name(pods.node(pods.find(pod.key()))));
    }

    /** Those of the lowest priority first. */
    private Stream<Pod> inPlace(Collection<String> keys) {
        return keys.stream()
                .map(pods::find)
                .filter(row -> row != PodTable.NONE)
                .map(pods::pod)
                .sorted(Comparator.comparingInt(pod -> pod.spec().priority()));
    }

    /** Less or something else that is asked for, or what the devices of the node are lost to gone. */
    List<List<Change>> remedies(Pod pod, List<ResourceClaim> without, int node) {
        Set<List<Change>> fewer = new LinkedHashSet<>();
        Set<List<Change>> others = new LinkedHashSet<>();
        Set<List<Change>> tolerations = new LinkedHashSet<>();
        Set<List<Change>> selectors = new LinkedHashSet<>();
        Set<List<Change>> constraints = new LinkedHashSet<>();
        Set<List<Change>> gone = new LinkedHashSet<>();
        Map<DeviceId, ResourceClaim> holders = holders();
        DeviceBook.Budget budget = book.budget(MOST_LOOKS);
        for (Wish wish : book.plan(without).wishes()) {
            String name = nameOf(pod, wish.claim());
            Source source = Source.of(pod, name, wish.claim());
            for (Ask ask : wish.asks()) {
                for (Option option : ask.options()) {
                    Place place = Place.of(source, wish.claim(), ask.request(), option.wanted());
                    List<DeviceLoss> losses = book.losses(option, node);
                    long lacking = lacking(option, losses);
                    long count = option.wanted().count();
                    if (lacking > 0) {
                        gone.addAll(gone(node, losses, lacking, holders));
                        losses.stream()
                                .flatMap(loss -> loss.rule().stream())
                                .distinct()
                                .forEach(rule -> tolerations.add(List.of(without(rule))));
                    }
                    if (name.isEmpty()) {
                        continue;
                    }
                    if (!option.wantsAll() && count > 1) {
                        fewer.add(List.of(new FewerDevices(place, count, Math.max(1, count - Math.max(1, lacking)))));
                    }
                    if (lacking > 0) {
                        taints(losses).forEach(taint -> tolerations.add(List.of(new TaintTolerated(place, taint))));
                        losses.stream()
                                .filter(loss -> loss.kind() == DeviceLoss.Kind.SELECTOR)
                                .forEach(loss -> selectors.add(List.of(new SelectorDropped(place, loss.selector()))));
                    }
                    others(place, option, losses).stream()
                            .flatMap(
                                    change -> found(without, wish.claim(), change, budget)
                                            .map(found -> told(change, found, losses))
                                            .stream())
                            .limit(MOST_OTHERS)
                            .forEach(change -> others.add(List.of(change)));
                }
            }
            wish.claim().spec().constraints().stream()
                    .map(constraint -> new ConstraintDropped(source, constraint))
                    .filter(change ->
                            found(without, wish.claim(), change, budget).isPresent())
                    .forEach(change -> constraints.add(List.of(change)));
        }
        List<List<Change>> ways = new ArrayList<>();
        for (Collection<List<Change>> some : List.of(fewer, others, tolerations, selectors, constraints, gone)) {
            ways.addAll(some);
        }
        return ways;
    }

    private static Change without(DeviceTaintRule rule) {
        return new ObjectRemoved(
                Change.Kind.TAINT, rule, "DeviceTaintRule " + rule.meta().name() + " gone");
    }

    /** An alternative of the drivers of which devices are wanted now is nearer than any other. */
    private static ClaimChange told(ClaimChange change, Answer.Found found, List<DeviceLoss> losses) {
        Set<String> drivers =
                losses.stream().map(loss -> loss.unit().holding.id.driver()).collect(Collectors.toSet());
        boolean isNear = found.allocations().stream()
                .flatMap(allocation -> allocation.results().stream())
                .allMatch(result -> drivers.contains(result.driver()));
        return change instanceof AlternativeAdded(var place, var other, var _)
                ? new AlternativeAdded(place, other, isNear)
                : change;
    }

    /** Devices that some node has for all claims with one of them changed; as long as there are looks left for it. */
    private Optional<Answer.Found> found(
            List<ResourceClaim> claims, ResourceClaim changed, ClaimChange change, DeviceBook.Budget budget) {
        List<ResourceClaim> all = claims.stream()
                .map(claim -> claim == changed ? change.applied(claim) : claim)
                .toList();
        return present()
                .takeWhile(_ -> !budget.isSpent())
                .mapToObj(node -> budget.allocate(all, node))
                .filter(Answer.Found.class::isInstance)
                .map(Answer.Found.class::cast)
                .findFirst();
    }

    /**
     * What there is that may stand in for what a request asks for: devices with another value of what a selector compares, then
     * those of other classes. For administration nothing stands in.
     */
    private List<ClaimChange> others(Place place, Option option, List<DeviceLoss> losses) {
        Wanted wanted = option.wanted();
        boolean mayHaveMore = book.takesAlternatives()
                && option.request().alternatives().size() < DeviceRequest.MOST_ALTERNATIVES
                && !wanted.admin();
        List<ClaimChange> others = new ArrayList<>();
        if (mayHaveMore) {
            losses.stream()
                    .filter(loss -> loss.kind() == DeviceLoss.Kind.SELECTOR)
                    .flatMap(loss -> otherValues(loss)
                            .map(other -> wanted.selecting(wanted.selectors().stream()
                                    .map(selector -> selector.equals(loss.selector()) ? other : selector)
                                    .toList())))
                    .distinct()
                    .forEach(other -> others.add(new AlternativeAdded(place, other, true)));
        }
        classes().stream()
                .filter(other -> !other.equals(wanted.deviceClass()))
                .forEach(other -> others.add(
                        mayHaveMore
                                ? new AlternativeAdded(
                                        place, wanted.ofClass(other).selecting(List.of()), false)
                                : new OtherClass(place, wanted.deviceClass(), other)));
        return others;
    }

    /** The selector with what the device has in the place of what it is compared with. */
    private static Stream<String> otherValues(DeviceLoss loss) {
        return Mention.in(loss.selector()).stream()
                .filter(mention -> mention.begin() >= 0)
                .flatMap(mention -> mention
                        .value(loss.unit())
                        .filter(value -> value.matches("[-\\w. ]+"))
                        .map(value -> loss.selector().substring(0, mention.begin())
                                + value
                                + loss.selector().substring(mention.end()))
                        .stream());
    }

    private static Set<DeviceTaint> taints(List<DeviceLoss> losses) {
        Set<DeviceTaint> taints = new LinkedHashSet<>();
        losses.forEach(loss -> loss.taint()
                .ifPresent(taint -> taints.add(new DeviceTaint(taint.key(), taint.value(), taint.effect(), ""))));
        return taints;
    }

    /** Pods that have enough of the node's devices for themselves alone, those of the lowest priority first: each, or several. */
    private List<List<Change>> gone(
            int node, List<DeviceLoss> losses, long lacking, Map<DeviceId, ResourceClaim> holders) {
        Map<String, Integer> devices = new TreeMap<>();
        for (DeviceLoss loss : losses) {
            @Nullable ResourceClaim holder = holders.get(loss.unit().holding.id);
            boolean isInTheWay = switch (loss.kind()) {
                case USE, COUNTER, CAPACITY -> true;
                case CLASS, NODE, SELECTOR, TAINT, NONE -> false;
            };
            if (isInTheWay && holder != null && holder.reservedFor().size() == 1) {
                podsOf(holder).forEach(pod -> devices.merge(pod, 1, Integer::sum));
            }
        }
        List<Pod> there = inPlace(devices.keySet())
                .filter(pod -> pods.node(pods.find(pod.key())) == node)
                .toList();
        List<List<Change>> ways = new ArrayList<>();
        there.stream()
                .filter(pod -> devices.getOrDefault(pod.key(), 0) >= lacking)
                .limit(MOST_PODS)
                .forEach(pod -> ways.add(List.of(gone(pod))));
        if (ways.isEmpty()) {
            List<Change> several = new ArrayList<>();
            long left = lacking;
            for (Pod pod : there) {
                if (left > 0) {
                    several.add(gone(pod));
                    left -= devices.getOrDefault(pod.key(), 0);
                }
            }
            if (left <= 0 && !several.isEmpty()) {
                ways.add(List.copyOf(several));
            }
        }
        return ways;
    }
}
