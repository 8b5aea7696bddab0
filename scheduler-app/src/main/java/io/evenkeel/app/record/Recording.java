package io.evenkeel.app.record;

import io.evenkeel.app.metrics.LiveMetrics.RecordCounts;
import io.evenkeel.app.record.RecordFiles.Disk;
import io.evenkeel.app.record.RecordFlags.RecordOptions;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.write.ObjectWriter;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A run that is recorded: the engine's side, and the thread that writes. */
public final class Recording implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Recording.class);
    private static final int MOST_BATCHES = 256;
    private static final long PATIENCE_SECONDS = 5;
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'").withZone(ZoneOffset.UTC);

    private final RecordOptions options;
    private final Machine machine;
    private final long seed;
    private final Handover handover = new Handover(MOST_BATCHES);
    private final Recorder recorder = new Recorder(handover);
    private volatile Optional<RecordWriter> writer = Optional.empty();

    public Recording(RecordOptions options, Machine machine) {
        this.options = options;
        this.machine = machine;
        seed = machine.random().nextLong();
    }

    /** Is told of all that the engine takes in, on its thread. */
    public Recorder recorder() {
        return recorder;
    }

    /** Of the random numbers that the run is to be decided with. */
    public long seed() {
        return seed;
    }

    public RecordCounts counts() {
        return writer.map(RecordWriter::counts).orElse(RecordCounts.NONE);
    }

    /**
     * Begins to write.
     *
     * @param kinds the kinds of the objects to come
     */
    public void begin(RunSettings settings, List<Kind<?>> kinds) {
        kinds.forEach(Recording::warnIfUnwritable);
        RecordWriter begun = new RecordWriter(
                handover,
                new RecordFiles(
                        options,
                        Disk.REAL,
                        Kinds.IN_TREE.with(kinds),
                        machine.clocks().time(),
                        STAMP.format(machine.clocks().time().instant())),
                machine.clocks().nanos());
        log.atInfo()
                .setMessage("Recording")
                .addKeyValue("directory", options.directory())
                .addKeyValue("limit", options.limit())
                .log();
        begun.begin(settings, seed);
        writer = Optional.of(begun);
        machine.dedicated("recorder", begun).start();
    }

    private static void warnIfUnwritable(Kind<?> kind) {
        ObjectWriter.unwritable(kind)
                .ifPresent(field -> log.atWarn()
                        .setMessage("Kind cannot be recorded, a replay will not be exact")
                        .addKeyValue("kind", kind.name())
                        .addKeyValue("field", field)
                        .log());
    }

    /** Waits until all is written that was taken in, if the engine has ended. */
    @Override
    public void close() {
        try {
            if (writer.isPresent() && !writer.get().await(PATIENCE_SECONDS)) {
                log.warn("The record's end is not written");
            }
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }
}
