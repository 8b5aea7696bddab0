package io.evenkeel.app.policy;

import com.fasterxml.jackson.core.JsonGenerator;
import io.evenkeel.model.policy.PolicyCondition;
import io.evenkeel.model.policy.PolicyStatus;
import io.evenkeel.model.policy.PolicyStatus.DomainPods;
import io.evenkeel.model.policy.PolicyStatus.RuleStatus;
import io.evenkeel.model.policy.RelaxedDomain;
import io.evenkeel.model.policy.RememberedDomain;
import java.io.IOException;

/** A status as it is written. */
final class StatusBody {
    private StatusBody() {}

    static void write(JsonGenerator json, PolicyStatus status) throws IOException {
        json.writeNumberField("observedGeneration", status.observedGeneration());
        json.writeNumberField("pods", status.pods());
        json.writeNumberField("waiting", status.waiting());
        json.writeArrayFieldStart("rules");
        for (RuleStatus rule : status.rules()) {
            write(json, rule);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("relaxed");
        for (RelaxedDomain domain : status.relaxed()) {
            write(json, domain);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("remembered");
        for (RememberedDomain domain : status.remembered()) {
            write(json, domain);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("conditions");
        for (PolicyCondition condition : status.conditions()) {
            write(json, condition);
        }
        json.writeEndArray();
    }

    private static void write(JsonGenerator json, RuleStatus rule) throws IOException {
        json.writeStartObject();
        json.writeStringField("topologyKey", rule.topologyKey());
        json.writeArrayFieldStart("domains");
        for (DomainPods domain : rule.domains()) {
            json.writeStartObject();
            json.writeStringField("domain", domain.domain());
            json.writeNumberField("pods", domain.pods());
            json.writeEndObject();
        }
        json.writeEndArray();
        if (rule.moreDomains() > 0) {
            json.writeNumberField("moreDomains", rule.moreDomains());
        }
        json.writeNumberField("fewest", rule.fewest());
        json.writeNumberField("most", rule.most());
        json.writeNumberField("skew", rule.skew());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, RelaxedDomain relaxed) throws IOException {
        json.writeStartObject();
        json.writeStringField("topologyKey", relaxed.topologyKey());
        json.writeStringField("domain", relaxed.domain());
        json.writeStringField("reason", relaxed.reason());
        json.writeStringField("since", relaxed.since());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, RememberedDomain remembered) throws IOException {
        json.writeStartObject();
        json.writeStringField("topologyKey", remembered.topologyKey());
        json.writeStringField("domain", remembered.domain());
        if (remembered.isGone()) {
            json.writeStringField("goneSince", remembered.goneSince());
        }
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, PolicyCondition condition) throws IOException {
        json.writeStartObject();
        json.writeStringField("type", condition.type());
        json.writeStringField("status", condition.status());
        json.writeNumberField("observedGeneration", condition.observedGeneration());
        json.writeStringField("lastTransitionTime", condition.lastTransitionTime());
        json.writeStringField("reason", condition.reason());
        json.writeStringField("message", condition.message());
        json.writeEndObject();
    }
}
