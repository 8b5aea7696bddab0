package io.evenkeel.app.record;

import io.evenkeel.app.option.Converters.ByteSize;
import io.evenkeel.model.value.Quantity;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The flags of a run that is recorded. */
public final class RecordFlags {
    private static final String DIRECTORY = "--record";
    private static final String LIMIT = "--record-limit";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = DIRECTORY,
            paramLabel = "DIR",
            description =
                    "Record in this directory what the scheduler takes in and decides, for evenkeel replay --record")
    private Optional<Path> directory = Optional.empty();

    @Option(
            names = LIMIT,
            paramLabel = "SIZE",
            converter = ByteSize.class,
            description = "Most that the records in the directory of --record may take: the oldest go (default: 1Gi)")
    private Optional<Quantity> limit = Optional.empty();

    /** Makes the directory, where there is none. */
    public Optional<RecordOptions> options(String version) {
        if (directory.isEmpty() && limit.isPresent()) {
            throw new ParameterException(spec.commandLine(), LIMIT + " goes with " + DIRECTORY);
        }
        long most = limit.map(Quantity::value).orElse(RecordOptions.USUAL_LIMIT);
        if (most < RecordOptions.LEAST_LIMIT || most > RecordOptions.MOST_LIMIT) {
            throw new ParameterException(spec.commandLine(), LIMIT + " must be from 16Mi to 1Ei, got " + given(LIMIT));
        }
        directory.flatMap(there -> new RecordDirectory(there).made()).ifPresent(problem -> {
            throw new ParameterException(spec.commandLine(), DIRECTORY + ": " + problem);
        });
        return directory.map(there -> new RecordOptions(there, most, version));
    }

    private String given(String flag) {
        return spec.commandLine()
                .getParseResult()
                .matchedOption(flag)
                .originalStringValues()
                .getLast();
    }

    /** How a run is recorded: all files of the directory, also of earlier runs, may have {@code limit} bytes. */
    public record RecordOptions(Path directory, long limit, String version) {
        public static final long USUAL_LIMIT = 1L << 30;

        /** Below that, there would be little but the beginnings of segments. */
        public static final long LEAST_LIMIT = 1L << 24;

        /** More than any disk has: a mistake, which amounts beyond what can be counted would hide. */
        public static final long MOST_LIMIT = 1L << 60;
    }
}
