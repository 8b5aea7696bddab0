package io.evenkeel.app.live;

import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.patch.MergePatch;
import io.evenkeel.kube.patch.PatchSink;
import io.evenkeel.kube.patch.PatchSink.Pace;
import io.evenkeel.kube.patch.PatchSink.PatchObserver;
import io.evenkeel.kube.patch.PatchSink.PatchObserver.End;
import io.evenkeel.kube.patch.PatchWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The writers of companions, for as long as the scheduler is at work. Where there is no server to write to, they say what they would. */
final class CompanionWrites implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(CompanionWrites.class);

    private final Optional<ApiTransport> transport;
    private final BooleanSupplier mayWrite;
    private final Machine machine;
    private final List<PatchWriter> writers = new ArrayList<>();

    /**
     * Writers to be.
     *
     * @param transport where patches go; none of a scheduler that writes nothing
     * @param mayWrite whether the lease is held beyond doubt; asked right before each patch
     */
    public CompanionWrites(Optional<ApiTransport> transport, BooleanSupplier mayWrite, Machine machine) {
        this.transport = transport;
        this.mayWrite = mayWrite;
        this.machine = machine;
    }

    public PatchSink patches(String name, Pace pace, PatchObserver observer) {
        return transport
                .<PatchSink>map(server -> opened(name, pace, observer, server))
                .orElse(patch -> wouldPatch(patch, observer));
    }

    private PatchWriter opened(String name, Pace pace, PatchObserver observer, ApiTransport server) {
        PatchWriter writer = PatchWriter.start(name, pace, server, mayWrite, observer, machine);
        writers.add(writer);
        return writer;
    }

    private static void wouldPatch(MergePatch patch, PatchObserver observer) {
        log.atDebug()
                .setMessage("Would patch an object")
                .addKeyValue("kind", patch.kind().name())
                .addKeyValue("object", patch.object().key())
                .addKeyValue("subresource", patch.subresource())
                .log();
        observer.ended(patch, End.NOT_SENT, "");
    }

    @Override
    public void close() {
        writers.forEach(PatchWriter::close);
    }
}
