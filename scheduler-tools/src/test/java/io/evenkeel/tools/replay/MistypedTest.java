package io.evenkeel.tools.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.FeatureGates;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.output.Output;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A pod names something that is nowhere: the short answer says what there is, and what was likely meant. */
class MistypedTest {
    /** Eight nodes in two zones, a storage class, a claim of it and one of a class that is not there. */
    private static String why(String spec) {
        String objects = Stream.concat(IntStream.range(0, 8).mapToObj("""
                                {"kind":"Node","metadata":{"name":"n%1$d","labels":{"zone":"zone-1","host":"n%1$d"}},
                                 "status":{"allocatable":{"pods":"10"}}}
                                """::formatted), Stream.of("""
                                {"kind":"Node","metadata":{"name":"m","labels":{"zone":"zone-2","host":"m"}},
                                 "status":{"allocatable":{"pods":"10"}}}
                                """, """
                                {"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","metadata":{"name":"fast"},
                                 "provisioner":"example.com/disk","volumeBindingMode":"WaitForFirstConsumer"}
                                """, """
                                {"apiVersion":"v1","kind":"PersistentVolumeClaim",
                                 "metadata":{"name":"data","namespace":"default"},
                                 "spec":{"accessModes":["ReadWriteOnce"],"storageClassName":"fats",
                                  "resources":{"requests":{"storage":"1Gi"}}}}
                                """))
                .reduce("", (all, object) -> all.isEmpty() ? object : all + "," + object);
        String scenario = "{\"objects\":[" + objects + "],\"pods\":[{\"metadata\":{\"name\":\"p\"},\"spec\":{" + spec
                + ",\"containers\":[{\"name\":\"c\"}]}}]}";
        StringWriter out = new StringWriter();
        Replay.asking(InTreePlugins.registry(), FeatureGates.DEFAULTS, Output.TEXT.within(200))
                .run(
                        ScenarioSource.standardInput(new ByteArrayInputStream(
                                scenario.replace("\n", " ").getBytes(StandardCharsets.UTF_8))),
                        new PrintWriter(out),
                        problem -> {
                            throw new AssertionError(problem);
                        });
        return out.toString();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            zone | zone_1 | (nodeSelector zone=zone_1: 0 of 9 nodes; nodes have zone-1, zone-2; did you mean "zone-1"?)
            zones | zone-1 | (nodeSelector zones=zone-1: 0 of 9 nodes; no node has this label; did you mean "zone"?)
            host | 7      | (nodeSelector host=7: 0 of 9 nodes; nodes have m, n0, n1, n2, n3 and 4 more; did you mean "m"?)
            """)
    void labels(String key, String value, String told) {
        assertThat(why("\"nodeSelector\":{\"%s\":\"%s\"}".formatted(key, value)))
                .contains(told);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            zone | In | zone-3 | part zone In (zone-3): 0 of 9 nodes; nodes have zone-1, zone-2; did you mean "zone-1"?
            disk | In | ssd    | part disk In (ssd): 0 of 9 nodes; no node has this label)
            """)
    void affinity(String key, String operator, String value, String told) {
        assertThat(why("""
                "affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[
                  {"matchExpressions":[{"key":"%s","operator":"%s","values":["%s"]},{"key":"host","operator":"Exists"}]}
                ]}}}""".formatted(key, operator, value)))
                .contains("(required node affinity, " + told)
                .doesNotContain("part host");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            dta | claim default/dta: there is none; there is data; did you mean "data"?
            """)
    void claims(String claim, String told) {
        assertThat(why("\"volumes\":[{\"name\":\"v\",\"persistentVolumeClaim\":{\"claimName\":\"" + claim + "\"}}]"))
                .contains(told);
    }
}
