package io.evenkeel.app.record;

import io.evenkeel.api.PreemptionCandidate;
import io.evenkeel.api.Status;
import io.evenkeel.app.record.EntryWriter.Tags;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.CommandResult.BindFailure;
import io.evenkeel.engine.CommandResult.EvictionFailure;
import io.evenkeel.engine.CommandResult.WriteFailure;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.OfPlace;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.decision.Question.Answer;
import io.evenkeel.engine.decision.Question.Answer.ExtenderAdvice;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ProtobufObject;
import io.evenkeel.model.read.ProtobufReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Reads the entries of one segment; what is none is an {@link IllegalArgumentException}. */
final class EntryReader {
    private final ProtobufReader objects;
    private final Map<String, Kind<?>> kinds = new HashMap<>();
    private final ToldObjects told = new ToldObjects();
    private final List<byte[]> bytes = new ArrayList<>();
    private final List<String> words = new ArrayList<>();
    private ByteReader in = new ByteReader(new byte[0], 0);
    private long lastTime;

    /** An object, and the bytes that it was read from. */
    @SuppressWarnings("ArrayRecordComponent") // nothing compares them
    private record Whole(KubernetesObject object, byte[] bytes) {}

    EntryReader(Kinds known) {
        objects = new ProtobufReader(known);
        known.all().forEach(kind -> kinds.put(kind.name(), kind));
    }

    ToldObjects told() {
        return told;
    }

    /** The entries of a frame. */
    void begin(ByteReader frame) {
        in = frame;
    }

    boolean hasNext() {
        return !in.isAtEnd();
    }

    Entry next() {
        int tag = in.tag();
        return switch (tag) {
            case Tags.TIME -> {
                lastTime += in.signed();
                yield new Entry.Time(lastTime);
            }
            case Tags.TICKING -> new Entry.Ticking();
            case Tags.PLACING -> new Entry.Placing();
            case Tags.DECIDED -> new Entry.Decided(said());
            case Tags.NOT_SENT ->
                new Entry.NotSent(in.tag() == 0 ? Optional.empty() : Optional.of(in.text()), in.text());
            case Tags.KNOWN -> {
                Whole known = whole();
                told.put(known.object);
                keep(known.object, known.bytes);
                yield new Entry.Known(known.object);
            }
            case Tags.ALL_KNOWN -> new Entry.AllKnown();
            case Tags.HASH -> new Entry.Hash((in.fixed() & 0xffffffffL) | ((long) in.fixed() << 32));
            case Tags.ENDED -> new Entry.Ended(constant(Entry.Why.class, word()));
            default -> {
                SchedulerEvent event = event(tag);
                told.took(event);
                yield new Entry.Took(event);
            }
        };
    }

    private Said said() {
        String verb = word();
        int pod = in.count(told.end());
        String key = pod == 0
                ? in.text()
                : told.find(pod - 1).orElseThrow(EntryReader::gone).meta().key();
        return new Said(verb, key, word(), in.fixed());
    }

    private SchedulerEvent event(int tag) {
        return switch (tag) {
            case Tags.PUT -> {
                Whole put = whole();
                told.put(put.object);
                keep(put.object, put.bytes);
                yield new ClusterEvent.Put(put.object);
            }
            case Tags.PUT_AGAIN -> {
                Whole put = changed();
                keep(put.object, put.bytes);
                yield new ClusterEvent.Put(put.object);
            }
            case Tags.REMOVED -> new ClusterEvent.Removed(whole().object);
            case Tags.KNOWN_REMOVED -> new ClusterEvent.Removed(changed().object);
            case Tags.BEGAN -> new Relist.Began(word());
            case Tags.PRESENT -> new Relist.Present(word(), identity());
            case Tags.LISTED -> new Relist.Ended(word());
            case Tags.UNREADABLE -> new SchedulerEvent.UnreadablePod(wholePod(), in.text());
            case Tags.EXTENDERS -> new SchedulerEvent.ExtendersAnswered(pod(), answer());
            case Tags.PLACE_HELD -> new OfPlace.Held(pod(), word(), Duration.parse(in.text()));
            case Tags.PLACE_RELEASED -> new OfPlace.Released(pod());
            case Tags.INQUIRY -> new SchedulerEvent.Inquiry(_ -> {});
            default -> result(tag);
        };
    }

    private CommandResult result(int tag) {
        if (tag < Tags.BOUND || tag > Tags.WRITTEN_AS) {
            throw new IllegalArgumentException("an entry has tag " + tag);
        }
        Pod pod = pod();
        return switch (tag) {
            case Tags.BOUND -> new CommandResult.Bound(pod, word());
            case Tags.NOT_BOUND ->
                new CommandResult.NotBound(pod, word(), constant(BindFailure.class, word()), in.text());
            case Tags.FOUND -> new CommandResult.Found(pod, in.tag() == 0 ? Optional.empty() : Optional.of(wholePod()));
            case Tags.LOOKUP_FAILED -> new CommandResult.LookupFailed(pod, in.text());
            case Tags.WRITTEN -> new CommandResult.Written(pod);
            case Tags.NOT_WRITTEN -> new CommandResult.NotWritten(pod, constant(WriteFailure.class, word()), in.text());
            case Tags.ONLY_SAID -> new CommandResult.OnlySaid(pod);
            case Tags.EVICTED -> new CommandResult.Evicted(pod);
            case Tags.WRITTEN_AS -> new CommandResult.Written(pod, in.text(), in.text(), Long.parseLong(in.text()));
            default -> new CommandResult.NotEvicted(pod, constant(EvictionFailure.class, word()), in.text());
        };
    }

    private Whole changed() {
        int number = in.count(told.end());
        KubernetesObject before = told.find(number).orElseThrow(EntryReader::gone);
        byte[] old = bytes.get(number);
        int head = in.count(old.length);
        int tail = in.count(old.length - head);
        byte[] between = in.raw(in.count());
        byte[] whole = new byte[head + between.length + tail];
        System.arraycopy(old, 0, whole, 0, head);
        System.arraycopy(between, 0, whole, head, between.length);
        System.arraycopy(old, old.length - tail, whole, head + between.length, tail);
        return new Whole(read(before.kindName(), kinds.containsKey(before.kindName()), whole), whole);
    }

    private void keep(KubernetesObject object, byte[] itsBytes) {
        int number = told.numberOf(object.kindName(), object.meta().key());
        while (bytes.size() <= number) {
            bytes.add(new byte[0]);
        }
        bytes.set(number, itsBytes);
    }

    private Optional<ObjectMeta> identity() {
        return in.tag() == 0 ? Optional.empty() : Optional.of(whole().object.meta());
    }

    /** Reads a pod that is there, or one with no more known than what tells it from others. */
    private Pod pod() {
        int number = in.count(told.end());
        if (number == 0) {
            return PodBuilder.pod(in.text(), in.text()).uid(in.text()).build();
        }
        return told.find(number - 1)
                .filter(Pod.class::isInstance)
                .map(Pod.class::cast)
                .orElseThrow(EntryReader::gone);
    }

    private Pod wholePod() {
        if (whole().object instanceof Pod pod) {
            return pod;
        }
        throw new IllegalArgumentException("an entry is about something else than a pod");
    }

    private Whole whole() {
        String kind = word();
        boolean isWhole = in.tag() == 1;
        byte[] message = in.raw(in.count());
        return new Whole(read(kind, isWhole, message), message);
    }

    private KubernetesObject read(String name, boolean isWhole, byte[] message) {
        if (!isWhole) {
            return objects.read(ProtobufObject.item("unread/v0", name, message, 0, message.length));
        }
        Kind<?> kind = kinds.get(name);
        if (kind == null) {
            throw new IllegalArgumentException("nothing is known of kind " + name);
        }
        return objects.read(ProtobufObject.item(kind.apiVersion(), kind.objectKind(), message, 0, message.length));
    }

    private String word() {
        int number = in.count(EntryWriter.MOST_WORDS);
        if (number > 0) {
            return words.get(number - 1);
        }
        String word = in.text();
        if (words.size() < EntryWriter.MOST_WORDS) {
            words.add(word);
        }
        return word;
    }

    /** The constant of this name: a record may have come from another version, or be damaged. */
    private static <E extends Enum<E>> E constant(Class<E> type, String name) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> constant.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(type.getSimpleName() + ": expected one of "
                        + Arrays.stream(type.getEnumConstants()).map(Enum::name).collect(Collectors.joining(", "))
                        + ", got " + Excerpt.quoted(name)));
    }

    private static IllegalArgumentException gone() {
        return new IllegalArgumentException("an entry is about an object that is not there");
    }

    /** Reads what extenders have answered. */
    private Answer answer() {
        return switch (in.tag()) {
            case Tags.ADVISED -> new Answer.Advised(advice());
            case Tags.VICTIMS -> new Answer.VictimsChosen(several(this::candidate));
            case Tags.FAILED -> new Answer.Failed(in.text());
            default -> throw new IllegalArgumentException("an answer of extenders is of no known sort");
        };
    }

    private ExtenderAdvice advice() {
        List<String> left = several(this::word);
        Map<String, Status> turnedAway = new LinkedHashMap<>();
        for (int i = in.count(); i > 0; i--) {
            String node = word();
            turnedAway.put(node, new Status(constant(Status.Code.class, word()), several(this::word)));
        }
        Map<String, Long> scores = new LinkedHashMap<>();
        for (int i = in.count(); i > 0; i--) {
            scores.put(word(), in.signed());
        }
        return new ExtenderAdvice(new LinkedHashSet<>(left), turnedAway, scores);
    }

    private PreemptionCandidate candidate() {
        String node = word();
        List<Pod> victims = several(this::wholePod);
        return new PreemptionCandidate(node, victims, in.signed());
    }

    private <T> List<T> several(Supplier<T> one) {
        List<T> all = new ArrayList<>();
        for (int i = in.count(); i > 0; i--) {
            all.add(one.get());
        }
        return all;
    }
}
