package io.evenkeel.app.replay;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.evenkeel.config.ConfigurationException;
import io.evenkeel.engine.ClusterEvent;
import io.evenkeel.engine.Decision;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.FirstByName;
import io.evenkeel.engine.SchedulingCycle;
import io.evenkeel.framework.PluginRegistry;
import io.evenkeel.framework.SchedulingProfile;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectReadException;
import io.evenkeel.model.Pod;
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** Replays a file of scenarios, one a line, and prints one result a line. */
public final class Replay {
    private final PluginRegistry registry;
    private final StepCheck check;
    private final ScenarioReader reader = new ScenarioReader();
    private final JsonFactory json = new JsonFactory();

    /** A replay with these plugins, checked after each step. */
    public Replay(PluginRegistry registry, StepCheck check) {
        this.registry = registry;
        this.check = check;
    }

    /**
     * Replays all scenarios of a file, which may be compressed with gzip.
     *
     * @throws ScenarioException if the file, or a scenario in it, cannot be read
     */
    public void run(Path file, PrintWriter out) {
        try (BufferedReader lines = open(file)) {
            int number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (!line.isBlank()) {
                    out.println(replay(file + ":" + number, line));
                }
            }
        } catch (NoSuchFileException | FileNotFoundException missing) {
            throw new ScenarioException(file + ": no such file");
        } catch (IOException unreadable) {
            throw new ScenarioException(file + ": " + unreadable.getMessage());
        } finally {
            out.flush();
        }
    }

    private String replay(String place, String line) throws IOException {
        try {
            return replay(reader.read(line));
        } catch (ObjectReadException | ConfigurationException | ScenarioException unreadable) {
            throw new ScenarioException(place + ": " + unreadable.getMessage());
        }
    }

    /** The result of one scenario as a line of JSON. */
    String replay(Scenario scenario) throws IOException {
        Engine engine =
                new Engine(scenario.configuration(), registry, new FirstByName(), SchedulingCycle.Scoring.ALWAYS);
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

    private static void place(Pod pod, Engine engine, StepWriter steps) throws IOException {
        SchedulingProfile profile = engine.profileOf(pod)
                .orElseThrow(
                        () -> new ScenarioException("pod " + pod.key() + ": spec.schedulerName: no profile is named \""
                                + pod.spec().schedulerName() + '"'));
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
        return new BufferedReader(new InputStreamReader(bytes, StandardCharsets.UTF_8), 1 << 16);
    }
}
