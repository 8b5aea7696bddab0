package io.evenkeel.tools.why;

import com.fasterxml.jackson.core.JsonGenerator;
import io.evenkeel.engine.why.Answer;
import io.evenkeel.framework.why.Account;
import java.io.IOException;
import java.util.Map;

/** A plugin's counts for a rule, as JSON. */
final class JsonAccount {
    private JsonAccount() {}

    static void write(JsonGenerator json, Answer.Rule rule) throws IOException {
        json.writeStartObject();
        json.writeStringField("plugin", rule.plugin());
        json.writeStringField("text", AccountText.of(rule.account()));
        switch (rule.account()) {
            case Account.Spread spread -> write(json, spread);
            case Account.Resource resource -> {
                json.writeStringField("resource", resource.resource());
                json.writeStringField("asked", resource.asked());
                json.writeStringField("mostFree", resource.mostFree());
                json.writeStringField("node", resource.node());
                json.writeStringField("freeInAll", resource.freeInAll());
                json.writeNumberField("nodesShort", resource.nodesShort());
            }
            case Account.Neighbours neighbours -> {
                json.writeStringField("topologyKey", neighbours.topologyKey());
                json.writeStringField("selector", neighbours.selector());
                json.writeArrayFieldStart("domains");
                for (Account.NeighbourDomain domain : neighbours.domains()) {
                    json.writeStartObject();
                    json.writeStringField("domain", domain.value());
                    json.writeNumberField("matching", domain.matching());
                    json.writeEndObject();
                }
                json.writeEndArray();
            }
            case Account.Places places -> write(json, places);
            case Account.VolumeLimit limit -> write(json, limit);
            case Account.Words _ -> {}
        }
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Account.Places places) throws IOException {
        json.writeNumberField("nodes", places.nodes().size());
        json.writeNumberField("of", places.of());
        json.writeObjectFieldStart("there");
        for (Map.Entry<String, Integer> reason : places.there().entrySet()) {
            json.writeNumberField(reason.getKey(), reason.getValue());
        }
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Account.VolumeLimit limit) throws IOException {
        json.writeStringField("driver", limit.driver());
        json.writeNumberField("asked", limit.asked());
        json.writeArrayFieldStart("nodes");
        for (Account.FullNode node : limit.nodes()) {
            json.writeStartObject();
            json.writeStringField("node", node.node());
            json.writeNumberField("attached", node.attached());
            json.writeNumberField("more", node.more());
            json.writeNumberField("limit", node.limit());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void write(JsonGenerator json, Account.Spread spread) throws IOException {
        json.writeStringField("topologyKey", spread.topologyKey());
        json.writeStringField("selector", spread.selector());
        json.writeNumberField("maxSkew", spread.maxSkew());
        json.writeNumberField("minDomains", spread.minDomains());
        json.writeNumberField("self", spread.self());
        json.writeNumberField("fewest", spread.fewest());
        json.writeArrayFieldStart("domains");
        for (Account.SpreadDomain domain : spread.domains()) {
            json.writeStartObject();
            json.writeStringField("domain", domain.value());
            json.writeNumberField("matching", domain.matching());
            json.writeBooleanField("counted", domain.counted());
            json.writeNumberField("skew", domain.skew());
            json.writeBooleanField("allowed", domain.allowed());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
