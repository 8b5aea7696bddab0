package io.evenkeel.tools.dump;

import io.evenkeel.app.cli.ClusterListing;
import io.evenkeel.app.cli.Version;
import io.evenkeel.app.option.ServerOptions;
import io.evenkeel.file.FileContent;
import io.evenkeel.file.FileProblem;
import io.evenkeel.file.SecretFile;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.kube.watch.ClusterList;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.problem.UserProblem;
import java.io.BufferedWriter;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPOutputStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code evenkeel dump}. */
@Command(
        name = "dump",
        description = {
            "Writes what scheduling reads of a cluster to a file.",
            "Each kind is listed once, Secrets and the like never; of each object there is no more than scheduling"
                    + " reads, a line an object. simulate takes it by --dump."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  evenkeel dump -o cluster.dump.gz", "  evenkeel dump -o - --anonymise"},
        mixinStandardHelpOptions = true)
public final class DumpCommand implements Callable<Integer> {
    private static final String STANDARD_OUTPUT = "-";
    private static final int SHORTEST_KEY = 16;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "File to write, compressed if its name ends in .gz, or - for standard output (default: -)")
    private Path file = Path.of(STANDARD_OUTPUT);

    @Option(
            names = "--anonymise",
            description = "Replace all names by words without meaning, equal names by equal words; Kubernetes'"
                    + " own names stay")
    private boolean anonymise;

    @Option(
            names = "--anonymise-key",
            paramLabel = "FILE",
            description = "As --anonymise, with the same words in all dumps that are written with this key, a"
                    + " secret of at least 16 bytes; the words have no order")
    private Optional<Path> key = Optional.empty();

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        Optional<byte[]> secret = key.map(DumpCommand::secret);
        String version = new Version().number();
        try (HttpTransport transport = HttpTransport.open(server.over(""), version, ApiObserver.NONE)) {
            ClusterList list = ClusterListing.of(Kinds.IN_TREE.all(), transport, ClusterListing.warningsTo(err));
            Dump.Header header =
                    Dump.Header.now(version, transport.host(), anonymise || secret.isPresent(), list.failed());
            write(header, list, secret);
        }
        return ExitCode.OK;
    }

    private void write(Dump.Header header, ClusterList list, Optional<byte[]> secret) {
        UnaryOperator<String> lines = UnaryOperator.identity();
        if (secret.isPresent()) {
            lines = new Anonymised(Kinds.IN_TREE, list.objects(), secret.get());
        } else if (anonymise) {
            lines = new Anonymised(Kinds.IN_TREE, list.objects());
        }
        try (Writer out = open()) {
            Dump.write(header, list.objects(), Kinds.IN_TREE, lines, out);
        } catch (IOException unwritable) {
            throw new UserProblem(FileProblem.writing(file, unwritable));
        }
    }

    private static byte[] secret(Path file) {
        byte[] content;
        try {
            content = FileContent.bytes(file);
        } catch (IOException unreadable) {
            throw new UserProblem(FileProblem.reading(file, unreadable));
        }
        if (content.length < SHORTEST_KEY) {
            throw new UserProblem(
                    file + " has " + content.length + " bytes, and a key has " + SHORTEST_KEY + " at least");
        }
        return content;
    }

    private Writer open() throws IOException {
        if (file.toString().equals(STANDARD_OUTPUT)) {
            return new BufferedWriter(new KeptOpen(spec.commandLine().getOut()));
        }
        OutputStream bytes = SecretFile.open(file);
        boolean packed = file.toString().endsWith(".gz");
        return new BufferedWriter(
                new OutputStreamWriter(packed ? new GZIPOutputStream(bytes) : bytes, StandardCharsets.UTF_8));
    }

    /** A writer that others go on to use: closing it only sends off what it holds. */
    private static final class KeptOpen extends FilterWriter {
        KeptOpen(Writer out) {
            super(out);
        }

        @Override
        public void close() throws IOException {
            flush();
        }
    }
}
