package io.evenkeel.app.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.plugin.PluginLoader.PluginJar;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** The jar of a plugin as somebody else builds it: from source, on a class path of the published API and nothing else. */
public final class BuiltPlugin {
    private static final String CLASS = ".class";
    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    /** One for all, as it remembers what it has read of the JDK. */
    private static final JavaFileManager FILES = COMPILER.getStandardFileManager(null, null, StandardCharsets.UTF_8);

    private final List<JavaFileObject> sources = new ArrayList<>();
    private final Map<String, String> manifest = new LinkedHashMap<>();
    private final Map<String, byte[]> files = new LinkedHashMap<>();
    private final List<String> leftOut = new ArrayList<>();
    private Predicate<String> classPath = BuiltPlugin::isPublished;

    /** Whether a package, with a dot behind it, has something that plugins may use. */
    private static boolean isPublished(String prefix) {
        return PublishedApi.offers(prefix + "Any")
                || PublishedApi.MODEL_TYPES.stream()
                        .anyMatch(type -> prefix.equals(type.substring(0, type.lastIndexOf('.') + 1)));
    }

    /** One whose manifest says that it was built for 0.1. */
    public static BuiltPlugin forOurs() {
        return new BuiltPlugin().saying(PluginJar.API, "0.2");
    }

    /** The plugin of this name, which filters nothing; its factory is announced. */
    public static BuiltPlugin named(String name) {
        return forOurs().withFilter("""
            public String name() { return "%s"; }
            public Class<? extends Plugin> type() { return Filter.class; }
            public Plugin create(PluginContext context) { return new Filter(name()); }
            """.formatted(name));
    }

    /** A class {@code com.example.Factory} with this body, announced, beside a filter for it to make. */
    public BuiltPlugin withFilter(String factory) {
        return source("com.example.Filter", """
            package com.example;
            import io.evenkeel.api.*;
            record Filter(String name) implements FilterPlugin {
                public Status filter(CycleState state, PendingPod pod, NodeInfo node) { return Status.SUCCESS; }
            }
            """)
                .source("com.example.Factory", """
                    package com.example;
                    import io.evenkeel.api.*;
                    public final class Factory implements PluginFactory {
                        %s
                    }
                    """.formatted(factory))
                .announcing("com.example.Factory");
    }

    public BuiltPlugin source(String className, String text) {
        sources.add(
                new SimpleJavaFileObject(
                        URI.create("source:///" + className.replace('.', '/') + ".java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return text;
                    }
                });
        return this;
    }

    /** In the manifest. */
    public BuiltPlugin saying(String attribute, String value) {
        manifest.put(attribute, value);
        return this;
    }

    BuiltPlugin sayingNothing() {
        manifest.clear();
        return this;
    }

    BuiltPlugin announcing(String... factories) {
        return file(PluginJar.ANNOUNCEMENT, String.join("\n", factories));
    }

    BuiltPlugin announcingNothing() {
        files.remove(PluginJar.ANNOUNCEMENT);
        return this;
    }

    public BuiltPlugin file(String path, String text) {
        files.put(path, text.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    /** Against classes, by their names' beginnings, that plugins must not use. */
    BuiltPlugin seeingToo(String... packages) {
        classPath = classPath.or(name -> Stream.of(packages).anyMatch(name::startsWith));
        return this;
    }

    /** Compiled with the others, and not put into the jar. */
    BuiltPlugin withoutClass(String internalName) {
        leftOut.add(internalName + CLASS);
        return this;
    }

    public Path writeTo(Path jar) {
        compile();
        leftOut.forEach(files::remove);
        Manifest written = new Manifest();
        written.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.forEach(written.getMainAttributes()::putValue);
        try {
            Files.createDirectories(jar.toAbsolutePath().getParent());
            try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), written)) {
                for (Map.Entry<String, byte[]> file : files.entrySet()) {
                    out.putNextEntry(new ZipEntry(file.getKey()));
                    out.write(file.getValue());
                }
            }
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
        return jar;
    }

    private void compile() {
        if (sources.isEmpty()) {
            return;
        }
        StringWriter problems = new StringWriter();
        boolean compiled = COMPILER.getTask(
                        problems, new Classes(), null, List.of("--release", "25", "-proc:none"), null, sources)
                .call();
        assertThat(compiled).as(problems.toString()).isTrue();
    }

    /** Reads those classes that the class path is to have, and keeps what is compiled. */
    private final class Classes extends ForwardingJavaFileManager<JavaFileManager> {
        Classes() {
            super(FILES);
        }

        @Override
        public Iterable<JavaFileObject> list(
                Location location, String packageName, Set<JavaFileObject.Kind> kinds, boolean recurse)
                throws IOException {
            boolean seen = location != StandardLocation.CLASS_PATH || classPath.test(packageName + ".");
            return seen ? super.list(location, packageName, kinds, recurse) : List.of();
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            String path = className.replace('.', '/') + CLASS;
            return new SimpleJavaFileObject(URI.create("class:///" + path), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return new ByteArrayOutputStream() {
                        @Override
                        public void close() {
                            files.put(path, toByteArray());
                        }
                    };
                }
            };
        }
    }
}
