package io.evenkeel.app.record;

import io.evenkeel.api.PreemptionCandidate;
import io.evenkeel.api.Status;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.OfPlace;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.decision.Question.Answer;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.UnreadObject;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.write.ObjectWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Writes the entries of one segment. Of an object that was told of before only the bytes are written that have changed; pods
 * that are there, and words that come again, are numbers.
 */
final class EntryWriter {
    static final int MOST_WORDS = 1 << 16;

    private final ByteWriter out;
    private final ObjectWriter objects;
    private final Set<String> unwritable = new HashSet<>();
    private final ToldObjects told = new ToldObjects();
    private final Map<String, Integer> words = new HashMap<>();
    private long lastTime;

    EntryWriter(Kinds kinds, ByteWriter out) {
        this.out = out;
        objects = new ObjectWriter(kinds);
        for (Kind<?> kind : kinds.all()) {
            if (ObjectWriter.unwritable(kind).isPresent()) {
                unwritable.add(kind.name());
            }
        }
    }

    /** The objects told of in this segment. */
    ToldObjects told() {
        return told;
    }

    void write(Entry entry) {
        switch (entry) {
            case Entry.Took(SchedulerEvent event) -> {
                event(event);
                told.took(event);
            }
            case Entry.Ticking _ -> out.tag(Tags.TICKING);
            case Entry.Placing _ -> out.tag(Tags.PLACING);
            case Entry.Time(long nanos) -> time(nanos);
            case Entry.Decided(Said said) -> decided(said);
            case Entry.NotSent(var message, String text) -> {
                out.tag(Tags.NOT_SENT);
                out.tag(message.isPresent() ? 1 : 0);
                message.ifPresent(out::text);
                out.text(text);
            }
            case Entry.Known(KubernetesObject object) -> {
                out.tag(Tags.KNOWN);
                object(object);
                told.put(object);
            }
            case Entry.AllKnown _ -> out.tag(Tags.ALL_KNOWN);
            case Entry.Hash(long hash) -> {
                out.tag(Tags.HASH);
                out.fixed((int) hash);
                out.fixed((int) (hash >>> 32));
            }
            case Entry.Ended(Entry.Why why) -> {
                out.tag(Tags.ENDED);
                word(why.name());
            }
        }
    }

    void time(long nanos) {
        out.tag(Tags.TIME);
        out.signed(nanos - lastTime);
        lastTime = nanos;
    }

    private void decided(Said said) {
        out.tag(Tags.DECIDED);
        word(said.verb());
        int pod = told.numberOf(Kinds.POD.name(), said.pod());
        out.number(pod + 1);
        if (pod < 0) {
            out.text(said.pod());
        }
        word(said.target());
        out.fixed(said.digest());
    }

    private void event(SchedulerEvent event) {
        switch (event) {
            case ClusterEvent.Put(KubernetesObject object) -> told(object, Tags.PUT, Tags.PUT_AGAIN);
            case ClusterEvent.Removed(KubernetesObject object) -> told(object, Tags.REMOVED, Tags.KNOWN_REMOVED);
            case Relist.Began(String kind) -> {
                out.tag(Tags.BEGAN);
                word(kind);
            }
            case Relist.Present(String kind, var identity) -> {
                out.tag(Tags.PRESENT);
                word(kind);
                out.tag(identity.isPresent() ? 1 : 0);
                identity.ifPresent(this::identity);
            }
            case Relist.Ended(String kind, var _) -> {
                out.tag(Tags.LISTED);
                word(kind);
            }
            case SchedulerEvent.UnreadablePod(Pod pod, String reason) -> {
                out.tag(Tags.UNREADABLE);
                object(pod);
                out.text(reason);
            }
            case SchedulerEvent.ExtendersAnswered(Pod pod, var answer) -> {
                out.tag(Tags.EXTENDERS);
                pod(pod);
                answer(answer);
            }
            case OfPlace.Held(Pod pod, String node, Duration within) -> {
                out.tag(Tags.PLACE_HELD);
                pod(pod);
                word(node);
                out.text(within.toString());
            }
            case OfPlace.Released(Pod pod) -> {
                out.tag(Tags.PLACE_RELEASED);
                pod(pod);
            }
            case SchedulerEvent.Inquiry _ -> out.tag(Tags.INQUIRY);
            case CommandResult result -> result(result);
        }
    }

    private void result(CommandResult result) {
        out.tag(tag(result));
        pod(result.pod());
        switch (result) {
            case CommandResult.Bound bound -> word(bound.node());
            case CommandResult.NotBound(var _, String node, var failure, String message) -> {
                word(node);
                word(failure.name());
                out.text(message);
            }
            case CommandResult.Found found -> {
                out.tag(found.found().isPresent() ? 1 : 0);
                found.found().ifPresent(this::object);
            }
            case CommandResult.LookupFailed failed -> out.text(failed.message());
            case CommandResult.NotWritten(var _, var failure, String message) -> {
                word(failure.name());
                out.text(message);
            }
            case CommandResult.NotEvicted(var _, var failure, String message) -> {
                word(failure.name());
                out.text(message);
            }
            case CommandResult.Written(var _, String uid, String version, long at) -> {
                if (!version.isEmpty()) {
                    out.text(uid);
                    out.text(version);
                    out.text(Long.toString(at));
                }
            }
            case CommandResult.OnlySaid _, CommandResult.Evicted _ -> {}
        }
    }

    private static int tag(CommandResult result) {
        return switch (result) {
            case CommandResult.Bound _ -> Tags.BOUND;
            case CommandResult.NotBound _ -> Tags.NOT_BOUND;
            case CommandResult.Found _ -> Tags.FOUND;
            case CommandResult.LookupFailed _ -> Tags.LOOKUP_FAILED;
            case CommandResult.Written written -> written.resourceVersion().isEmpty() ? Tags.WRITTEN : Tags.WRITTEN_AS;
            case CommandResult.NotWritten _ -> Tags.NOT_WRITTEN;
            case CommandResult.OnlySaid _ -> Tags.ONLY_SAID;
            case CommandResult.Evicted _ -> Tags.EVICTED;
            case CommandResult.NotEvicted _ -> Tags.NOT_EVICTED;
        };
    }

    /** What an event tells of an object: all of it, or what differs from what was told of it before. */
    private void told(KubernetesObject object, int whole, int difference) {
        int number = told.numberOf(object.kindName(), object.meta().key());
        if (number < 0 || isIdentity(object)) {
            out.tag(whole);
            object(object);
            return;
        }
        byte[] before = told.find(number).map(this::bytes).orElseThrow();
        byte[] after = bytes(object);
        int same = Arrays.mismatch(before, after);
        int head = same < 0 ? after.length : same;
        int tail = 0;
        int most = Math.min(before.length, after.length) - head;
        while (tail < most && before[before.length - 1 - tail] == after[after.length - 1 - tail]) {
            tail++;
        }
        out.tag(difference);
        out.number(number);
        out.number(head);
        out.number(tail);
        int changed = after.length - head - tail;
        out.number(changed);
        out.raw(after, head, changed);
    }

    /** A pod that is there is a number; of another there is no more than what it is told from others by. */
    void pod(Pod pod) {
        int number = told.numberOf(Kinds.POD.name(), pod.key());
        boolean isThere = number >= 0
                && told.find(number)
                        .filter(known -> known.meta().uid().equals(pod.meta().uid()))
                        .isPresent();
        out.number(isThere ? number + 1 : 0);
        if (!isThere) {
            out.text(pod.meta().namespace());
            out.text(pod.meta().name());
            out.text(pod.meta().uid());
        }
    }

    /** An object from its first byte to its last. */
    private void object(KubernetesObject object) {
        word(object.kindName());
        out.tag(isIdentity(object) ? 0 : 1);
        byte[] bytes = bytes(object);
        out.number(bytes.length);
        out.raw(bytes, 0, bytes.length);
    }

    private void identity(ObjectMeta meta) {
        object(new UnreadObject("", meta));
    }

    private boolean isIdentity(KubernetesObject object) {
        return object instanceof UnreadObject || unwritable.contains(object.kindName());
    }

    private byte[] bytes(KubernetesObject object) {
        return objects.protobuf(
                isIdentity(object) && !(object instanceof UnreadObject)
                        ? new UnreadObject(object.kindName(), object.meta())
                        : object);
    }

    private void word(String word) {
        Integer known = words.get(word);
        if (known != null) {
            out.number(known + 1);
            return;
        }
        out.number(0);
        out.text(word);
        if (words.size() < MOST_WORDS) {
            words.put(word, words.size());
        }
    }

    /** Writes what extenders have answered. */
    private void answer(Answer answer) {
        switch (answer) {
            case Answer.Advised(var advice) -> {
                out.tag(Tags.ADVISED);
                words(advice.left().stream().sorted().toList());
                out.number(advice.turnedAway().size());
                new TreeMap<>(advice.turnedAway()).forEach(this::status);
                out.number(advice.scores().size());
                new TreeMap<>(advice.scores()).forEach((node, score) -> {
                    word(node);
                    out.signed(score);
                });
            }
            case Answer.VictimsChosen(var left) -> {
                out.tag(Tags.VICTIMS);
                out.number(left.size());
                left.forEach(this::candidate);
            }
            case Answer.Failed(String message) -> {
                out.tag(Tags.FAILED);
                out.text(message);
            }
        }
    }

    private void status(String node, Status status) {
        word(node);
        word(status.code().name());
        words(status.reasons());
    }

    private void candidate(PreemptionCandidate candidate) {
        word(candidate.node());
        out.number(candidate.victims().size());
        candidate.victims().forEach(this::object);
        out.signed(candidate.violations());
    }

    private void words(List<String> words) {
        out.number(words.size());
        words.forEach(this::word);
    }

    /** The first byte of each entry. A number is never used again for something else: records outlive versions. */
    static final class Tags {
        static final int TIME = 1;
        static final int TICKING = 2;
        static final int PLACING = 3;
        static final int DECIDED = 4;
        static final int NOT_SENT = 5;
        static final int KNOWN = 6;
        static final int ALL_KNOWN = 7;
        static final int HASH = 8;
        static final int ENDED = 9;

        static final int PUT = 16;
        static final int PUT_AGAIN = 17;
        static final int REMOVED = 18;
        /** Since version 2. */
        static final int KNOWN_REMOVED = 19;

        static final int BEGAN = 20;
        static final int PRESENT = 21;
        static final int LISTED = 22;
        static final int UNREADABLE = 23;
        static final int EXTENDERS = 24;
        static final int INQUIRY = 25;
        /** Both since version 4. */
        static final int PLACE_HELD = 26;

        static final int PLACE_RELEASED = 27;

        static final int BOUND = 32;
        static final int NOT_BOUND = 33;
        static final int FOUND = 34;
        static final int LOOKUP_FAILED = 35;
        static final int WRITTEN = 36;
        static final int NOT_WRITTEN = 37;
        static final int ONLY_SAID = 38;
        static final int EVICTED = 39;
        static final int NOT_EVICTED = 40;
        static final int WRITTEN_AS = 41;

        /** The sort of an answer of extenders, behind its tag. */
        static final int ADVISED = 0;

        static final int VICTIMS = 1;
        static final int FAILED = 2;

        private Tags() {}
    }
}
