package io.evenkeel.app.http.serve;

import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.app.http.Client;
import io.evenkeel.app.http.FakeApiServer;
import io.evenkeel.app.http.serve.AuthenticationOptions.Authentication;
import io.evenkeel.app.http.serve.AuthenticationOptions.RequestHeaderOptions;
import io.evenkeel.app.http.serve.ClusterTrust.TrustedClients;
import io.evenkeel.app.http.serve.ClusterTrust.TrustedClients.FrontProxy;
import io.evenkeel.app.http.serve.ClusterTrust.TrustedClients.FrontProxy.UserHeaders;
import io.evenkeel.testing.LogLines;
import io.evenkeel.tls.TestAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Where trust comes from: flags first, the cluster for what they leave out. */
class AuthenticationOptionsTest {
    private static final TestAuthority OF_FLAGS = TestAuthority.named("of-flags");
    private static final TestAuthority PUBLISHED = TestAuthority.named("published");

    private final FakeApiServer api = new FakeApiServer();

    @TempDir
    private Path folder;

    private String file = "";

    @BeforeEach
    void publish() throws IOException {
        file = Files.writeString(folder.resolve("ca.crt"), OF_FLAGS.pem()).toString();
        api.publish(
                "client-ca-file", PUBLISHED.pem(),
                "requestheader-client-ca-file", PUBLISHED.pem(),
                "requestheader-allowed-names", "[\"published\"]");
    }

    @Test
    void withoutFlagsTheClusterSaysWhomToTrust() {
        try (Authentication authentication = open()) {
            await().until(() -> !authentication.trust().get().isEmpty());

            TrustedClients trust = authentication.trust().get();
            assertThat(trust.users()).isEqualTo(PUBLISHED.authorities());
            assertThat(trust.proxy().allowedNames()).containsExactly("published");
        }
    }

    @Test
    void whatAFlagNamesIsNotTakenFromTheCluster() {
        try (Authentication authentication = open("--client-ca-file=" + file)) {
            await().until(() ->
                    !authentication.trust().get().proxy().authorities().isEmpty());

            assertThat(authentication.trust().get().users()).isEqualTo(OF_FLAGS.authorities());
        }
        try (Authentication authentication = open("--requestheader-client-ca-file=" + file)) {
            await().until(() -> !authentication.trust().get().users().isEmpty());

            assertThat(authentication.trust().get())
                    .isEqualTo(new TrustedClients(
                            PUBLISHED.authorities(),
                            new FrontProxy(
                                    OF_FLAGS.authorities(),
                                    List.of(),
                                    new UserHeaders(
                                            List.of("x-remote-user"),
                                            List.of("x-remote-group"),
                                            List.of("x-remote-uid"),
                                            List.of("x-remote-extra-")))));
        }
    }

    @Test
    void whatAFlagOverridesIsNotSaidToBeTrusted() {
        try (LogLines log = new LogLines(ClusterTrust.class);
                Authentication _ = open("--client-ca-file=" + file, "--authentication-tolerate-lookup-failure=false")) {
            assertThat(log.lines().getFirst())
                    .startsWith("INFO Loaded client CAs from the cluster [ofUsers=\"[]\","
                            + " ofProxies=\"[CN=published]\"");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--requestheader-username-headers= | expected at least one header name",
                "--requestheader-username-headers=a b | \"a b\" cannot be the name of a header",
                "--requestheader-group-headers=a,b:c | \"b:c\" cannot be the name of a header",
                "--requestheader-extra-headers-prefix=ä- | \"ä-\" cannot be the name of a header",
            })
    void whatIsNoHeaderIsRefused(String argument, String why) {
        assertThatThrownBy(() -> open(argument))
                .isInstanceOf(CommandLine.ParameterException.class)
                .hasMessageContaining(why);
    }

    @Test
    void namesOfProxiesWithoutTheirAuthorityAreWarnedOf() {
        try (LogLines log = new LogLines(RequestHeaderOptions.class);
                Authentication _ = open("--requestheader-allowed-names=front")) {
            assertThat(log.lines())
                    .containsExactly(
                            "WARN --requestheader-allowed-names is ignored: no --requestheader-client-ca-file is set"
                                    + " [missing=\"--requestheader-client-ca-file\", allowedNames=\"[front]\"]");
        }
    }

    @Test
    void theClusterIsNotAskedWhereFlagsSayAll() {
        try (Authentication authentication = open(
                "--client-ca-file=" + file,
                "--requestheader-client-ca-file=" + file,
                "--requestheader-allowed-names=a,b")) {
            assertThat(authentication.published()).isEmpty();
            assertThat(authentication.trust().get().proxy().allowedNames()).containsExactly("a", "b");
        }
    }

    @Test
    void whoSkipsTheLookupHasFilesAndTokensAlone() throws Exception {
        api.tokenReview = "{\"status\":{\"authenticated\":true,\"user\":{\"username\":\"alice\"}}}";
        try (Authentication authentication = open("--authentication-skip-lookup", "--client-ca-file=" + file)) {
            assertThat(authentication.published()).isEmpty();
            assertThat(authentication.trust().get())
                    .isEqualTo(new TrustedClients(OF_FLAGS.authorities(), FrontProxy.NONE));

            assertThat(authentication
                            .identification()
                            .identify(DelegatedAccessTest.get("/metrics", "Authorization", "Bearer secret")))
                    .isInstanceOf(Identification.Finding.Known.class);
        }
    }

    @Test
    void aLookupThatFailsIsToleratedUnlessToldOtherwise() {
        api.code = 403;
        try (Authentication authentication = open()) {
            await().until(() -> !api.calls.isEmpty());
            assertThat(authentication.trust().get()).isEqualTo(TrustedClients.NONE);
        }
        assertThatThrownBy(() -> open("--authentication-tolerate-lookup-failure=false"))
                .isInstanceOf(ServingException.class)
                .hasMessage("--authentication-tolerate-lookup-failure=false: ConfigMap"
                        + " kube-system/extension-apiserver-authentication: 403 no right");
    }

    @Test
    void aClusterThatPublishesNothingIsNoFailure() {
        api.code = 404;
        try (Authentication authentication = open("--authentication-tolerate-lookup-failure=false")) {
            assertThat(authentication.trust().get()).isEqualTo(TrustedClients.NONE);
        }
    }

    @Test
    void whoDoesNotTolerateAFailureTrustsAsPublishedFromTheStart() {
        try (Authentication authentication = open("--authentication-tolerate-lookup-failure=false")) {
            assertThat(authentication.trust().get().users()).isEqualTo(PUBLISHED.authorities());
        }
    }

    private Authentication open(String... arguments) {
        AuthenticationOptions options = new AuthenticationOptions();
        new CommandLine(new Command(options)).parseArgs(arguments);
        return options.open(Optional.of(api), InstantSource.system(), Client.UNHARMED);
    }

    private record Command(@CommandLine.Mixin AuthenticationOptions options) {}
}
