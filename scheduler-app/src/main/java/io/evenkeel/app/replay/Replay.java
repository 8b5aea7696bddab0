package io.evenkeel.app.replay;

import io.evenkeel.app.why.PodReport;
import io.evenkeel.app.why.WhyFormat;
import io.evenkeel.cluster.index.BrokenIndex;
import io.evenkeel.config.feature.FeatureGates;
import io.evenkeel.config.problem.ConfigurationException;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.why.Answer;
import io.evenkeel.engine.why.Trial;
import io.evenkeel.file.BoundedLines;
import io.evenkeel.file.BoundedLines.Line;
import io.evenkeel.file.FileProblem;
import io.evenkeel.framework.remedy.Change;
import io.evenkeel.framework.remedy.PodChange;
import io.evenkeel.framework.run.Permission;
import io.evenkeel.framework.run.PluginFailure;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.model.Pod;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.kind.Kinds;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Replays scenarios, one a line, and prints an answer for each. */
public final class Replay {
    private static final int LONGEST_PROBLEM = 1_500;

    private final PluginRegistry registry;
    private final ScenarioEngines engines;
    private final ScenarioReader reader = new ScenarioReader(Kinds.IN_TREE);
    private final ScenarioAnswers answers;

    private Replay(PluginRegistry registry, ScenarioEngines engines, ScenarioAnswers answers) {
        this.registry = registry;
        this.engines = engines;
        this.answers = answers;
    }

    /** Says of each pod where it goes, with these plugins, checked after each step; scenarios may set more gates. */
    public static Replay placing(PluginRegistry registry, StepAudit audit, FeatureGates gates, AnswerFormat format) {
        return new Replay(registry, new ScenarioEngines(registry, gates), new PlacementAnswers(audit, format));
    }

    /** Says of each pod that finds no node why, and what would help. */
    public static Replay asking(PluginRegistry registry, FeatureGates gates, WhyFormat format) {
        ScenarioEngines engines = new ScenarioEngines(registry, gates);
        return new Replay(registry, engines, new WhyAnswers(engines, format));
    }

    /**
     * Replays all scenarios of a source. A line that cannot be replayed is a problem,
     * and the others are replayed all the same.
     *
     * @param problems is told each in a line, and what was accepted without effect
     * @return whether there was a scenario, and no problem with any
     * @throws ScenarioException if the source cannot be read
     */
    public boolean run(ScenarioSource source, PrintWriter out, Consumer<String> problems) {
        boolean all = true;
        int scenarios = 0;
        int answered = 0;
        int number = 0;
        ScenarioProblems told = new ScenarioProblems(problems);
        try (BoundedLines lines = source.lines()) {
            ScenarioRemarks remarks = new ScenarioRemarks(registry);
            boolean goesOn = true;
            for (Optional<Line> line = lines.read(); goesOn && line.isPresent(); line = lines.read()) {
                String place = source.name() + ":" + ++number + ": ";
                try {
                    String text = text(line.get());
                    if (!text.isBlank()) {
                        scenarios++;
                        Consumer<String> warnings = remark -> problems.accept(place + line("warning: " + remark));
                        Scenario first = reader.read(text);
                        told.isScenario();
                        Engine engine = engines.of(first, faultsAs(warnings));
                        Kinds kinds = Kinds.IN_TREE.with(engine.watchedKinds());
                        Scenario scenario = first.hasUnread(kinds) ? new ScenarioReader(kinds).read(text) : first;
                        List<String> answer = answers.answer(
                                scenario, engine, (pod, delays) -> remarks.ofPermits(pod, delays, warnings));
                        remarks.ofNamesakes(scenario, warnings);
                        remarks.ofPolicies(scenario, engine.watchedKinds(), warnings);
                        remarks.ofGroups(scenario, engine, warnings);
                        remarks.ofUnsupported(scenario.pods(), warnings);
                        remark(text, kinds, scenario.groups().isPresent(), remarks, warnings);
                        answer.forEach(out::println);
                        answered += answer.size();
                    }
                } catch (DifferenceException toStopAt) {
                    throw toStopAt;
                } catch (ScenarioException.NoScenario none) {
                    goesOn = told.addNone(place + line(problem(none)));
                    all = false;
                } catch (RuntimeException | StackOverflowError | BrokenIndex fault) {
                    told.add(place + line(problem(fault)));
                    all = false;
                }
            }
        } catch (IOException unreadable) {
            throw new ScenarioException(FileProblem.reading(Path.of(source.name()), unreadable)
                    + (number == 0 ? "" : "; line " + number + " was the last"));
        } finally {
            told.end();
            out.flush();
        }
        if (scenarios == 0 && all) {
            problems.accept(source.name() + ": there is no scenario in it");
            return false;
        }
        if (answered == 0 && all) {
            problems.accept(source.name() + ": no pod waits");
        }
        return all;
    }

    /** A remark that fails is none: the line was answered. */
    private static void remark(
            String text, Kinds kinds, boolean hasGroups, ScenarioRemarks remarks, Consumer<String> out) {
        try {
            remarks.of(text, kinds, hasGroups, out);
        } catch (IOException | RuntimeException | StackOverflowError unsaid) {
            // the answer does not depend on it
        }
    }

    /** Names out of a scenario may hold anything, and each problem is a line. */
    private static String line(String problem) {
        return Excerpt.of(problem, LONGEST_PROBLEM);
    }

    /** The problem with a line; the last are faults of ours or of a plugin, and concern that line alone. */
    private static String problem(Throwable fault) {
        return switch (fault) {
            case ScenarioException unreadable -> String.valueOf(unreadable.getMessage());
            case ConfigurationException unusable -> String.join("; ", unusable.errors());
            case PluginFailure failure -> oneLine(failure.getMessage());
            case BrokenIndex broken -> oneLine(String.valueOf(broken.getMessage()));
            default -> "fault of the replay: " + oneLine(fault.toString());
        };
    }

    /** Faults of plugins that the answer goes on without. */
    private static SchedulerObserver faultsAs(Consumer<String> warnings) {
        return new SchedulerObserver() {
            @Override
            public void faulted(Pod pod, RuntimeException fault) {
                warnings.accept("pod " + pod.key() + ": " + problem(fault));
            }
        };
    }

    private static String oneLine(String text) {
        return text.lines().map(String::strip).collect(Collectors.joining(" "));
    }

    static SchedulingProfile profileOf(Pod pod, Engine engine) {
        return engine.profileOf(pod)
                .orElseThrow(
                        () -> new ScenarioException("pod " + pod.key() + ": spec.schedulerName: no profile is named \""
                                + pod.spec().schedulerName() + "\"; there are " + engine.profileNames()));
    }

    /** Is told of pods that plugins make wait for their permits. Here no time passes: they count as allowed. */
    @FunctionalInterface
    interface PermitDelays {
        void of(Pod pod, List<Permission.Delay> delays);
    }

    private static String text(Line line) {
        return switch (line) {
            case Line.Text(var text) -> text;
            case Line.Unusable(var why) -> throw new ScenarioException.NoScenario(why);
        };
    }

    /**
     * Says of each pod of a scenario that finds no node why, as things stand when it is its turn, or once all groups have had theirs,
     * and what would help: the scenario was replayed with it, and the pod finds a node then.
     */
    private record WhyAnswers(ScenarioEngines engines, WhyFormat format) implements ScenarioAnswers {
        @Override
        public List<String> answer(Scenario scenario, Engine engine, Replay.PermitDelays delays) throws IOException {
            scenario.objects().forEach(engine::put);
            Function<Pod, Step> steps = PlacementAnswers.steps(scenario, engine, delays);
            List<String> lines = new ArrayList<>();
            for (int at = 0; at < scenario.pods().size(); at++) {
                Pod pod = scenario.pods().get(at);
                switch (steps.apply(pod).outcome()) {
                    case Step.Outcome.Placed _ -> {}
                    case Step.Outcome.Waits waits -> lines.add(why(scenario, at, waits, engine));
                    case Step.Outcome.Held(String plugin, String why) ->
                        lines.add(format.format(
                                PodReport.of(scenario.name(), pod.key(), new PodReport.State.Held(plugin, why))));
                    case Step.Outcome.Failed(String message) ->
                        lines.add(format.format(
                                PodReport.of(scenario.name(), pod.key(), new PodReport.State.Failed(message))));
                }
            }
            return lines;
        }

        private String why(Scenario scenario, int at, Step.Outcome.Waits waits, Engine engine) throws IOException {
            Pod pod = scenario.pods().get(at);
            Trial replay = new ReplayTrial(engines, scenario, at);
            Trial here = engine.questions().trial(pod);
            Answer answer = engine.questions()
                    .why(
                            pod,
                            changes -> (isOfThePodAlone(changes, scenario) ? here : replay).nodeWith(changes),
                            _ -> true);
            return format.format(
                    PodReport.of(scenario.name(), pod.key(), new PodReport.State.Waits(waits.message(), answer)));
        }

        /** The pods before it come to the same cluster then as without the changes. */
        private static boolean isOfThePodAlone(List<Change> changes, Scenario scenario) {
            return scenario.groups().isEmpty() && changes.stream().allMatch(PodChange.class::isInstance);
        }

        /**
         * Tries changes by replaying a scenario with them from its beginning, so that the pods before have come to what is changed too.
         *
         * @param at the pod that is asked about, by its place in the scenario
         */
        private record ReplayTrial(ScenarioEngines engines, Scenario scenario, int at) implements Trial {
            private static final Replay.PermitDelays ALLOWED = (_, _) -> {};

            @Override
            public Optional<String> nodeWith(List<Change> changes) {
                return ChangedScenario.of(scenario, at, changes).flatMap(this::nodeIn);
            }

            private Optional<String> nodeIn(Scenario changed) {
                Engine engine = engines.of(changed, SchedulerObserver.NONE);
                changed.objects().forEach(engine::put);
                Function<Pod, Step> steps = PlacementAnswers.steps(changed, engine, ALLOWED);
                return changed.pods().subList(0, at + 1).stream()
                        .map(steps)
                        .reduce((before, asked) -> asked)
                        .map(Step::outcome)
                        .flatMap(outcome -> outcome instanceof Step.Outcome.Placed(String node)
                                ? Optional.of(node)
                                : Optional.empty());
            }
        }
    }
}
