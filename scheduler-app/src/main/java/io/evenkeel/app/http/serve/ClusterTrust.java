package io.evenkeel.app.http.serve;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import io.evenkeel.app.http.serve.ClusterTrust.TrustedClients;
import io.evenkeel.app.http.serve.ClusterTrust.TrustedClients.FrontProxy;
import io.evenkeel.app.http.serve.ClusterTrust.TrustedClients.FrontProxy.UserHeaders;
import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.NoAnswer;
import io.evenkeel.kube.api.Supervisor;
import io.evenkeel.model.json.Trees;
import io.evenkeel.tls.Authorities;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The client CAs that the cluster trusts, from a ConfigMap that API servers keep. It is read once a minute on a thread
 * of its own, by its name, as the right to get this one object is all that this takes. While it cannot be read, the
 * last reading holds; before the first, and where there is no such object, no client is trusted. What flags decide is
 * left out.
 */
final class ClusterTrust implements Supplier<TrustedClients>, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ClusterTrust.class);
    private static final String OBJECT = "kube-system/extension-apiserver-authentication";
    private static final String PATH = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";
    private static final String THREAD = "client-authorities";
    private static final long SECONDS_BETWEEN_READINGS = 60;

    private final ApiTransport server;
    private final UnaryOperator<TrustedClients> wanted;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name(THREAD).factory());
    private volatile TrustedClients latest = TrustedClients.NONE;
    private boolean inTrouble;

    /** @param wanted leaves of what is published that which is to count */
    public ClusterTrust(ApiTransport server, UnaryOperator<TrustedClients> wanted) {
        this.server = server;
        this.wanted = wanted;
    }

    @Override
    public TrustedClients get() {
        return latest;
    }

    public void read() throws LookupFailedException {
        TrustedClients before = latest;
        latest = ask();
        if (!latest.equals(before)) {
            log.atInfo()
                    .setMessage("Loaded client CAs from the cluster")
                    .addKeyValue("ofUsers", latest.users().names())
                    .addKeyValue("ofProxies", latest.proxy().authorities().names())
                    .log();
        }
    }

    /** Reads at once and every minute from now on, whatever comes of it. */
    public void keepReading(Supervisor supervisor) {
        Runnable reading = supervisor.watching(THREAD, this::tryToRead);
        var _ = thread.scheduleWithFixedDelay(reading, 0, SECONDS_BETWEEN_READINGS, TimeUnit.SECONDS);
    }

    /** One reading of {@link #keepReading}: never fails, and warns once until it works again. */
    void tryToRead() {
        try {
            read();
            inTrouble = false;
        } catch (LookupFailedException | RuntimeException e) {
            Level level = inTrouble ? Level.DEBUG : NoAnswer.level(e);
            log.atLevel(level)
                    .setMessage(
                            "Cannot read client CAs from kube-system/extension-apiserver-authentication, will retry")
                    .addKeyValue("why", e.getMessage())
                    .log();
            inTrouble |= level == Level.WARN;
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    boolean isClosed() {
        return thread.isTerminated();
    }

    private TrustedClients ask() throws LookupFailedException {
        try {
            Answered answer = Answered.whole(server, ApiCall.get(PATH));
            if (answer.code() == 404) {
                return TrustedClients.NONE;
            }
            if (!answer.isSuccess()) {
                throw new LookupFailedException(
                        answer.code() + " " + answer.status().message());
            }
            return wanted.apply(AuthenticationConfigMap.read(answer.body()));
        } catch (LookupFailedException e) {
            throw new LookupFailedException("ConfigMap " + OBJECT + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw new LookupFailedException("ConfigMap " + OBJECT + ": " + NoAnswer.why(e), e);
        }
    }

    /** Reads the ConfigMap in which API servers publish how they authenticate clients by certificates. */
    private record AuthenticationConfigMap(Map<String, String> data) {
        private static final JsonFactory JSON = new JsonFactory();

        /** The authorities that it trusts; a key that it lacks trusts none. */
        static TrustedClients read(byte[] json) throws LookupFailedException {
            AuthenticationConfigMap map = new AuthenticationConfigMap(data(json));
            return new TrustedClients(map.authorities("client-ca-file"), map.proxy());
        }

        private FrontProxy proxy() throws LookupFailedException {
            Authorities authorities = authorities("requestheader-client-ca-file");
            return authorities.isEmpty()
                    ? FrontProxy.NONE
                    : new FrontProxy(
                            authorities,
                            list("requestheader-allowed-names"),
                            new UserHeaders(
                                    list("requestheader-username-headers"),
                                    list("requestheader-group-headers"),
                                    list("requestheader-uid-headers"),
                                    list("requestheader-extra-headers-prefix")));
        }

        private Authorities authorities(String key) throws LookupFailedException {
            String pem = data.getOrDefault(key, "");
            if (pem.isBlank()) {
                return Authorities.NONE;
            }
            try {
                return Authorities.parse(pem.getBytes(StandardCharsets.UTF_8));
            } catch (GeneralSecurityException e) {
                throw new LookupFailedException(key + ": " + e.getMessage(), e);
            }
        }

        private List<String> list(String key) throws LookupFailedException {
            String text = data.getOrDefault(key, "");
            if (text.isBlank()) {
                return List.of();
            }
            try (JsonParser in = JSON.createParser(text)) {
                if (in.nextToken() == JsonToken.START_ARRAY) {
                    List<String> values = new ArrayList<>();
                    while (in.nextToken() == JsonToken.VALUE_STRING) {
                        values.add(in.getText());
                    }
                    if (in.currentToken() == JsonToken.END_ARRAY && in.nextToken() == null) {
                        return List.copyOf(values);
                    }
                }
            } catch (IOException notJson) {
                throw new LookupFailedException(key + " is not JSON", notJson);
            }
            throw new LookupFailedException(key + " is not a list of strings");
        }

        private static Map<String, String> data(byte[] json) throws LookupFailedException {
            JsonElement answer;
            try {
                answer = Trees.strict(new String(json, StandardCharsets.UTF_8));
            } catch (JsonParseException broken) {
                throw new LookupFailedException("the answer is not JSON", broken);
            }
            if (!(answer instanceof JsonObject map)) {
                throw new LookupFailedException("the answer is not an object");
            }
            Map<String, String> data = new HashMap<>();
            if (map.get("data") instanceof JsonObject texts) {
                texts.asMap().forEach((key, value) -> {
                    if (value instanceof JsonPrimitive text && text.isString()) {
                        data.put(key, text.getAsString());
                    }
                });
            }
            return data;
        }
    }

    /** A ConfigMap of authentication that cannot be read or makes no sense. The message is one line. */
    static final class LookupFailedException extends Exception {
        private static final long serialVersionUID = 1L;

        LookupFailedException(String message) {
            super(message);
        }

        LookupFailedException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** Who may sign certificates of users, and who may name the user of a request. */
    record TrustedClients(Authorities users, FrontProxy proxy) {
        public static final TrustedClients NONE = new TrustedClients(Authorities.NONE, FrontProxy.NONE);

        /** Without them, there is no use in asking clients for certificates. */
        public boolean isEmpty() {
            return users.isEmpty() && proxy.authorities().isEmpty();
        }

        /** The authorities that a handshake names, for clients to choose a certificate by. */
        public List<X509Certificate> issuers() {
            return Stream.of(users, proxy.authorities())
                    .flatMap(authorities -> authorities.certificates().stream())
                    .distinct()
                    .toList();
        }

        /**
         * A proxy that has authenticated the user already and names them in headers. It is believed for its certificate alone:
         * the headers of other clients are ignored.
         *
         * @param authorities who sign its certificate
         * @param allowedNames what its certificate may be called; empty for whatever the authorities have signed
         */
        record FrontProxy(Authorities authorities, List<String> allowedNames, UserHeaders headers) {
            public static final FrontProxy NONE = new FrontProxy(Authorities.NONE, List.of(), UserHeaders.NONE);

            /**
             * The headers in which it names the user.
             *
             * @param names the first of these that is there has the name
             * @param groups each of these has a group
             * @param uids the first of these that is there has the UID
             * @param extraPrefixes what such a header says more of the user is called by the rest of its name
             */
            public record UserHeaders(
                    List<String> names, List<String> groups, List<String> uids, List<String> extraPrefixes) {
                static final UserHeaders NONE = new UserHeaders(List.of(), List.of(), List.of(), List.of());
            }

            public boolean allows(String commonName) {
                return allowedNames.isEmpty() || allowedNames.contains(commonName);
            }
        }
    }
}
