package io.evenkeel.app.http.serve;

import com.google.gson.JsonObject;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.http.serve.ClusterTrust.LookupFailedException;
import io.evenkeel.app.http.serve.ClusterTrust.TrustedClients;
import io.evenkeel.app.http.serve.ClusterTrust.TrustedClients.FrontProxy;
import io.evenkeel.app.http.serve.ClusterTrust.TrustedClients.FrontProxy.UserHeaders;
import io.evenkeel.app.http.serve.Identification.User;
import io.evenkeel.app.http.serve.ReviewedAnswers.ReviewCall;
import io.evenkeel.app.http.serve.ReviewedAnswers.ReviewCall.ReviewFailedException;
import io.evenkeel.app.option.Converters.NameList;
import io.evenkeel.app.option.Converters.TimeSpan;
import io.evenkeel.file.ReloadedFiles;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Supervisor;
import io.evenkeel.model.write.Tree;
import io.evenkeel.tls.Authorities;
import io.evenkeel.tls.SubjectName;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options about who a client is, by the names that kube-scheduler gave them. */
@Command(optionListHeading = "Access")
final class AuthenticationOptions {
    private static final String FILE = "--client-ca-file";
    private static final String TOLERATE = "--authentication-tolerate-lookup-failure";

    @Option(
            names = "--authentication-kubeconfig",
            paramLabel = "FILE",
            description = "Kubeconfig of the API server that reviews tokens and publishes which client CAs the"
                    + " cluster trusts (default: the scheduler's own)")
    private Optional<Path> kubeconfig = Optional.empty();

    @Option(
            names = FILE,
            paramLabel = "FILE",
            description =
                    "CAs in PEM: of a client certificate of theirs, the CommonName is the user and the Organizations"
                            + " are the groups. Reloaded when it changes. Without it, the cluster's client CAs are"
                            + " trusted.")
    private Optional<Path> authorities = Optional.empty();

    @Mixin
    private RequestHeaderOptions requestHeaders = new RequestHeaderOptions();

    @Option(
            names = "--authentication-skip-lookup",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "BOOL",
            description = "Do not read the cluster's client CAs from kube-system/extension-apiserver-authentication:"
                    + " only those that flags name are trusted")
    private boolean skipLookup;

    @Option(
            names = TOLERATE,
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "BOOL",
            description = "Start even if the cluster's client CAs cannot be read (default: true)")
    private boolean tolerateLookupFailure = true;

    @Option(
            names = "--authentication-token-webhook-cache-ttl",
            paramLabel = "DURATION",
            converter = TimeSpan.FromZero.class,
            description = "How long to cache the review of a token (default: 10s)")
    private Duration tokenMemory = Duration.ofSeconds(10);

    public Optional<Path> kubeconfig() {
        return kubeconfig;
    }

    /** Fails with a ServingException if a file is of no use, or the server does not answer and has to. */
    public Authentication open(Optional<ApiTransport> server, InstantSource clock, Supervisor supervisor) {
        Optional<Supplier<Authorities>> users = authorities.map(file -> RequestHeaderOptions.open(FILE, file, clock));
        Optional<Supplier<FrontProxy>> proxy = requestHeaders.proxy(clock);
        boolean complete = users.isPresent() && proxy.isPresent();
        Optional<ClusterTrust> published = server.filter(_ -> !skipLookup && !complete)
                .map(asked -> lookUp(
                        asked,
                        supervisor,
                        found -> new TrustedClients(
                                users.isPresent() ? Authorities.NONE : found.users(),
                                proxy.isPresent() ? FrontProxy.NONE : found.proxy())));
        Supplier<TrustedClients> trust = () -> {
            TrustedClients others = published.map(ClusterTrust::get).orElse(TrustedClients.NONE);
            return new TrustedClients(
                    users.map(Supplier::get).orElse(others.users()),
                    proxy.map(Supplier::get).orElse(others.proxy()));
        };
        return new Authentication(trust, identification(trust, server, clock), published);
    }

    /** A front proxy's word first, then a certificate, then a token. */
    public Identification identification(
            Supplier<TrustedClients> trust, Optional<ApiTransport> server, InstantSource clock) {
        return Identification.firstOf(
                new ProxiedUsers(trust, clock),
                new CertificateUsers(trust, clock),
                new TokenReviews(server, tokenMemory, clock));
    }

    private ClusterTrust lookUp(ApiTransport server, Supervisor supervisor, UnaryOperator<TrustedClients> wanted) {
        ClusterTrust published = new ClusterTrust(server, wanted);
        if (!tolerateLookupFailure) {
            try {
                published.read();
            } catch (LookupFailedException e) {
                published.close();
                throw new ServingException(TOLERATE + "=false", e);
            }
        }
        published.keepReading(supervisor);
        return published;
    }

    /** Users who show a certificate: its CommonName is their name, its Organizations are their groups. */
    private record CertificateUsers(Supplier<TrustedClients> trust, InstantSource clock) implements Identification {
        private static final String CREDENTIAL = "authentication.kubernetes.io/credential-id";

        @Override
        public Finding identify(Request request) {
            var authorities = trust.get().users();
            if (request.certificates().isEmpty() || authorities.isEmpty()) {
                return NOTHING;
            }
            X509Certificate own = request.certificates().getFirst();
            try {
                authorities.requireClient(request.certificates(), clock.instant());
                SubjectName subject = SubjectName.of(own);
                return subject.commonName().isEmpty()
                        ? new Finding.Refused("the certificate has no CommonName")
                        : new Finding.Known(user(subject, own));
            } catch (GeneralSecurityException e) {
                return new Finding.Refused("not a certificate of a user: " + e.getMessage());
            }
        }

        private static User user(SubjectName subject, X509Certificate certificate) throws GeneralSecurityException {
            String credential = "X509SHA256=" + sha256(certificate.getEncoded());
            return new User(subject.commonName(), "", subject.organizations(), Map.of(CREDENTIAL, List.of(credential)))
                    .authenticated();
        }
    }

    /** Users by their bearer tokens: the API server reviews a token, and the answer is cached for a while. */
    static final class TokenReviews implements Identification {
        private static final String PATH = "/apis/authentication.k8s.io/v1/tokenreviews";
        private static final String SCHEME = "Bearer ";

        private final Optional<ApiTransport> server;
        private final ReviewedAnswers<String, Finding> known;

        TokenReviews(Optional<ApiTransport> server, Duration lifetime, InstantSource clock) {
            this(server, lifetime, clock, System::nanoTime);
        }

        TokenReviews(Optional<ApiTransport> server, Duration lifetime, InstantSource clock, LongSupplier nanos) {
            this.server = server;
            this.known = new ReviewedAnswers<>(
                    "a token", (_, _) -> lifetime, digest -> digest, Finding.Known.class::isInstance, clock, nanos);
        }

        @Override
        public Finding identify(Request request) throws ReviewFailedException {
            String header = request.header("Authorization").strip();
            boolean bearer = header.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
            String token = bearer ? header.substring(SCHEME.length()).strip() : "";
            if (token.isEmpty() || server.isEmpty()) {
                return NOTHING;
            }
            // tokens themselves are not kept
            String digest = sha256(token.getBytes(StandardCharsets.UTF_8));
            return known.to(digest, () -> ask(server.get(), token));
        }

        private static Finding ask(ApiTransport server, String token) throws ReviewFailedException {
            Tree review = new Tree()
                    .put("apiVersion", "authentication.k8s.io/v1")
                    .put("kind", "TokenReview")
                    .put("spec", new Tree().put("token", token));
            JsonObject status = ReviewCall.status(server, PATH, review);
            if (!ReviewCall.truth(status, "authenticated")) {
                return new Finding.Refused("the token is no good");
            }
            JsonObject user = ReviewCall.object(status, "user");
            Map<String, List<String>> extra = new LinkedHashMap<>();
            ReviewCall.object(user, "extra").asMap().forEach((key, values) -> extra.put(key, ReviewCall.texts(values)));
            return new Finding.Known(new User(
                            ReviewCall.text(user, "username"),
                            ReviewCall.text(user, "uid"),
                            ReviewCall.texts(user.get("groups")),
                            extra)
                    .authenticated());
        }
    }

    /** In hex: a name for a credential under which it can be remembered without being kept. */
    private static String sha256(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /**
     * Users whom a front proxy names in headers. Any client can send such headers, so they are read only after the
     * certificate has turned out to be the proxy's.
     */
    record ProxiedUsers(Supplier<TrustedClients> trust, InstantSource clock) implements Identification {
        @Override
        public Finding identify(Request request) {
            FrontProxy proxy = trust.get().proxy();
            if (request.certificates().isEmpty() || proxy.authorities().isEmpty()) {
                return NOTHING;
            }
            try {
                proxy.authorities().requireClient(request.certificates(), clock.instant());
            } catch (GeneralSecurityException e) {
                return new Finding.Refused("not a certificate of a front proxy: " + e.getMessage());
            }
            String name = SubjectName.of(request.certificates().getFirst()).commonName();
            return proxy.allows(name)
                    ? user(request, proxy.headers())
                    : new Finding.Refused("no front proxy may be called \"" + name + "\"");
        }

        private static Finding user(Request request, FrontProxy.UserHeaders headers) {
            return values(request, headers.names())
                    .findFirst()
                    .<Finding>map(name -> new Finding.Known(new User(
                                    name,
                                    values(request, headers.uids()).findFirst().orElse(""),
                                    values(request, headers.groups()).toList(),
                                    extra(request, headers.extraPrefixes()))
                            .authenticated()))
                    .orElse(NOTHING);
        }

        private static Stream<String> values(Request request, List<String> names) {
            return names.stream()
                    .flatMap(name -> request.headerValues(name).stream())
                    .filter(value -> !value.isEmpty());
        }

        private static Map<String, List<String>> extra(Request request, List<String> prefixes) {
            Map<String, List<String>> extra = new TreeMap<>();
            for (String header : request.headerNames()) {
                String lowerCase = header.toLowerCase(Locale.ROOT);
                for (String prefix : prefixes) {
                    if (lowerCase.startsWith(prefix.toLowerCase(Locale.ROOT))) {
                        extra.computeIfAbsent(decode(lowerCase.substring(prefix.length())), key -> new ArrayList<>())
                                .addAll(request.headerValues(header));
                    }
                }
            }
            return extra;
        }

        /** Percent signs for what header names cannot contain, such as a slash; what is no valid encoding stays. */
        private static String decode(String key) {
            try {
                return URLDecoder.decode(key.replace("+", "%2B"), StandardCharsets.UTF_8);
            } catch (IllegalArgumentException e) {
                return key;
            }
        }
    }

    /** @param published the reader of the cluster's ConfigMap, where flags leave something to it */
    record Authentication(
            Supplier<TrustedClients> trust, Identification identification, Optional<ClusterTrust> published)
            implements AutoCloseable {

        @Override
        public void close() {
            published.ifPresent(ClusterTrust::close);
        }
    }

    /** The options about a front proxy that names users in headers, by the names that kube-scheduler gave them. */
    static final class RequestHeaderOptions {
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
                description =
                        "CommonNames that the front proxy's certificate may have, with commas between (default: any"
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
                description =
                        "Headers to take the user's UID from; the first that is there counts (default: x-remote-uid)")
        private NameList uidHeaders = NameList.of("x-remote-uid");

        @Option(
                names = "--requestheader-extra-headers-prefix",
                paramLabel = "NAMES",
                converter = HeaderNames.class,
                description = "Prefix of headers that say more of the user (default: x-remote-extra-)")
        private NameList extraPrefixes = NameList.of("x-remote-extra-");

        /** @throws ServingException if the file is of no use */
        Optional<Supplier<FrontProxy>> proxy(InstantSource clock) {
            UserHeaders headers = new UserHeaders(
                    userHeaders.names(), groupHeaders.names(), uidHeaders.names(), extraPrefixes.names());
            List<String> names = allowedNames.names();
            if (authorities.isEmpty() && !names.isEmpty()) {
                log.atWarn()
                        .setMessage(
                                "--requestheader-allowed-names is ignored: no --requestheader-client-ca-file is set")
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
}
