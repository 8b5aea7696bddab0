package io.evenkeel.plugins.devices;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.index.ObjectStore;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Account.DeviceUsers;
import io.evenkeel.framework.why.Account.NodeDevices;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.Change.PodGone;
import io.evenkeel.framework.why.ClaimChange;
import io.evenkeel.framework.why.ClaimChange.FewerDevices;
import io.evenkeel.framework.why.ClaimChange.OtherClass;
import io.evenkeel.framework.why.ClaimChange.Place;
import io.evenkeel.framework.why.ClaimChange.SelectorDropped;
import io.evenkeel.framework.why.ClaimChange.TaintTolerated;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodResourceClaim;
import io.evenkeel.model.device.DeviceAllocation;
import io.evenkeel.model.device.DeviceClass;
import io.evenkeel.model.device.DeviceRequest;
import io.evenkeel.model.device.DeviceTaint;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.plugins.devices.DeviceBook.Answer;
import io.evenkeel.plugins.devices.Holdings.DeviceId;
import io.evenkeel.plugins.devices.Plan.Ask;
import io.evenkeel.plugins.devices.Plan.Option;
import io.evenkeel.plugins.devices.Plan.Wish;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Explains DynamicResources to a pod: what the devices are lost to that its claims ask for, and what might give it some. */
final class DeviceAnswers {
    private static final int MOST_NODES = 5;
    private static final int MOST_LOOKS = 1_000_000;
    private static final int MOST_PODS = 5;
    private static final int MOST_CLASSES = 3;

    private final ObjectStore objects;
    private final NodeTable nodes;
    private final PodTable pods;
    private final DeviceBook book;

    DeviceAnswers(ClusterView cluster, DeviceBook book) {
        objects = cluster.objects();
        nodes = cluster.nodes();
        pods = cluster.pods();
        this.book = book;
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
                        + each.resourceClaimTemplateName()));
            } else if (claim != null && claim.meta().terminating()) {
                accounts.add(
                        new Account.Words(who + "ResourceClaim " + claim.meta().name() + " is being deleted"));
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
        int devices = 0;
        int free = 0;
        int looks = MOST_LOOKS;
        for (int node = 0; node < nodes.end() && looks > 0; node++) {
            if (nodes.isPresent(node)) {
                List<DeviceLoss> losses = book.losses(option, node);
                looks -= losses.size() + 1;
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
                            List<String> its = podsOf(holder);
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
                best.isEmpty() || isShort(option, best.getFirst().free())
                        ? ""
                        : beside(
                                wish,
                                option,
                                claims,
                                nodes.findPresent(best.getFirst().node())),
                new DeviceUsers(List.copyOf(users), others.size()));
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
                                            Place.of(pod, name, claim, request, wanted),
                                            wanted.deviceClass(),
                                            there)))));
            if (!changes.isEmpty()) {
                ways.add(List.copyOf(changes));
            }
        }
        return ways;
    }

    /** Less that is asked for, or pods that have the devices of the node gone. */
    List<List<Change>> remedies(Pod pod, List<ResourceClaim> without, int node) {
        Set<List<Change>> fewer = new LinkedHashSet<>();
        Set<List<Change>> classes = new LinkedHashSet<>();
        Set<List<Change>> tolerations = new LinkedHashSet<>();
        Set<List<Change>> selectors = new LinkedHashSet<>();
        Set<List<Change>> gone = new LinkedHashSet<>();
        for (Wish wish : book.plan(without).wishes()) {
            String name = nameOf(pod, wish.claim());
            for (Ask ask : wish.asks()) {
                for (Option option : ask.options()) {
                    Place place = Place.of(pod, name, wish.claim(), ask.request(), option.wanted());
                    List<DeviceLoss> losses = book.losses(option, node);
                    long lacking = lacking(option, losses);
                    long count = option.wanted().count();
                    if (name.isEmpty()) {
                        gone.addAll(lacking > 0 ? gone(node, losses, lacking) : List.of());
                        continue;
                    }
                    if (!option.wantsAll() && count > 1) {
                        fewer.add(List.of(new FewerDevices(place, count, Math.max(1, count - Math.max(1, lacking)))));
                    }
                    if (lacking > 0) {
                        taints(losses).forEach(taint -> tolerations.add(List.of(new TaintTolerated(place, taint))));
                        losses.stream()
                                .filter(loss -> loss.kind() == DeviceLoss.Kind.SELECTOR)
                                .forEach(loss -> selectors.add(List.of(new SelectorDropped(
                                        place,
                                        loss.selector(),
                                        DeviceLoss.brief(
                                                option.wanted().selectors().get(loss.selector()))))));
                        classes().stream()
                                .filter(other -> !other.equals(option.wanted().deviceClass()))
                                .limit(MOST_CLASSES)
                                .forEach(other -> classes.add(List.of(
                                        new OtherClass(place, option.wanted().deviceClass(), other))));
                        gone.addAll(gone(node, losses, lacking));
                    }
                }
            }
        }
        List<List<Change>> ways = new ArrayList<>();
        for (Collection<List<Change>> some : List.of(fewer, classes, tolerations, selectors, gone)) {
            ways.addAll(some);
        }
        return ways;
    }

    private static Set<DeviceTaint> taints(List<DeviceLoss> losses) {
        Set<DeviceTaint> taints = new LinkedHashSet<>();
        losses.forEach(loss -> loss.taint()
                .ifPresent(taint -> taints.add(new DeviceTaint(taint.key(), taint.value(), taint.effect(), ""))));
        return taints;
    }

    /** Pods that have enough of the node's devices for themselves alone, those of the lowest priority first: each, or several. */
    private List<List<Change>> gone(int node, List<DeviceLoss> losses, long lacking) {
        Map<DeviceId, ResourceClaim> holders = holders();
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
        List<Pod> there = devices.keySet().stream()
                .map(pods::find)
                .filter(row -> row != PodTable.NONE && pods.node(row) == node)
                .map(pods::pod)
                .sorted(Comparator.comparingInt(pod -> pod.spec().priority()))
                .toList();
        List<List<Change>> ways = new ArrayList<>();
        there.stream()
                .filter(pod -> devices.getOrDefault(pod.key(), 0) >= lacking)
                .limit(MOST_PODS)
                .forEach(pod -> ways.add(List.of(new PodGone(pod, nodes.name(node)))));
        if (ways.isEmpty()) {
            List<Change> several = new ArrayList<>();
            long left = lacking;
            for (Pod pod : there) {
                if (left > 0) {
                    several.add(new PodGone(pod, nodes.name(node)));
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
