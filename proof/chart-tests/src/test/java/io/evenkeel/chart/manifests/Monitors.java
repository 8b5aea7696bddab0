package io.evenkeel.chart.manifests;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import io.evenkeel.chart.helm.Manifest;
import io.fabric8.openshift.api.model.monitoring.v1.PodMonitor;
import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;

/** Compares manifests with the Prometheus operator's kinds, as the models that were generated from them know them. */
final class Monitors {
    static final String API_VERSION = "monitoring.coreos.com/v1";

    private static final ObjectMapper STRICT = new ObjectMapper()
            .setAnnotationIntrospector(new JacksonAnnotationIntrospector() {
                private static final long serialVersionUID = 1L;

                // the models keep fields that they do not know
                @Override
                public Boolean hasAnySetter(Annotated member) {
                    return false;
                }
            });

    private Monitors() {}

    /** Fields that there are not, and values of the wrong type. */
    static void check(Manifest manifest) {
        Class<?> model = switch (manifest.kind()) {
            case "ServiceMonitor" -> ServiceMonitor.class;
            case "PodMonitor" -> PodMonitor.class;
            case "PrometheusRule" -> PrometheusRule.class;
            default -> throw new AssertionError("no model for " + manifest);
        };
        try {
            STRICT.readValue(manifest.tree().toString(), model);
        } catch (JsonProcessingException wrong) {
            throw new AssertionError(manifest + ": " + wrong.getMessage(), wrong);
        }
    }
}
