package io.evenkeel.app.replay;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.evenkeel.config.ConfigurationException;
import io.evenkeel.config.FileProblem;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.feature.FeatureGates;
import io.evenkeel.engine.ClusterEvent;
import io.evenkeel.engine.Decision;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.FirstByName;
import io.evenkeel.engine.SchedulingCycle;
import io.evenkeel.framework.PluginRegistry;
import io.evenkeel.framework.ProfilesCheck;
import io.evenkeel.framework.SchedulingProfile;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;

/** Replays a file of scenarios, one a line, and prints one result a line. */
public final class Replay {
    private final PluginRegistry registry;
    private final StepCheck check;
    private final FeatureGates gates;
    private final ScenarioReader reader = new ScenarioReader();
    private final JsonFactory json = new JsonFactory();

    /** A replay with these plugins, checked after each step; scenarios may set more gates. */
    public Replay(PluginRegistry registry, StepCheck check, FeatureGates gates) {
        this.registry = registry;
        this.check = check;
        this.gates = gates;
    }

    /**
     * Replays all scenarios of a file, which may be compressed with gzip. A line that cannot be replayed is a problem,
     * and the others are replayed all the same.
     *
     * @param problems is told each in a line, and what was accepted without effect
     * @return whether there was none
     * @throws ScenarioException if the file cannot be read
     */
    public boolean run(Path file, PrintWriter out, Consumer<String> problems) {
        boolean all = true;
        try (BufferedReader lines = open(file)) {
            ScenarioRemarks remarks = new ScenarioRemarks(registry);
            int number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                try {
                    String text = text(line);
                    if (!text.isBlank()) {
                        String answer = replay(reader.read(text));
                        String place = file + ":" + number + ": warning: ";
                        remarks.of(text, remark -> problems.accept(place + remark));
                        out.println(answer);
                    }
                } catch (ScenarioException unreadable) {
                    problems.accept(file + ":" + number + ": " + unreadable.getMessage());
                    all = false;
                } catch (ConfigurationException unusable) {
                    problems.accept(file + ":" + number + ": " + String.join("; ", unusable.errors()));
                    all = false;
                }
            }
        } catch (IOException unreadable) {
            throw new ScenarioException(FileProblem.reading(file, unreadable));
        } finally {
            out.flush();
        }
        return all;
    }

    /** The result of one scenario as a line of JSON. */
    String replay(Scenario scenario) throws IOException {
        Engine engine = engine(scenario.configuration().withFeatureGates(gates.and(scenario.featureGates())));
        for (KubernetesObject object : scenario.objects()) {
            engine.apply(new ClusterEvent.Put(object));
        }
        check.after("the objects of " + scenario.name(), engine.cluster());
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = json.createGenerator(text)) {
            StepWriter steps = new StepWriter(generator, engine.cluster().nodes());
            generator.writeStartObject();
            generator.writeStringField("name", scenario.name());
            generator.writeArrayFieldStart("steps");
            for (Pod pod : scenario.pods()) {
                place(pod, engine, steps);
                check.after(pod.key() + " in " + scenario.name(), engine.cluster());
            }
            generator.writeEndArray();
            generator.writeEndObject();
        }
        return text.toString();
    }

    private Engine engine(SchedulerConfiguration configuration) {
        try {
            return new Engine(configuration, registry, new FirstByName(), SchedulingCycle.Scoring.ALWAYS);
        } catch (ConfigurationException unusable) {
            // says it again, with the places
            ProfilesCheck.require("config", configuration, registry);
            throw unusable;
        }
    }

    private static void place(Pod pod, Engine engine, StepWriter steps) throws IOException {
        SchedulingProfile profile = engine.profileOf(pod)
                .orElseThrow(
                        () -> new ScenarioException("pod " + pod.key() + ": spec.schedulerName: no profile is named \""
                                + pod.spec().schedulerName() + "\"; there are " + engine.profileNames()));
        Decision decision = engine.decide(pod);
        steps.write(pod, profile, decision);
        if (decision instanceof Decision.Placed placed) {
            engine.assume(pod, placed);
        }
    }

    private static BufferedReader open(Path file) throws IOException {
        InputStream bytes = Files.newInputStream(file);
        if (file.toString().endsWith(".gz")) {
            bytes = new GZIPInputStream(bytes, 1 << 16);
        }
        // bytes for now, a character each: one line that is no text spoils no other
        return new BufferedReader(new InputStreamReader(bytes, StandardCharsets.ISO_8859_1), 1 << 16);
    }

    private static String text(String bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.ISO_8859_1)))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new ScenarioException("not UTF-8");
        }
    }
}
