package io.evenkeel.app.http.serve;

import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.app.http.Client;
import io.evenkeel.app.http.FakeApiServer;
import io.evenkeel.app.http.serve.ClusterTrust.LookupFailedException;
import io.evenkeel.app.http.serve.ClusterTrust.TrustedClients;
import io.evenkeel.app.http.serve.ClusterTrust.TrustedClients.FrontProxy;
import io.evenkeel.app.http.serve.ClusterTrust.TrustedClients.FrontProxy.UserHeaders;
import io.evenkeel.testing.LogLines;
import io.evenkeel.tls.TestAuthority;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterTrustTest {
    private static final TestAuthority OLD = TestAuthority.named("old");
    private static final TestAuthority NEW = TestAuthority.named("new");
    private static final TestAuthority PROXIES = TestAuthority.named("proxies");
    private static final String PATH = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";

    private final FakeApiServer api = new FakeApiServer();
    private final ClusterTrust trust = new ClusterTrust(api, UnaryOperator.identity());

    @AfterEach
    void close() {
        trust.close();
    }

    @Test
    void whatApiServersPublishIsRead() throws Exception {
        api.publish(
                "client-ca-file", OLD.pem(),
                "requestheader-client-ca-file", PROXIES.pem(),
                "requestheader-allowed-names", "[\"front-proxy-client\",\"other\"]",
                "requestheader-username-headers", "[\"X-Remote-User\"]",
                "requestheader-group-headers", "[\"X-Remote-Group\"]",
                "requestheader-uid-headers", "[\"X-Remote-Uid\"]",
                "requestheader-extra-headers-prefix", "[\"X-Remote-Extra-\"]");

        trust.read();

        assertThat(api.calls).containsExactly("GET " + PATH);
        assertThat(trust.get())
                .isEqualTo(new TrustedClients(
                        OLD.authorities(),
                        new FrontProxy(
                                PROXIES.authorities(),
                                List.of("front-proxy-client", "other"),
                                new UserHeaders(
                                        List.of("X-Remote-User"),
                                        List.of("X-Remote-Group"),
                                        List.of("X-Remote-Uid"),
                                        List.of("X-Remote-Extra-")))));
    }

    @Test
    void nobodyIsTrustedByWhatIsLeftOut() throws Exception {
        api.publish("client-ca-file", OLD.pem(), "requestheader-username-headers", "[\"X-Remote-User\"]");
        trust.read();
        assertThat(trust.get()).isEqualTo(new TrustedClients(OLD.authorities(), FrontProxy.NONE));

        api.publish("requestheader-client-ca-file", PROXIES.pem());
        trust.read();
        assertThat(trust.get().users().isEmpty()).isTrue();
        assertThat(trust.get().proxy().headers()).isEqualTo(UserHeaders.NONE);
    }

    @Test
    void aClusterThatPublishesNothingTrustsNobody() throws Exception {
        api.publish("client-ca-file", OLD.pem());
        trust.read();

        api.published = "{\"kind\":\"Status\",\"code\":404}";
        api.code = 404;
        trust.read();

        assertThat(trust.get()).isEqualTo(TrustedClients.NONE);
    }

    @Test
    void whatIsReplacedIsSaid() throws Exception {
        try (LogLines log = new LogLines(ClusterTrust.class)) {
            api.publish("client-ca-file", OLD.pem());
            trust.read();
            trust.read();
            api.publish("client-ca-file", NEW.pem());
            trust.read();

            assertThat(trust.get().users()).isEqualTo(NEW.authorities());
            assertThat(log.lines())
                    .containsExactly(
                            "INFO Loaded client CAs from the cluster [ofUsers=\"[CN=old]\"," + " ofProxies=\"[]\"]",
                            "INFO Loaded client CAs from the cluster [ofUsers=\"[CN=new]\"," + " ofProxies=\"[]\"]");
        }
    }

    @Test
    void whileItCannotBeReadTheLastHoldsAndOneWarningIsEnough() throws Exception {
        api.publish("client-ca-file", OLD.pem());
        trust.tryToRead();
        try (LogLines log = new LogLines(ClusterTrust.class)) {
            for (int code : new int[] {403, 403, 200, 403}) {
                api.code = code;
                trust.tryToRead();
            }
            assertThat(trust.get().users()).isEqualTo(OLD.authorities());
            assertThat(log.lines()).hasSize(3);
            assertThat(log.lines().getFirst())
                    .isEqualTo("WARN Cannot read client CAs from kube-system/extension-apiserver-authentication, will"
                            + " retry [why=\"ConfigMap kube-system/extension-apiserver-authentication: 403 no"
                            + " right\"]");
            assertThat(log.lines().get(1)).startsWith("DEBUG");
            assertThat(log.lines().get(2)).startsWith("WARN");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "client-ca-file | garbage | there is no certificate in PEM",
                "requestheader-client-ca-file | garbage | there is no certificate in PEM",
                "requestheader-allowed-names | null | not a list of strings",
                "requestheader-allowed-names | ['a',1] | not a list of strings",
                "requestheader-allowed-names | ['a'] ['b'] | not a list of strings",
                "requestheader-allowed-names | a, b | not JSON",
            })
    void whatMakesNoSenseIsNamedAndTheLastHolds(String key, String value, String message) throws Exception {
        api.publish("client-ca-file", OLD.pem());
        trust.read();
        api.publish("requestheader-client-ca-file", PROXIES.pem(), key, value.replace('\'', '"'));

        assertThatThrownBy(trust::read)
                .isInstanceOf(LookupFailedException.class)
                .hasMessageStartingWith("ConfigMap kube-system/extension-apiserver-authentication: " + key)
                .hasMessageEndingWith(message);
        assertThat(trust.get().users()).isEqualTo(OLD.authorities());
    }

    @Test
    void anAnswerThatIsNoObjectIsRefused() {
        api.published = "[]";
        assertThatThrownBy(trust::read).hasMessageEndingWith("the answer is not an object");
        api.published = "<html>";
        assertThatThrownBy(trust::read).hasMessageEndingWith("the answer is not JSON");
    }

    @Test
    void itKeepsReadingOnAThreadOfItsOwnUntilItIsClosed() {
        api.publish("client-ca-file", OLD.pem());

        trust.keepReading(Client.UNHARMED);

        await().until(() -> !trust.get().isEmpty());
        trust.close();
        await().until(trust::isClosed);
    }
}
