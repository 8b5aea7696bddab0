package io.evenkeel;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noCodeUnits;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.GeneralCodingRules.USE_JAVA_UTIL_LOGGING;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.plugins.InTreePlugins;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FileReader;
import java.io.FileWriter;
import java.io.RandomAccessFile;
import java.util.List;
import java.util.Set;
import java.util.Timer;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The tree is the architecture: data flows one way, and a package knows only what stands to its left. */
class ArchitectureTest {

    static final List<String> LEFT_TO_RIGHT = List.of(
            "io.evenkeel.cel..",
            "io.evenkeel.problem..",
            "io.evenkeel.schema..",
            "io.evenkeel.model..",
            "io.evenkeel.api..",
            "io.evenkeel.config..",
            "io.evenkeel.cluster..",
            "io.evenkeel.framework..",
            "io.evenkeel.queue..",
            "io.evenkeel.engine..",
            "io.evenkeel.shard..",
            "io.evenkeel.plugins..",
            "io.evenkeel.groups..",
            "io.evenkeel.whatif..",
            "io.evenkeel.file..",
            "io.evenkeel.tls..",
            "io.evenkeel.kube..",
            "io.evenkeel.app..",
            "io.evenkeel.policies..",
            "io.evenkeel.tools..",
            "io.evenkeel.serve..");

    /** The packages of plugins, and of what they work with, in modules that a service finds. */
    private static final List<String> PLUGINS_BESIDE = List.of("io.evenkeel.groups.plugin", "io.evenkeel.policies");

    private static final String[] CORE_AND_PLUGINS = Stream.concat(
                    LEFT_TO_RIGHT.subList(0, 14).stream(), PLUGINS_BESIDE.stream())
            .toArray(String[]::new);

    private static final String HOLLOW = "io.evenkeel.hollow..";

    private static final List<String> ALSO_OF_THE_HOLLOW_CLUSTER = List.of(
            "io.evenkeel.cel..",
            "io.evenkeel.problem..",
            "io.evenkeel.schema..",
            "io.evenkeel.model..",
            "io.evenkeel.file..",
            "io.evenkeel.tls..");

    @ParameterizedTest(name = "{0}")
    @MethodSource("packagesAndWhatStandsToTheirRight")
    void aPackageImportsOnlyWhatStandsToItsLeft(String left, String[] right) {
        noClasses()
                .that()
                .resideInAPackage(left)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(right)
                .check(Production.CLASSES);
    }

    static Stream<Arguments> packagesAndWhatStandsToTheirRight() {
        return IntStream.range(0, LEFT_TO_RIGHT.size() - 1)
                .mapToObj(i -> Arguments.of(
                        LEFT_TO_RIGHT.get(i),
                        LEFT_TO_RIGHT.subList(i + 1, LEFT_TO_RIGHT.size()).toArray(String[]::new)));
    }

    @Test
    void pluginsDoNotKnowHowTheyAreRun() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.evenkeel.api",
                        "io.evenkeel.framework",
                        "io.evenkeel.framework.cycle",
                        "io.evenkeel.framework.why")
                .or()
                .resideInAPackage("io.evenkeel.plugins..")
                .or()
                .resideInAnyPackage(PLUGINS_BESIDE.toArray(String[]::new))
                .and()
                .areNotAssignableTo(InTreePlugins.class)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.evenkeel.framework.run..", "io.evenkeel.engine..", "io.evenkeel.queue..")
                .check(Production.CLASSES);
    }

    @Test
    void pluginsBesideKnowNoServerAndNoCompanion() {
        noClasses()
                .that()
                .resideInAnyPackage(PLUGINS_BESIDE.toArray(String[]::new))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.evenkeel.kube..",
                        "io.evenkeel.app..",
                        "io.evenkeel.policies.status..",
                        "io.evenkeel.policies.scaledown..")
                .check(Production.CLASSES);
    }

    /** Who replays groups knows them; whatever else is found by a service is known to none. */
    @Test
    void noModuleKnowsAnotherThatAServiceFinds() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.evenkeel.policies..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.evenkeel.policies..")
                .check(Production.CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.evenkeel.groups..",
                        "io.evenkeel.whatif..",
                        "io.evenkeel.tools.replay..",
                        "io.evenkeel.lab..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.evenkeel.groups..")
                .check(Production.CLASSES);
    }

    @Test
    void onlyTheEngineReachesWhatChangesTheCluster() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.evenkeel.cluster..", "io.evenkeel.engine..", "io.evenkeel.groups..", "io.evenkeel.whatif..")
                .should()
                .dependOnClassesThat()
                .areAssignableTo(ClusterState.class)
                .check(Production.CLASSES);
    }

    @Test
    void whoeverAsksWhatIfAsksTheLibrary() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.evenkeel.cluster..",
                        "io.evenkeel.framework..",
                        "io.evenkeel.engine..",
                        "io.evenkeel.plugins..",
                        "io.evenkeel.groups..",
                        "io.evenkeel.whatif")
                .should()
                .dependOnClassesThat()
                .areAssignableTo(WhatIf.class)
                .check(Production.CLASSES);
        noClasses()
                .that()
                .resideInAPackage("io.evenkeel.tools.simulate")
                .should()
                .dependOnClassesThat()
                .areAssignableTo(Scheduler.class)
                .check(Production.CLASSES);
    }

    @Test
    void whatRunsInProductionKnowsNeitherTheHollowClusterNorTheLaboratory() {
        noClasses()
                .that()
                .resideInAnyPackage(LEFT_TO_RIGHT.toArray(String[]::new))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(HOLLOW, "io.evenkeel.lab..")
                .check(Production.CLASSES);
    }

    @Test
    void theHollowClusterKnowsNoScheduler() {
        noClasses()
                .that()
                .resideInAPackage(HOLLOW)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(LEFT_TO_RIGHT.stream()
                        .filter(name -> !ALSO_OF_THE_HOLLOW_CLUSTER.contains(name))
                        .toArray(String[]::new))
                .check(Production.CLASSES);
    }

    @Test
    void noPackageKnowsTheKubernetesLibrary() {
        assertThat(Production.CLASSES.stream()
                        .filter(one -> one.getDirectDependenciesFromSelf().stream()
                                .anyMatch(dependency -> dependency
                                        .getTargetClass()
                                        .getPackageName()
                                        .startsWith("io.kubernetes.")))
                        .map(JavaClass::getPackageName)
                        .distinct())
                .isEmpty();
    }

    @Test
    void noPackagesKnowEachOtherInACircle() {
        slices().matching("io.evenkeel.(**)").should().beFreeOfCycles().check(Production.CLASSES);
    }

    @Test
    void aPluginKnowsNoOtherPlugin() {
        slices().matching("io.evenkeel.plugins.(*)..")
                .should()
                .notDependOnEachOther()
                .check(Production.CLASSES);
    }

    @Test
    void aPluginBesideTheRegistryKnowsNoOtherPlugin() {
        noClasses()
                .that()
                .resideInAPackage("io.evenkeel.plugins")
                .and()
                .areNotAssignableTo(InTreePlugins.class)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.evenkeel.plugins.*..")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(InTreePlugins.class)
                .check(Production.CLASSES);
    }

    @Test
    void noPluginKnowsTheRegistryThatNamesThemAll() {
        noClasses()
                .that()
                .resideInAPackage("io.evenkeel.plugins.*..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.evenkeel.plugins")
                .check(Production.CLASSES);
    }

    @Test
    void coreAndPluginsReachNoFileAndNoServer() {
        noClasses()
                .that()
                .resideInAnyPackage(CORE_AND_PLUGINS)
                .should()
                .dependOnClassesThat(resideInAnyPackage("java.nio.file..", "java.nio.channels..", "java.net..")
                        .or(belongToAnyOf(
                                File.class,
                                RandomAccessFile.class,
                                FileInputStream.class,
                                FileOutputStream.class,
                                FileReader.class,
                                FileWriter.class,
                                ProcessBuilder.class,
                                Runtime.class)))
                .check(Production.CLASSES);
    }

    @Test
    void coreAndPluginsStartNoThreadAndTakeNoLock() {
        noClasses()
                .that()
                .resideInAnyPackage(CORE_AND_PLUGINS)
                .should()
                .dependOnClassesThat(resideInAPackage("java.util.concurrent.locks..")
                        .or(assignableTo(Thread.class))
                        .or(assignableTo(Executor.class))
                        .or(assignableTo(Future.class))
                        .or(assignableTo(Timer.class)))
                .check(Production.CLASSES);
        noCodeUnits()
                .that()
                .areDeclaredInClassesThat(resideInAnyPackage(CORE_AND_PLUGINS))
                .should()
                .haveModifier(JavaModifier.SYNCHRONIZED)
                .check(Production.CLASSES);
    }

    /** Whoever makes an engine hands in its time and its random numbers, so that the same calls lead to the same decisions. */
    @Test
    void coreAndPluginsReadNoClockNoEnvironmentAndDrawNoRandomNumbers() {
        noClasses()
                .that()
                .resideInAnyPackage(CORE_AND_PLUGINS)
                .should()
                .accessTargetWhere(
                        describe("is a clock, a random number or the environment", ArchitectureTest::isOfTheMoment))
                .check(Production.CLASSES);
    }

    private static boolean isOfTheMoment(JavaAccess<?> access) {
        String owner = access.getTargetOwner().getFullName();
        String member = access.getTarget().getName();
        return switch (owner) {
            case "java.lang.System" ->
                Set.of("nanoTime", "currentTimeMillis", "getenv", "getProperty", "getProperties", "exit")
                        .contains(member);
            case "java.lang.Math" -> member.equals("random");
            case "java.util.Date" -> member.equals("<init>");
            case "java.util.Random", "java.security.SecureRandom", "java.util.concurrent.ThreadLocalRandom" -> true;
            case "java.util.random.RandomGenerator" -> member.equals("of") || member.equals("getDefault");
            default -> owner.startsWith("java.time.") && (member.equals("now") || member.startsWith("system"));
        };
    }

    @Test
    void reflectionIsForForeignJarsAndForWhatAnIndexListensTo() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.evenkeel.app.plugin..")
                .and()
                .doNotHaveFullyQualifiedName("io.evenkeel.cluster.ClusterIndexes")
                .should()
                .accessTargetWhere(describe("is a member found by its name", ArchitectureTest::isReflection))
                .check(Production.CLASSES);
    }

    private static boolean isReflection(JavaAccess<?> access) {
        String member = access.getTarget().getName();
        return switch (access.getTargetOwner().getFullName()) {
            case "java.lang.Class" ->
                member.equals("forName")
                        || member.matches("get(Declared)?(Method|Field|Constructor|Class|RecordComponent)(s|es)?");
            case String owner -> owner.startsWith("java.lang.reflect.");
        };
    }

    @Test
    void coreAndPluginsNeitherLogByThemselvesNorPrint() {
        noClasses()
                .that()
                .resideInAnyPackage(CORE_AND_PLUGINS)
                .should(USE_JAVA_UTIL_LOGGING)
                .orShould(ACCESS_STANDARD_STREAMS)
                .check(Production.CLASSES);
    }

    @Test
    void everyPackageIsNullMarked() {
        List<String> unmarked = Production.CLASSES.stream()
                .map(JavaClass::getPackage)
                .distinct()
                .filter(somePackage -> !isNullMarked(somePackage))
                .map(JavaPackage::getName)
                .sorted()
                .toList();

        assertThat(unmarked)
                .as("packages without a package-info.java that says @NullMarked")
                .isEmpty();
    }

    private static boolean isNullMarked(JavaPackage somePackage) {
        return somePackage
                .tryGetPackageInfo()
                .map(info -> info.isAnnotatedWith(NullMarked.class))
                .orElse(false);
    }
}
