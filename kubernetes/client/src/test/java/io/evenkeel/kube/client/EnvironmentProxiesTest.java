package io.evenkeel.kube.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.kube.client.ProxyServer.EnvironmentProxies;
import java.util.Map;
import okhttp3.HttpUrl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnvironmentProxiesTest {
    @Test
    void theSchemeChoosesTheVariable() {
        Map<String, String> both = Map.of("HTTPS_PROXY", "http://secure:1", "http_proxy", "plain:2");

        assertThat(proxy(both, "https://api.example")).isEqualTo("secure:1");
        assertThat(proxy(both, "http://api.example")).isEqualTo("plain:2");
        assertThat(proxy(Map.of(), "https://api.example")).isEqualTo("none");
    }

    @Test
    void whatIsNoProxyIsNamed() {
        assertThatThrownBy(() -> proxy(Map.of("HTTPS_PROXY", "ftp://x"), "https://api.example"))
                .isInstanceOf(ClientConfigurationException.class)
                .hasMessage("$HTTPS_PROXY has the scheme \"ftp\": it must be http, https or socks5");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            *                       | https://api.example       | true
            api.example             | https://api.example       | true
            example                 | https://api.example       | true
            .example                | https://api.example       | true
            *.example               | https://api.example       | true
            .api.example            | https://api.example       | false
            pi.example              | https://api.example       | false
            'other, API.example'    | https://api.example       | true
            api.example:443         | https://api.example       | true
            api.example:6443        | https://api.example       | false
            10.0.0.1                | https://10.0.0.1:6443     | true
            10.0.0.1:6443           | https://10.0.0.1:6443     | true
            10.0.0.1:1              | https://10.0.0.1:6443     | false
            10.0.0.0/8              | https://10.1.2.3          | true
            10.1.2.128/25           | https://10.1.2.127        | false
            10.0.0.0/8              | https://api.example       | false
            10.0.0.0/99             | https://10.0.0.1          | false
            fd00::/8                | https://[fd12::1]:6443    | true
            fd12::1                 | https://[fd12::1]:6443    | true
            [fd12::1]:6443          | https://[fd12::1]:6443    | true
            ''                      | https://api.example       | false
            ''                      | https://localhost:6443    | true
            ''                      | https://127.0.0.1:6443    | true
            ''                      | https://[::1]:6443        | true
            """)
    void someServersAreReachedDirectly(String exceptions, String server, boolean direct) {
        Map<String, String> environment = Map.of("HTTPS_PROXY", "http://between:3128", "NO_PROXY", exceptions);

        assertThat(proxy(environment, server)).isEqualTo(direct ? "none" : "between:3128");
    }

    private static String proxy(Map<String, String> environment, String server) {
        return new EnvironmentProxies(environment)
                .to(HttpUrl.get(server))
                .map(found -> found.host() + ":" + found.port())
                .orElse("none");
    }
}
