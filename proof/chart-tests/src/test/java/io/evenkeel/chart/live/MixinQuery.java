package io.evenkeel.chart.live;

import com.google.gson.JsonObject;
import io.evenkeel.chart.helm.Yaml;
import io.evenkeel.model.json.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What kubernetes-mixin asks of a kube-scheduler.
 *
 * @param absent why there is no such metric; empty where there has to be
 * @param rare a label whose value need not have been seen; empty where all have
 */
record MixinQuery(Expression expression, String absent, String rare) {

    static List<MixinQuery> all() {
        try (var in = Objects.requireNonNull(MixinQuery.class.getResourceAsStream("/mixin/scheduler.yaml"))) {
            JsonObject file = Yaml.document(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            return Stream.of("dashboard", "rules", "alerts")
                    .flatMap(part -> Trees.objects(file, part).stream())
                    .map(query -> new MixinQuery(
                            new Expression(Trees.text(query, "expr")),
                            Trees.text(query, "absent"),
                            Trees.text(query, "rare")))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
