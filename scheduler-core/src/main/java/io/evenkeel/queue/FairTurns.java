package io.evenkeel.queue;

import io.evenkeel.cluster.index.Work;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodSpec;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides which pods wait behind others' because their namespaces take much more work than pods do. Work is counted in units,
 * not timed, so the order of the pods follows from what happens alone.
 *
 * <p>A step for a pod may take so much as such a step usually takes, several times over. What it takes beyond that its namespace
 * owes, and usual work of the others pays it off, half a unit for each, shared by all who owe. A namespace that owes much is
 * behind, until it has been paid off: none of its pods has its turn while pods of others are active. So whatever a tenant
 * makes, the others get two thirds of the work at least, and who takes no more than usual is never behind. Where nobody else
 * is around, nothing changes for those who are. For example, where 10 is usual and 100 is much:
 *
 * <pre>
 *   step              work   usual   big owes
 *   a pod of big      130    10      120         behind from now on, while others are active
 *   40 of small       200    200     20
 *   5 of small        50     50      0           no longer behind
 * </pre>
 *
 * <p>Of a pod with many rules it is known before it is tried that it takes much. As long as its namespace is not behind, it is
 * one of the <i>large</i> ones, which are behind together once one of them has taken much: so of a hundred namespaces with one
 * such pod each not all have a first try at once.
 *
 * <p>A step cannot be interrupted, and whoever comes meanwhile waits until it ends. So where others have been around in the last
 * minute, a namespace that is behind rests after each step that takes more than usual, 255 times as long as that takes roughly, even if
 * nobody else is active: its long steps take one of 256 parts of the time, and of hundred pods of others not one comes during them.
 */
public final class FairTurns {
    /** In which the cluster's own pods are, without which it may not work. */
    private static final String SYSTEM = "kube-system";

    /** Whose account large pods of namespaces have that are not behind. */
    private static final String LARGE = "";

    private static final int USUAL_PASSES = 8;
    private static final int USUAL_SETS = 64;
    private static final int USUAL_STEPS = 1024;
    private static final int USUAL_RULES = 32;
    /** One hint asked about a change takes so much less than trying the pod. */
    private static final int HINTS_A_TRY = 16;

    /** All hints of one namespace's pods in a turn take so much less than a try; the hints of all pods, as much. */
    private static final int NAMESPACES_A_TURN = 4;

    /** So does trying one more pod of a gang, as most of them are alike. */
    private static final int MEMBERS_A_TRY = 8;

    /** How many usual tries are much to owe, and how many the most; others have to do twice as much. */
    private static final int MUCH = 16;

    private static final int MOST = 64 * MUCH;

    /** Others are around who have had a turn so lately. */
    private static final long AROUND = TimeUnit.MINUTES.toNanos(1);

    /**
     * The time of one unit, as no clock may say it: a machine that is slow decides as one that is fast. Long steps of hostile
     * tenants take 16 to 30 in a JVM that has seen them before.
     */
    private static final long NANOS_A_UNIT = 30;

    /** While others are around, steps of those who are behind take one of so many parts of the time. */
    private static final int PARTS = 256;

    private static final long LONGEST_REST = TimeUnit.MINUTES.toNanos(1);

    private static final long TOLD_FOR = TimeUnit.MINUTES.toNanos(1);
    private static final int SWEPT_ABOVE = 64;

    /** Namespaces that owe; ones that are gone have accounts, too: of more than that the half that owe least are let off. */
    private static final int MOST_ACCOUNTS = 4096;

    /** Longer names, which no namespace has in a cluster, share an account where they begin alike. */
    private static final int LONGEST_NAME = 63;

    private final Work work;
    private final IntSupplier nodes;
    private final ObjLongConsumer<Pod> deferred;
    private final Map<String, Account> accounts = new HashMap<>();
    private long charged;
    private long paid;
    private long unshared;
    private int sweptAbove = SWEPT_ABOVE;

    private int taken;
    private boolean isLargeTaken;
    private boolean hasBegun;
    private long time;
    private String last = "";
    private long lastAt;
    private long otherAt;

    /** The kinds of work. */
    public enum Step {
        /** A pod, or its group, is tried. */
        TRY,
        /** A plugin is asked whether a change may help a pod. */
        HINT,
        /** An object has come, changed or gone. */
        NEWS
    }

    private static final class Account {
        long owed;
        long paidTo;
        boolean isBehind;
        long restsUntil;
        boolean isTold;
        long toldAt;
        boolean wasTold;
    }

    /**
     * Nobody owes anything.
     *
     * @param work that is done; what is kept for others is not counted, as others may have done it who only look on
     * @param nodes how many there are, roughly: what is usual depends on it
     * @param deferred told of a pod that is behind, for which others have their turn, and when
     */
    public FairTurns(Work work, IntSupplier nodes, ObjLongConsumer<Pod> deferred) {
        this.work = work;
        this.nodes = nodes;
        this.deferred = deferred;
    }

    /** All turns are in order. */
    public static FairTurns inOrder() {
        return new FairTurns(new Work(), () -> 0, (_, _) -> {});
    }

    /** It is so late now. */
    void at(long now) {
        time = now;
        if (!hasBegun) {
            hasBegun = true;
            lastAt = now - AROUND;
            otherAt = lastAt;
        }
    }

    /** A pod is to be tried by the next step of that kind; others may be tried with it, each at an eighth of the work. */
    void taken(Pod pod) {
        taken++;
        isLargeTaken |= payerOf(pod).equals(LARGE);
    }

    /** Whose being behind concerns the pod: its namespace's, or that of all large ones. */
    String payerOf(Pod pod) {
        return isLarge(pod) && !isBehind(pod.namespace()) ? LARGE : pod.namespace();
    }

    private static boolean isLarge(Pod pod) {
        return rulesOf(pod) > USUAL_RULES && !pod.namespace().equals(SYSTEM);
    }

    private static int rulesOf(Pod pod) {
        PodSpec spec = pod.spec();
        return spec.podAffinity().termCount()
                + spec.topologySpread().size()
                + spec.volumes().size();
    }

    /** A pod has come, or has changed: where its namespace is behind, a large one owes at once what it takes to read it. */
    void came(Pod pod, long now) {
        at(now);
        if (isLarge(pod) && isBehind(pod.namespace())) {
            owe(pod.namespace(), rulesOf(pod) * Work.OF_A_RULE);
        }
    }

    /** Returns the work done so far that is paid for. */
    long units() {
        return work.unitsEachTime();
    }

    /** How many units the hints of a turn may take; the last one may take more. */
    long hintsOfATurn() {
        return usual(Step.TRY);
    }

    /** The same of those about one namespace's pods. */
    long hintsOfANamespace() {
        return hintsOfATurn() / NAMESPACES_A_TURN;
    }

    /** Work begins for a namespace: to be handed to {@link #charge} when it is done. */
    public long begin() {
        return work.unitsEachTime() - charged;
    }

    /** Charges this namespace with the work since then, but for what has been charged meanwhile. */
    public void charge(String namespace, long begun, Step step) {
        long units = work.unitsEachTime() - charged - begun;
        charged += units;
        long most = usual(step);
        boolean wasLarge = step == Step.TRY && isLargeTaken;
        if (step == Step.TRY) {
            if (!wasLarge) {
                noteTurn(namespace);
            }
            most += most / MEMBERS_A_TRY * Math.max(0, taken - 1);
            taken = 0;
            isLargeTaken = false;
        }
        if (units > most && !namespace.equals(SYSTEM) && !namespace.isEmpty()) {
            owe(namespace, units - most);
            if (wasLarge) {
                owe(LARGE, units - most);
            }
        }
        if (!accounts.isEmpty()) {
            unshared += Math.min(units, most);
            long shared = unshared / (2L * accounts.size());
            unshared -= shared * 2 * accounts.size();
            paid += shared;
            Account own = accountOf(namespace);
            if (own != null) {
                own.paidTo += shared; // pays for the others alone
            }
        }
    }

    /** Notes a turn, unless the namespace is behind: others need not make room for it. */
    private void noteTurn(String namespace) {
        if (isBehind(namespace)) {
            return;
        }
        if (!namespace.equals(last)) {
            otherAt = lastAt;
            last = namespace;
        }
        lastAt = time;
    }

    private void owe(String namespace, long units) {
        Account account = accountOf(namespace);
        if (account == null) {
            sweep();
            account = new Account();
            account.paidTo = paid;
            account.restsUntil = time;
            accounts.put(keyOf(namespace), account);
        }
        settle(account);
        account.owed = Math.min(account.owed + units, Math.max(units, MOST * usual(Step.TRY)));
        account.isBehind |= account.owed > MUCH * usual(Step.TRY);
        long nanosAUnit = NANOS_A_UNIT * PARTS * accounts.size();
        long rest = Math.min(units, LONGEST_REST / nanosAUnit) * nanosAUnit;
        account.restsUntil = Math.min(Math.max(account.restsUntil, time) + rest, time + LONGEST_REST);
    }

    private @Nullable Account accountOf(String namespace) {
        return accounts.isEmpty() ? null : accounts.get(keyOf(namespace));
    }

    private static String keyOf(String namespace) {
        return namespace.length() > LONGEST_NAME ? namespace.substring(0, LONGEST_NAME) : namespace;
    }

    private void settle(Account account) {
        account.owed = Math.max(0, account.owed - (paid - account.paidTo));
        account.paidTo = paid;
        if (account.owed == 0) {
            account.isBehind = false;
            account.isTold = false;
        }
    }

    /** Drops, now and then, the accounts of namespaces that owe nothing. */
    private void sweep() {
        if (accounts.size() >= sweptAbove) {
            accounts.values().forEach(this::settle);
            accounts.values().removeIf(account -> account.owed == 0);
            accounts.entrySet().stream()
                    .sorted(Comparator.comparingLong(entry -> entry.getValue().owed))
                    .limit(Math.max(0, accounts.size() - MOST_ACCOUNTS / 2))
                    .map(Map.Entry::getKey)
                    .toList()
                    .forEach(accounts::remove);
            sweptAbove = Math.max(SWEPT_ABOVE, 2 * accounts.size());
        }
    }

    private long usual(Step step) {
        long end = nodes.getAsInt();
        long aTry =
                USUAL_PASSES * end + USUAL_SETS * (end / Long.SIZE + 1) + USUAL_STEPS + USUAL_RULES * Work.OF_A_RULE;
        return step == Step.HINT ? aTry / HINTS_A_TRY : aTry;
    }

    /** Whether active pods of other namespaces have their turn before this one's. */
    boolean isBehind(String namespace) {
        Account account = accountOf(namespace);
        if (account == null || !account.isBehind) {
            return false;
        }
        settle(account);
        return account.isBehind;
    }

    /** The same where others have had their turn lately, and may come again any time. */
    boolean givesWay(String namespace) {
        return isBehind(namespace) && time - othersAt(namespace) < AROUND;
    }

    /** Whether the pod's payer gives way. */
    boolean givesWay(Pod pod) {
        return givesWay(payerOf(pod));
    }

    /** Until when none of its pods is tried even where no other is active; not after now where they may be. */
    long restsUntil(String namespace) {
        if (!givesWay(namespace)) {
            return time;
        }
        long rested = Objects.requireNonNull(accountOf(namespace)).restsUntil;
        return Math.min(rested, othersAt(namespace) + AROUND);
    }

    boolean isResting(String namespace) {
        return restsUntil(namespace) > time;
    }

    private long othersAt(String namespace) {
        return last.equals(namespace) ? otherAt : lastAt;
    }

    /** Others have their turn for which this pod waits, that would have been first, as the payer is behind. */
    void passedOver(Pod pod, String payer, long now) {
        Account account = accountOf(payer);
        if (account != null && !account.isTold) {
            account.isTold = true;
            if (!account.wasTold || now - account.toldAt >= TOLD_FOR) {
                account.wasTold = true;
                account.toldAt = now;
                deferred.accept(pod, now);
            }
        }
    }
}
