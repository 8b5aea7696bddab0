package io.evenkeel.app.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.app.plugin.OutOfTreePlugins.PluginRefusedException;
import io.evenkeel.app.plugin.PluginLoader.PluginDirectory.UnreadableDirectoryException;
import io.evenkeel.rotation.Rotated;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What cannot work is refused before any pod is looked at, in one line that names the jar and the remedy. */
@Rotated(3)
class PluginRefusalTest {
    private static final String SERVICES = "META-INF/services/io.evenkeel.api.PluginFactory";

    @TempDir
    private Path directory;

    static Stream<Arguments> jars() {
        return Stream.of(
                Arguments.of(
                        "says no version",
                        BuiltPlugin.named("P").sayingNothing(),
                        "its manifest does not say which version it was built for: add Evenkeel-Api: 0.2"),
                Arguments.of(
                        "is for a later version",
                        BuiltPlugin.named("P").saying("Evenkeel-Api", "0.3"),
                        "built for Evenkeel-Api 0.3, and this Evenkeel has 0.2: use a build of the plugin for 0.2"),
                Arguments.of(
                        "says no version that there could be",
                        BuiltPlugin.named("P").saying("Evenkeel-Api", "latest"),
                        "Evenkeel-Api of its manifest is \"latest\", expected a version such as 0.2"),
                Arguments.of(
                        "names jars that stand elsewhere",
                        BuiltPlugin.named("P").saying("Class-Path", "libs/a.jar libs/b.jar"),
                        "Class-Path of its manifest is \"libs/a.jar libs/b.jar\", which is not followed: put the plugin"
                                + " into a folder with its libraries, and leave Class-Path out"),
                Arguments.of(
                        "announces nothing",
                        BuiltPlugin.named("P").announcingNothing(),
                        "announces no plugin: there is no " + SERVICES
                                + " in it. A plugin's libraries go into a folder with it"),
                Arguments.of(
                        "announces no class",
                        BuiltPlugin.named("P").announcing("# nothing yet"),
                        SERVICES + " names no class"),
                Arguments.of(
                        "announces a class that is not there",
                        BuiltPlugin.named("P").announcing("com.example.Factori"),
                        SERVICES + ": Provider com.example.Factori not found"),
                Arguments.of(
                        "announces a class of something else",
                        BuiltPlugin.named("P").announcing("com.example.Filter"),
                        SERVICES + ": com.example.Filter not a subtype"),
                Arguments.of(
                        "throws when its factory is made",
                        withFactory("public Factory() { throw new IllegalStateException(\"no\\nlicence\"); }"),
                        SERVICES + ": Provider com.example.Factory could not be instantiated:"
                                + " java.lang.IllegalStateException: no licence"),
                Arguments.of(
                        "throws when its factory's class is loaded",
                        withFactory("static final int PORT = Integer.parseInt(\"http\");"),
                        SERVICES + ": Provider com.example.Factory could not be instantiated:"
                                + " java.lang.NumberFormatException: For input string: \"http\""),
                Arguments.of(
                        "lacks what it stands on",
                        BuiltPlugin.forOurs()
                                .source("com.library.Names", "package com.library; public interface Names {}")
                                .withFilter("public static class Other implements com.library.Names {}\n"
                                        + "public Factory() { new Other(); }\n" + factory("P"))
                                .withoutClass("com/library/Names"),
                        SERVICES + ": Provider com.example.Factory could not be instantiated:"
                                + " java.lang.NoClassDefFoundError: com/library/Names"),
                Arguments.of(
                        "uses what is not published",
                        BuiltPlugin.forOurs()
                                .seeingToo("io.evenkeel.engine.")
                                .withFilter("io.evenkeel.engine.decision.NodeChoice[] choices = {};\n" + factory("P")),
                        "com/example/Factory.class uses io.evenkeel.engine.decision.NodeChoice, which is no part of the API for"
                                + " plugins"),
                Arguments.of(
                        "uses a class of another version",
                        BuiltPlugin.forOurs()
                                .source("io.evenkeel.api.Later", "package io.evenkeel.api; public class Later {}")
                                .withFilter("Object later = new Later();\n" + factory("P"))
                                .withoutClass("io/evenkeel/api/Later"),
                        "com/example/Factory.class uses io.evenkeel.api.Later, which this Evenkeel does not" + " have"),
                Arguments.of(
                        "uses a method of another version",
                        BuiltPlugin.forOurs()
                                .source(
                                        "io.evenkeel.model.Taint",
                                        "package io.evenkeel.model; public class Taint { public static int count(Taint"
                                                + " t) { return 1; } }")
                                .withFilter("int taints = io.evenkeel.model.Taint.count(null);\n" + factory("P"))
                                .withoutClass("io/evenkeel/model/Taint"),
                        "com/example/Factory.class uses io.evenkeel.model.Taint.count of type"
                                + " (Lio/evenkeel/model/Taint;)I, which this Evenkeel does not have"),
                Arguments.of(
                        "uses a type of the model that is not promised",
                        BuiltPlugin.named("P")
                                .seeingToo("io.evenkeel.model.constraint.")
                                .source("com.example.Reader", """
                                    package com.example;
                                    class Reader {
                                        Object read(io.evenkeel.model.Pod pod) {
                                            return pod.spec().nodeAffinity();
                                        }
                                    }
                                    """),
                        "com/example/Reader.class uses io.evenkeel.model.PodSpec.nodeAffinity of type"
                                + " ()Lio/evenkeel/model/constraint/NodeAffinity;, which is no part of the API for plugins"),
                Arguments.of(
                        "brings Evenkeel along",
                        BuiltPlugin.named("P")
                                .source("io.evenkeel.model.Mine", "package io.evenkeel.model; class Mine {}"),
                        "io/evenkeel/model/Mine.class is one of Evenkeel's own: leave scheduler-api out of the plugin"
                                + " (scope provided)"),
                Arguments.of(
                        "has the name of a plugin that comes with Evenkeel",
                        BuiltPlugin.named("NodeName"),
                        "its plugin has the name of one that comes with a scheduler, NodeName: give it another"),
                Arguments.of(
                        "has the name of a plugin that Evenkeel lacks",
                        BuiltPlugin.named("VolumeZone"),
                        "its plugin has the name of one that comes with a scheduler, VolumeZone: give it another"),
                Arguments.of(
                        "has no name",
                        BuiltPlugin.named(" "),
                        "com.example.Factory makes a plugin named \"\", which is no name"),
                Arguments.of(
                        "works nowhere",
                        withFactory("""
                            public String name() { return "P"; }
                            public Class<? extends Plugin> type() { return Plugin.class; }
                            public Plugin create(PluginContext context) { return null; }
                            """),
                        "com.example.Factory makes a plugin that works at no extension point, of interface"
                                + " io.evenkeel.api.Plugin"),
                Arguments.of(
                        "counts nothing by default",
                        withFactory("""
                            public String name() { return "P"; }
                            public Class<? extends Plugin> type() { return Filter.class; }
                            public int defaultWeight() { return 0; }
                            public Plugin create(PluginContext context) { return null; }
                            """),
                        "com.example.Factory makes a plugin with a default weight of 0, which must be at least 1"),
                Arguments.of(
                        "cannot say its name",
                        withFactory("""
                            public String name() { throw new UnsupportedOperationException(); }
                            public Class<? extends Plugin> type() { return Filter.class; }
                            public Plugin create(PluginContext context) { return null; }
                            """),
                        "com.example.Factory does not say what it makes: java.lang.UnsupportedOperationException:"
                                + " null"),
                Arguments.of(
                        "fails when asked for its name",
                        withFactory("""
                            public String name() { throw new AssertionError("no name today"); }
                            public Class<? extends Plugin> type() { return Filter.class; }
                            public Plugin create(PluginContext context) { return null; }
                            """),
                        "com.example.Factory does not say what it makes: java.lang.AssertionError: no name today"),
                Arguments.of(
                        "looks for its name without end",
                        withFactory("""
                            public String name() { return name() + "!"; }
                            public Class<? extends Plugin> type() { return Filter.class; }
                            public Plugin create(PluginContext context) { return null; }
                            """),
                        "com.example.Factory does not say what it makes: java.lang.StackOverflowError: null"));
    }

    @ParameterizedTest(name = "a jar that {0}")
    @MethodSource("jars")
    void aJarIsRefusedThat(String fault, BuiltPlugin plugin, String why) {
        Path jar = plugin.writeTo(directory.resolve("p.jar"));

        assertThatThrownBy(this::load)
                .isInstanceOf(PluginRefusedException.class)
                .hasMessage("plugin " + jar + ": " + why);
    }

    @Test
    void twoPluginsOfOneNameAreRefused() {
        Path first = BuiltPlugin.named("Same").writeTo(directory.resolve("a.jar"));
        Path second =
                BuiltPlugin.named("Same").writeTo(directory.resolve("b/b.jar")).getParent();

        assertThatThrownBy(this::load)
                .hasMessage("plugin " + second + ": its plugin has the name of that of " + first
                        + ", Same: leave one of them out");
    }

    @Test
    void aFolderIsOnePluginsJarAndWhatItStandsOn() {
        BuiltPlugin.named("One").writeTo(directory.resolve("folder/a.jar"));
        BuiltPlugin.named("Other").writeTo(directory.resolve("folder/b.jar"));

        assertThatThrownBy(this::load)
                .hasMessage("plugin " + directory.resolve("folder")
                        + ": a.jar and b.jar both announce plugins: give each a folder of its own");
    }

    @Test
    void aJarThatAPluginStandsOnNamesNoOthersEither() {
        BuiltPlugin.named("P").writeTo(directory.resolve("folder/p.jar"));
        Path library = BuiltPlugin.forOurs()
                .source("com.library.Names", "package com.library; public interface Names {}")
                .saying("Class-Path", "../hidden.jar")
                .writeTo(directory.resolve("folder/library.jar"));

        assertThatThrownBy(this::load)
                .hasMessage("plugin " + library + ": Class-Path of its manifest is \"../hidden.jar\", which is not"
                        + " followed: put the plugin into a folder with its libraries, and leave Class-Path out");
    }

    @Test
    void whatIsNoJarIsRefused() throws IOException {
        Path text = Files.writeString(directory.resolve("text.jar"), "not a jar");
        assertThatThrownBy(this::load).hasMessageStartingWith("plugin " + text + ": is no jar: ");

        Files.delete(text);
        Path dangling = Files.createSymbolicLink(directory.resolve("link.jar"), Path.of("nowhere.jar"));
        assertThatThrownBy(this::load).hasMessage("plugin " + dangling + ": " + dangling + " does not exist");
    }

    @Test
    void aDirectoryHasToBeThere() throws IOException {
        Path absent = directory.resolve("absent");
        Path file = Files.writeString(directory.resolve("file"), "");

        assertThatThrownBy(() -> OutOfTreePlugins.load(absent))
                .isInstanceOf(UnreadableDirectoryException.class)
                .hasMessage(absent + " does not exist");
        assertThatThrownBy(() -> OutOfTreePlugins.load(file))
                .isInstanceOf(UnreadableDirectoryException.class)
                .hasMessage(file + " is no directory");
    }

    @Test
    void usingThePublishedApiIsNoFault() {
        BuiltPlugin.forOurs().withFilter("""
            static final StateKey<Integer> KEY = new StateKey<>("k", Integer.class);
            io.evenkeel.model.Pod[][] pods = {};
            int used(CycleState state, NodeInfo node, CodeName code) {
                state.put(KEY, pods.clone().length);
                return node.hashCode() + WakeUp.on(Hint.ALWAYS, ChangeKind.NODE_ADDED).hint().hashCode()
                        + Status.Code.valueOf(code.toString()).ordinal();
            }
            interface CodeName {}
            """ + factory("P")).writeTo(directory.resolve("p.jar"));

        assertThat(load().registry().find("P")).isPresent();
    }

    @Test
    void theBridgeToClientJavaIsBroughtAlong() {
        BuiltPlugin.forOurs()
                .source("io.evenkeel.clientjava.Any", """
                    package io.evenkeel.clientjava;
                    public class Any {
                        public static int count(Any any) { return 1; }
                    }
                    """)
                .withFilter("int any = io.evenkeel.clientjava.Any.count(null);\n" + factory("P"))
                .writeTo(directory.resolve("p.jar"));

        assertThat(load().registry().find("P")).isPresent();
    }

    private OutOfTreePlugins load() {
        return OutOfTreePlugins.load(directory);
    }

    private static BuiltPlugin withFactory(String members) {
        return BuiltPlugin.forOurs().withFilter(members.contains("name()") ? members : members + factory("P"));
    }

    private static String factory(String name) {
        return """
            public String name() { return "%s"; }
            public Class<? extends Plugin> type() { return Filter.class; }
            public Plugin create(PluginContext context) { return new Filter(name()); }
            """.formatted(name);
    }
}
