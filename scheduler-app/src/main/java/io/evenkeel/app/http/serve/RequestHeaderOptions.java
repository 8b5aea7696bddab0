package io.evenkeel.app.http.serve;

import io.evenkeel.app.http.serve.TrustedClients.FrontProxy;
import io.evenkeel.app.http.serve.TrustedClients.FrontProxy.UserHeaders;
import io.evenkeel.app.option.NameList;
import io.evenkeel.file.ReloadedFiles;
import io.evenkeel.tls.Authorities;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options about a front proxy that names users in headers, by the names that kube-scheduler gave them. */
final class RequestHeaderOptions {
    private static final Logger log = LoggerFactory.getLogger(RequestHeaderOptions.class);
    private static final String FILE = "--requestheader-client-ca-file";

    @Option(
            names = FILE,
            paramLabel = "FILE",
            description =
                    "CAs in PEM: a front proxy with a certificate of theirs may name the user of a request in headers."
                            + " Reloaded when it changes. Without it, the cluster says which front proxies there are,"
                            + " and the other --requestheader flags are ignored.")
    private Optional<Path> authorities = Optional.empty();

    @Option(
            names = "--requestheader-allowed-names",
            paramLabel = "NAMES",
            converter = NameList.Converter.class,
            description = "CommonNames that the front proxy's certificate may have, with commas between (default: any"
                    + " that " + FILE + " has signed)")
    private NameList allowedNames = NameList.of();

    @Option(
            names = "--requestheader-username-headers",
            paramLabel = "NAMES",
            converter = HeaderNames.OneAtLeast.class,
            description = "Headers to take the user's name from; the first that is there counts (default:"
                    + " x-remote-user)")
    private NameList userHeaders = NameList.of("x-remote-user");

    @Option(
            names = "--requestheader-group-headers",
            paramLabel = "NAMES",
            converter = HeaderNames.class,
            description = "Headers to take the user's groups from (default: x-remote-group)")
    private NameList groupHeaders = NameList.of("x-remote-group");

    @Option(
            names = "--requestheader-uid-headers",
            paramLabel = "NAMES",
            converter = HeaderNames.class,
            description = "Headers to take the user's UID from; the first that is there counts (default: x-remote-uid)")
    private NameList uidHeaders = NameList.of("x-remote-uid");

    @Option(
            names = "--requestheader-extra-headers-prefix",
            paramLabel = "NAMES",
            converter = HeaderNames.class,
            description = "Prefix of headers that say more of the user (default: x-remote-extra-)")
    private NameList extraPrefixes = NameList.of("x-remote-extra-");

    /**
     * The front proxy of the flags, if they name one.
     *
     * @throws ServingException if the file is of no use
     */
    Optional<Supplier<FrontProxy>> proxy(InstantSource clock) {
        UserHeaders headers =
                new UserHeaders(userHeaders.names(), groupHeaders.names(), uidHeaders.names(), extraPrefixes.names());
        List<String> names = allowedNames.names();
        if (authorities.isEmpty() && !names.isEmpty()) {
            log.atWarn()
                    .setMessage("--requestheader-allowed-names is ignored: no --requestheader-client-ca-file is set")
                    .addKeyValue("missing", FILE)
                    .addKeyValue("allowedNames", names)
                    .log();
        }
        return authorities.map(file -> {
            AuthorityFile read = open(FILE, file, clock);
            return () -> new FrontProxy(read.get(), names, headers);
        });
    }

    static AuthorityFile open(String option, Path file, InstantSource clock) {
        try {
            return new AuthorityFile(file, clock);
        } catch (IOException e) {
            throw new ServingException(option, e);
        }
    }

    /** Authorities from a PEM file, which is checked for changes when a client connects or sends a request. */
    static final class AuthorityFile implements Supplier<Authorities>, ReloadedFiles.Listener<Authorities> {
        private static final Logger log = LoggerFactory.getLogger(AuthorityFile.class);

        private final Path file;
        private final ReloadedFiles<Authorities> content;

        /** @throws IOException if the file cannot be read or has no authority in it */
        public AuthorityFile(Path file, InstantSource clock) throws IOException {
            this.file = file;
            this.content = ReloadedFiles.read(
                    List.of(file), file.toString(), contents -> Authorities.parse(contents.getFirst()), clock);
        }

        @Override
        public Authorities get() {
            return content.look(this);
        }

        @Override
        public void reloaded(Authorities before, Authorities now) {
            log.atInfo()
                    .setMessage("Client CAs reloaded")
                    .addKeyValue("file", file)
                    .addKeyValue("names", now.names())
                    .log();
        }

        @Override
        public void notReloaded(Level level, IOException why) {
            log.atLevel(level)
                    .setMessage("Client CAs not reloaded, keeping the last ones")
                    .addKeyValue("why", why.getMessage())
                    .log();
        }
    }

    /** Names of HTTP headers, or prefixes of such names, with commas between. */
    public static final class HeaderNames implements ITypeConverter<NameList> {
        private static final Pattern NAME = Pattern.compile("[-!#$%&'*+.^_`|~0-9A-Za-z]+");

        @Override
        public NameList convert(String value) {
            NameList list = new NameList.Converter().convert(value);
            for (String name : list.names()) {
                if (!NAME.matcher(name).matches()) {
                    throw new TypeConversionException("\"" + name + "\" cannot be the name of a header");
                }
            }
            return list;
        }

        /** A list with one name at least. */
        public static final class OneAtLeast implements ITypeConverter<NameList> {
            @Override
            public NameList convert(String value) {
                NameList list = new HeaderNames().convert(value);
                if (list.names().isEmpty()) {
                    throw new TypeConversionException("expected at least one header name");
                }
                return list;
            }
        }
    }
}
