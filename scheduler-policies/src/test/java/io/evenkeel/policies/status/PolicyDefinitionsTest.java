package io.evenkeel.policies.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.hollow.registry.PolicySchema;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.hollow.resource.Refusals.ApiException;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.policies.ReadablePolicy;
import io.evenkeel.policies.ReadablePolicy.PolicyReadings;
import io.evenkeel.rotation.Rotated;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the definitions of policies let pass can be kept, and what cannot be kept they refuse. */
class PolicyDefinitionsTest {
    private static final int POLICIES = 3_000;
    private static final List<String> KEYS =
            List.of("zone", "example.com/zone", "a".repeat(63), "b".repeat(253) + "/" + "c".repeat(63), "1.2/A_b-c.d");
    private static final List<String> NO_KEYS = List.of(
            "a b",
            "x/y/z",
            "/a",
            "a/",
            "-a",
            "a.",
            "A/b",
            "a..b/c",
            "ä",
            "a\n",
            "a".repeat(64),
            "b".repeat(254) + "/a");
    private static final List<String> VALUES = List.of("a", "b", "1", "My-value_1.0", "c".repeat(63));
    private static final List<String> NO_VALUES = List.of("a b", "-a", "a_", "a/b", "ä", "a\n", "c".repeat(64));
    private static final List<String> OPERATORS = List.of("In", "NotIn", "Exists", "DoesNotExist", "Gt");

    private final ObjectReader reader = new ObjectReader();
    private final Gson gson = new Gson();

    /** Of a policy: one in ten of what it says is wrong. */
    private record Draws(SplittableRandom random) {
        <T> T oneOf(List<T> some) {
            return some.get(random.nextInt(some.size()));
        }

        boolean in(int parts) {
            return random.nextInt(parts) == 0;
        }

        String key() {
            return oneOf(in(10) ? NO_KEYS : KEYS);
        }

        String value() {
            return oneOf(in(10) ? NO_VALUES : VALUES);
        }

        List<String> several(int most, boolean ofKeys) {
            return IntStream.range(0, random.nextInt(most + 1))
                    .mapToObj(_ -> ofKeys ? key() : value())
                    .toList();
        }

        Map<String, Object> spec() {
            Map<String, Object> spec = new LinkedHashMap<>();
            if (!in(20)) {
                spec.put("selector", selector());
            }
            if (!in(3)) {
                spec.put("namespaceSelector", selector());
            }
            List<Object> rules = new ArrayList<>();
            for (int i = in(20) ? 1 : 0; i < 2; i++) {
                rules.add(rule());
            }
            spec.put("rules", rules);
            return spec;
        }

        Map<String, Object> selector() {
            Map<String, Object> selector = new LinkedHashMap<>();
            if (in(2)) {
                selector.put("matchLabels", Map.of(key(), in(5) ? "" : value()));
            }
            if (in(2)) {
                String operator = oneOf(OPERATORS);
                boolean takesValues = operator.endsWith("In") != in(10);
                selector.put(
                        "matchExpressions",
                        List.of(Map.of(
                                "key",
                                key(),
                                "operator",
                                operator,
                                "values",
                                takesValues ? List.of(value(), value()) : List.of())));
            }
            return selector;
        }

        Map<String, Object> rule() {
            Map<String, Object> rule = new LinkedHashMap<>();
            rule.put("topologyKey", key());
            if (in(2)) {
                rule.put("maxPods", random.nextInt(-1, 10));
            }
            if (in(2)) {
                rule.put("maxSkew", random.nextInt(0, 20));
            }
            if (in(4)) {
                rule.put("maxDomains", random.nextInt(1, 4));
            }
            if (in(3)) {
                rule.put("mustUse", several(2, false));
            }
            if (in(3)) {
                rule.put("matchLabelKeys", several(2, true));
            }
            if (in(4)) {
                rule.put("knownDomains", several(2, false));
            }
            if (in(4)) {
                rule.put("weights", List.of(Map.of("domain", value(), "weight", random.nextInt(0, 3))));
            }
            if (in(6)) {
                rule.put("whenUnsatisfiable", "ScheduleAnyway");
            }
            if (in(6)) {
                rule.put("relaxAfterSeconds", random.nextInt(0, 5));
            }
            return rule;
        }
    }

    @Rotated(2)
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void refuseWhatCannotBeKept(boolean namespaced) {
        Draws draws = new Draws(new SplittableRandom(7));
        int taken = 0;
        for (int i = 0; i < POLICIES; i++) {
            JsonObject policy = policy(draws.spec(), namespaced);
            Optional<String> refusal = refusal(policy, namespaced);

            assertThat(fault(policy).isPresent())
                    .as("%s is refused: %s; is faulty: %s", policy, refusal, fault(policy))
                    .isEqualTo(refusal.isPresent());
            taken += refusal.isEmpty() ? 1 : 0;
        }
        assertThat(taken).isBetween(POLICIES / 20, POLICIES / 2);
    }

    private JsonObject policy(Map<String, Object> spec, boolean namespaced) {
        JsonObject policy = new JsonObject();
        policy.addProperty("apiVersion", "evenkeel.io/v1alpha1");
        policy.addProperty("kind", namespaced ? "PlacementPolicy" : "ClusterPlacementPolicy");
        policy.add(
                "metadata",
                gson.toJsonTree(namespaced ? Map.of("namespace", "shop", "name", "web") : Map.of("name", "web")));
        policy.add("spec", gson.toJsonTree(spec));
        return policy;
    }

    private static Optional<String> refusal(JsonObject policy, boolean namespaced) {
        FieldErrors errors = new FieldErrors();
        PolicySchema.check(policy, namespaced, errors);
        try {
            errors.refuse("evenkeel.io", "PlacementPolicy", "web");
            return Optional.empty();
        } catch (ApiException refused) {
            return Optional.of(String.valueOf(refused.getMessage()));
        }
    }

    /** What is not read at all is not kept either; the log says so. */
    private Optional<String> fault(JsonObject policy) {
        ClusterState cluster = new ClusterState();
        PolicyReadings readings = new PolicyReadings(cluster.view());
        try {
            cluster.put(reader.read(policy.toString()));
        } catch (ObjectReadException unread) {
            return Optional.of(String.valueOf(unread.getMessage()));
        }
        return readings.all().stream().map(ReadablePolicy::fault).findFirst().orElseThrow();
    }
}
