package io.evenkeel.chart.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Yaml;
import java.util.List;
import org.junit.jupiter.api.Test;

/** To whom replicas may speak where there is a NetworkPolicy. */
class NetworkPolicyTest {
    @Test
    void toTheApiServersPortsOnly() {
        assertThat(egress("enabled: true")).containsExactly(Yaml.document("""
                ports: [{port: 443, protocol: TCP}, {port: 6443, protocol: TCP}]"""));
    }

    /** DNS is somewhere else than the API server, so its addresses are not narrowed with the server's. */
    @Test
    void toDnsWhereTheServerIsKnownByName() {
        assertThat(
                        egress(
                                "enabled: true, dnsPorts: [53], apiServerPorts: [16443], egressTo: [{ipBlock: {cidr: 10.0.0.1/32}}]"))
                .containsExactly(Yaml.document("""
                        {ports: [{port: 16443, protocol: TCP}], to: [{ipBlock: {cidr: 10.0.0.1/32}}]}"""), Yaml.document("""
                        ports: [{port: 53, protocol: UDP}, {port: 53, protocol: TCP}]"""));
    }

    private static List<JsonObject> egress(String values) {
        return Chart.render("networkPolicy: {%s}".formatted(values))
                .the("NetworkPolicy")
                .objects("spec", "egress");
    }
}
