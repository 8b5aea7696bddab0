package io.evenkeel.app.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.testing.LogLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a directory of plugins comes to. */
class OutOfTreePluginsTest {
    /** Says in its name which version of a library it sees, and what of Evenkeel. */
    private static final String WITNESS = """
        public String name() {
            return com.library.Version.NUMBER + sees("com.library.Version") + sees("org.slf4j.Logger")
                    + sees("io.evenkeel.api.Status") + sees("io.evenkeel.engine.Engine")
                    + sees("io.evenkeel.app.cli.Evenkeel") + sees("io.evenkeel.config.file.Cursor")
                    + sees("com.fasterxml.jackson.core.JsonFactory") + sees("org.yaml.snakeyaml.Yaml")
                    + (getClass().getClassLoader().getResource("META-INF/services/ch.qos.logback.classic.spi.Configurator") != null);
        }
        private static char sees(String name) {
            try {
                Class.forName(name);
                return '+';
            } catch (ClassNotFoundException hidden) {
                return '-';
            }
        }
        public Class<? extends Plugin> type() { return Filter.class; }
        public Plugin create(PluginContext context) { return new Filter(name()); }
        """;

    @TempDir
    private Path directory;

    @BeforeEach
    void onlyItsOwnerMayWrite() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void jarsAndFoldersAreLoadedInTheOrderOfTheirNames() {
        Path b = BuiltPlugin.named("Second")
                .saying("Implementation-Version", "1.2.0")
                .writeTo(directory.resolve("b.jar"));
        BuiltPlugin.named("First").writeTo(directory.resolve("a/plugin.jar"));
        Path c = BuiltPlugin.named("Third").writeTo(directory.resolve("c.jar"));

        try (LogLines log = new LogLines(OutOfTreePlugins.class)) {
            PluginRegistry registry = load().registry();

            assertThat(registry.extensionPoints()).containsKeys("First", "Second", "Third", "NodeName");
            assertThat(log.lines())
                    .containsExactly(
                            "INFO Loaded out-of-tree plugin " + loaded("First", "unknown", directory.resolve("a")),
                            "INFO Loaded out-of-tree plugin " + loaded("Second", "1.2.0", b),
                            "INFO Loaded out-of-tree plugin " + loaded("Third", "unknown", c));
        }
    }

    @Test
    void eachHasItsOwnLibrariesAndSeesThePublishedApiAlone() {
        for (String version : List.of("1", "2")) {
            library(version).writeTo(directory.resolve(version + "/library.jar"));
            BuiltPlugin.forOurs()
                    .source("com.library.Version", versionClass("compiled against, not brought along"))
                    .withFilter(WITNESS)
                    .withoutClass("com/library/Version")
                    .writeTo(directory.resolve(version + "/plugin.jar"));
        }

        assertThat(load().registry().extensionPoints()).containsKeys("1+++-----false", "2+++-----false");
    }

    @Test
    void whatEvenkeelPublishesIsTakenFromEvenkeelWhateverAJarBrings() {
        BuiltPlugin.named("Own")
                .source("org.slf4j.Logger", "package org.slf4j; public interface Logger {}")
                .writeTo(directory.resolve("own.jar"));

        assertThat(load().registry()
                        .find("Own")
                        .orElseThrow()
                        .type()
                        .getInterfaces()[0]
                        .getClassLoader())
                .isSameAs(PluginRegistry.class.getClassLoader());
    }

    @Test
    void linksOfAMountedConfigMapAreFollowedOnce() throws IOException {
        Path written = directory.resolve("..2026_11_22_05_00_00.1");
        BuiltPlugin.named("Mounted").writeTo(written.resolve("mounted.jar"));
        Files.createSymbolicLink(directory.resolve("..data"), written.getFileName());
        Files.createSymbolicLink(directory.resolve("mounted.jar"), Path.of("..data", "mounted.jar"));

        try (LogLines log = new LogLines(OutOfTreePlugins.class)) {
            load();

            assertThat(log.lines())
                    .containsExactly("INFO Loaded out-of-tree plugin "
                            + loaded("Mounted", "unknown", directory.resolve("mounted.jar")));
        }
    }

    @Test
    void whatIsNoPluginIsSaid() throws IOException {
        Path readme = Files.writeString(directory.resolve("README"), "");
        Path empty = Files.createDirectory(directory.resolve("empty"));
        Files.createDirectory(directory.resolve("lost+found"));

        try (LogLines log = new LogLines(OutOfTreePlugins.class)) {
            load();

            assertThat(log.lines())
                    .containsExactly(
                            "WARN Ignoring file that is not a plugin [file=\"" + readme + "\"]",
                            "WARN Ignoring file that is not a plugin [file=\"" + empty + "\"]",
                            "WARN No plugins in the directory [file=\"" + directory + "\"]");
        }
    }

    @Test
    void placesThatAnybodyMayWriteToAreSaid() throws IOException {
        Path jar = BuiltPlugin.named("Open").writeTo(directory.resolve("folder/open.jar"));
        for (Path open : List.of(jar, jar.getParent(), directory)) {
            Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        }

        try (LogLines log = new LogLines(OutOfTreePlugins.class)) {
            load();

            assertThat(log.lines().stream().filter(line -> line.startsWith("WARN")))
                    .containsExactly(
                            "WARN Plugin path is world-writable [file=\"" + directory + "\"]",
                            "WARN Plugin path is world-writable [file=\"" + jar.getParent() + "\"]",
                            "WARN Plugin path is world-writable [file=\"" + jar + "\"]");
        }
    }

    @Test
    void whatHasNotBeenMadeForAnyProfileIsSaid() {
        Path jar = BuiltPlugin.named("Idle").writeTo(directory.resolve("idle.jar"));
        OutOfTreePlugins plugins = load();

        try (LogLines log = new LogLines(OutOfTreePlugins.class)) {
            plugins.warnOfUnused();

            assertThat(log.lines())
                    .containsExactly(
                            "WARN Out-of-tree plugin is enabled in no profile and does nothing [name=\"Idle\", file=\""
                                    + jar + "\"]");
        }
    }

    private OutOfTreePlugins load() {
        return OutOfTreePlugins.load(directory);
    }

    private static BuiltPlugin library(String version) {
        return BuiltPlugin.forOurs().sayingNothing().source("com.library.Version", versionClass(version));
    }

    /** Not a constant, which compilers would copy. */
    private static String versionClass(String version) {
        return "package com.library; public class Version { public static final String NUMBER = String.valueOf(\""
                + version + "\"); }";
    }

    private static String loaded(String name, String version, Path file) {
        return "[name=\"" + name + "\", version=\"" + version + "\", api=\"0.2\", file=\"" + file + "\"]";
    }
}
