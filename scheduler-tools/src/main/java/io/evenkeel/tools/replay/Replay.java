package io.evenkeel.tools.replay;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.index.ClusterIndex.BrokenIndex;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.file.BoundedLines;
import io.evenkeel.file.BoundedLines.Line;
import io.evenkeel.file.FileProblem;
import io.evenkeel.framework.run.BindingSteps.Permission;
import io.evenkeel.framework.run.PluginFailure;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.framework.run.ProfilesCheck;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.model.Pod;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.problem.ConfigurationException;
import io.evenkeel.problem.UserProblem;
import io.evenkeel.tools.output.Report;
import io.evenkeel.tools.why.PluginFaults;
import io.evenkeel.tools.why.UsualProfiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Replays scenarios, one a line, and prints an answer for each. */
public final class Replay {
    private static final int LONGEST_PROBLEM = 1_500;

    private final ScenarioEngines engines;
    private final SchedulerConfiguration usual;
    private final ScenarioReader reader;
    private final ScenarioAnswers answers;

    /** @param usual the configuration of scenarios that say none */
    private Replay(ScenarioEngines engines, SchedulerConfiguration usual, ScenarioAnswers answers) {
        this.engines = engines;
        this.usual = usual;
        reader = new ScenarioReader(Kinds.IN_TREE, usual);
        this.answers = answers;
    }

    /** Says of each pod where it goes, with these plugins, checked after each step; scenarios may set more gates. */
    public static Replay placing(
            PluginRegistry registry, StepAudit audit, FeatureGates gates, Function<Report, String> format) {
        return new Replay(
                new ScenarioEngines(registry, gates), UsualProfiles.CONFIGURATION, new PlacementAnswers(audit, format));
    }

    /** Says of each pod that finds no node why, and what would help. */
    public static Replay asking(PluginRegistry registry, FeatureGates gates, Function<Report, String> format) {
        ScenarioEngines engines = new ScenarioEngines(registry, gates);
        return new Replay(engines, UsualProfiles.CONFIGURATION, new WhyAnswers(engines, format));
    }

    /** Tells something of the cluster of each, whatever waits there. */
    public static Replay telling(
            PluginRegistry registry, FeatureGates gates, Function<ScenarioCluster, String> question) {
        ScenarioEngines engines = new ScenarioEngines(registry, gates);
        return new Replay(
                engines,
                UsualProfiles.OF_A_CLUSTER,
                (scenario, _, _) -> List.of(question.apply(new ScenarioCluster(
                        scenario.name(), engines.configuration(scenario), registry, scenario.objects()))));
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
            ScenarioRemarks remarks = new ScenarioRemarks();
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
                        Scenario scenario =
                                first.hasUnread(kinds) ? new ScenarioReader(kinds, usual).read(text) : first;
                        List<String> answer = answers.answer(
                                scenario, engine, (pod, delays) -> remarks.ofPermits(pod, delays, warnings));
                        remarks.ofNamesakes(scenario, warnings);
                        remarks.ofPolicies(scenario, engine.watchedKinds(), warnings);
                        remarks.ofGroups(scenario, engine, warnings);
                        remark(text, kinds, scenario.groups().isPresent(), remarks, warnings);
                        answer.forEach(out::println);
                        answered += answer.size();
                    }
                } catch (StepAudit.DifferenceException toStopAt) {
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
            case PluginFailure failure -> failure.getMessage();
            case BrokenIndex broken -> String.valueOf(broken.getMessage());
            case UserProblem mistake -> String.valueOf(mistake.getMessage());
            default -> "fault of the replay: " + fault;
        };
    }

    /** Faults of plugins that the answer goes on without. */
    private static SchedulerObserver faultsAs(Consumer<String> warnings) {
        PluginFaults faults = new PluginFaults(warnings);
        return new SchedulerObserver() {
            @Override
            public void faulted(Pod pod, RuntimeException fault) {
                faults.accept(pod, fault);
            }
        };
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
     * Problems with the lines of a source, each told as it comes, but for lines before the first scenario that are none:
     * where none follows, as in a picture or a manifest, the first of them says enough.
     */
    private static final class ScenarioProblems {
        private static final int MOST_BEFORE = 1_000;

        private final Consumer<String> out;
        private final List<String> before = new ArrayList<>();
        private boolean hasScenarios;

        ScenarioProblems(Consumer<String> out) {
            this.out = out;
        }

        /** A line is a scenario, whether it can be replayed or not. */
        void isScenario() {
            hasScenarios = true;
            before.forEach(out);
            before.clear();
        }

        void add(String problem) {
            isScenario();
            out.accept(problem);
        }

        /**
         * A line is none.
         *
         * @return whether it is worth to read on
         */
        boolean addNone(String problem) {
            if (hasScenarios) {
                out.accept(problem);
            } else {
                before.add(problem);
            }
            return before.size() < MOST_BEFORE;
        }

        void end() {
            if (!before.isEmpty()) {
                out.accept(before.getFirst() + after(before.size() - 1));
            }
        }

        private static String after(int lines) {
            return switch (lines) {
                case 0 -> "";
                case 1 -> "; nor is the line after it a scenario";
                default -> "; nor is any of the " + lines + " lines after it a scenario";
            };
        }
    }

    @FunctionalInterface
    interface ScenarioAnswers {

        /**
         * The answer in lines, perhaps none.
         *
         * @param engine made for this scenario, and empty
         */
        List<String> answer(Scenario scenario, Engine engine, Replay.PermitDelays delays);
    }

    /**
     * Makes engines for scenarios.
     *
     * @param gates the command line's level and gates; a scenario may say another level, and set more gates
     */
    record ScenarioEngines(PluginRegistry registry, FeatureGates gates) {

        SchedulerConfiguration configuration(Scenario scenario) {
            return scenario.asked().toBuilder()
                    .featureGates(
                            gates.at(scenario.level().orElse(gates.level())).and(scenario.featureGates()))
                    .build();
        }

        /** An empty one. */
        Engine of(Scenario scenario, SchedulerObserver observer) {
            SchedulerConfiguration configuration = configuration(scenario);
            try {
                return new Engine(configuration, registry, new FirstByName(), SchedulingCycle.Scoring.ALWAYS, observer);
            } catch (ConfigurationException unusable) {
                // says it again, with the places
                ProfilesCheck.require("config", configuration, registry);
                throw unusable;
            }
        }
    }

    /** A check of the cluster after each step of a replay; throws where it does not hold. */
    @FunctionalInterface
    public interface StepAudit {
        StepAudit NONE = (step, cluster) -> {};

        /** Everything that the cluster keeps equals what recounting it gives. */
        StepAudit EACH = (step, cluster) -> {
            List<String> differences = ClusterAudit.differences(cluster);
            if (!differences.isEmpty()) {
                throw new DifferenceException(
                        "after " + step + " what is kept differs from a recount: " + differences.getFirst());
            }
        };

        void after(String step, ClusterView cluster);

        /** A difference that an audit found, after which nothing can be trusted. The message is one line. */
        static final class DifferenceException extends UserProblem {
            private static final long serialVersionUID = 1L;

            DifferenceException(String message) {
                super(message);
            }
        }
    }
}
