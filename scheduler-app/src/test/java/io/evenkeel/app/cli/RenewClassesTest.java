package io.evenkeel.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.rotation.Rotated;
import io.evenkeel.testing.Java;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeModel;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The program of the build that makes classes fit for an AOT cache, on the library that it is there for and on a class of ours. */
@Rotated(3)
class RenewClassesTest {
    private static final Path PROGRAM =
            Path.of("").toAbsolutePath().getParent().resolve("ship/image/RenewClasses.java");
    /** The first that the JVM verifies in one pass. */
    private static final int JAVA_6 = 50;

    @TempDir
    Path folder;

    private Path jar;

    @BeforeEach
    void copyTheLibrary() throws Exception {
        Path library = Path.of(CommandLine.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        jar = Files.copy(library, folder.resolve("library.jar"));
    }

    @Test
    void everyClassIsOfThisTimeAndPassesTheVerifier() throws Exception {
        List<String> before = entries();
        assertThat(versions()).anyMatch(version -> version < JAVA_6);

        assertThat(run()).isEqualTo("228 classes of library.jar renewed\n");

        assertThat(entries()).isEqualTo(before);
        assertThat(versions()).hasSize(228).allMatch(version -> version >= JAVA_6);
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
            for (String name : classes()) {
                Class.forName(name.replace('/', '.').replaceFirst("\\.class$", ""), true, loader);
            }
        }
    }

    @Test
    void whatIsRenewedStaysAsItIs() throws Exception {
        run();
        byte[] renewed = Files.readAllBytes(jar);

        assertThat(run()).isEmpty();
        assertThat(jar).hasBinaryContent(renewed);
    }

    @Test
    void whatTheJvmWouldMakeAtEachStartIsSpelledOutAndDoesTheSame() throws Exception {
        jar = folder.resolve("ours.jar");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (Class<?> each : List.of(Sample.class, Sample.All.class)) {
                out.putNextEntry(new ZipEntry(each.getName().replace('.', '/') + ".class"));
                out.write(bytes(each));
            }
        }

        assertThat(run()).contains("2 classes of ours.jar renewed\n");

        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
            Class<?> renewed = loader.loadClass(Sample.class.getName());
            assertThat(madeByTheJvm(
                            loader.getResourceAsStream(name(Sample.class)).readAllBytes()))
                    .containsExactly("makeConcatWithConstants");
            assertThat(madeByTheJvm(
                            loader.getResourceAsStream(name(Sample.All.class)).readAllBytes()))
                    .containsExactly("toString");
            assertThat(((Supplier<?>) renewed.getConstructor().newInstance()).get())
                    .isEqualTo(new Sample().get());
        }
        assertThat(madeByTheJvm(bytes(Sample.class))).containsOnly("typeSwitch", "makeConcatWithConstants");
        assertThat(madeByTheJvm(bytes(Sample.All.class))).containsExactlyInAnyOrder("equals", "hashCode", "toString");
    }

    private static String name(Class<?> type) {
        return type.getName().replace('.', '/') + ".class";
    }

    private static byte[] bytes(Class<?> type) throws IOException {
        return type.getResourceAsStream("/" + name(type)).readAllBytes();
    }

    /** The methods that a class has the JVM write, but lambdas. */
    private static Set<String> madeByTheJvm(byte[] type) {
        return ClassFile.of().parse(type).methods().stream()
                .flatMap(method -> method.code().stream())
                .flatMap(CodeModel::elementStream)
                .filter(InvokeDynamicInstruction.class::isInstance)
                .map(call -> ((InvokeDynamicInstruction) call).name().stringValue())
                .collect(Collectors.toSet());
    }

    /** The answers of records and switches, as one text. */
    public static final class Sample implements Supplier<String> {
        record All(
                boolean yes,
                byte small,
                char letter,
                short low,
                int whole,
                long large,
                float f,
                double d,
                String text) {}

        @Override
        public String get() {
            StringBuilder said = new StringBuilder();
            Object[] objects = {
                null,
                1,
                9,
                "a",
                "",
                'c',
                2L,
                new StringBuilder(),
                all(1, 0.0, "x"),
                all(1, 0.0, "x"),
                all(2, 0.0, "x"),
                all(1, -0.0, "x"),
                all(1, Double.NaN, "x"),
                all(1, Double.NaN, "x"),
                all(1, 0.0, null),
                new All(false, (byte) 1, 'a', (short) 2, 3, 4, 5, 0.0, "x"),
                new All(true, (byte) 2, 'a', (short) 2, 3, 1, 5, 0.0, "x"),
                new All(true, (byte) 1, 'b', (short) 2, 3, 1, 5, 0.0, "x"),
                new All(true, (byte) 1, 'a', (short) 3, 3, 1, 5, 0.0, "x"),
                new All(true, (byte) 1, 'a', (short) 2, 4, 1, 5, 0.0, "x"),
                new All(true, (byte) 1, 'a', (short) 2, 3, 1, 6, 0.0, "x")
            };
            for (Object object : objects) {
                said.append(kind(object)).append(object instanceof All ? " " + object.hashCode() : "");
                for (Object other : objects) {
                    said.append(object instanceof All && object.equals(other) ? "=" : "-");
                }
                said.append('\n');
            }
            return said.toString();
        }

        private static All all(long large, double d, String text) {
            return new All(true, (byte) 1, 'a', (short) 2, 3, large, 5, d, text);
        }

        private static String kind(Object object) {
            return switch (object) {
                case null -> "nothing";
                case Integer n when n > 5 -> "many";
                case Integer n -> "few " + n;
                case String text when text.isEmpty() -> "silence";
                case CharSequence text -> "words " + text;
                case All(boolean yes, var _, var _, var _, var _, long large, var _, var _, var _)
                when yes && large > 1 -> "large";
                case All all -> "record " + all.text();
                default -> "other";
            };
        }
    }

    private String run() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(Java.command(PROGRAM.toString(), folder.toString()))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    private List<String> entries() throws IOException {
        try (ZipFile file = new ZipFile(jar.toFile())) {
            return file.stream()
                    .map(entry -> entry.getName() + " " + entry.getTime())
                    .toList();
        }
    }

    private List<String> classes() throws IOException {
        try (ZipFile file = new ZipFile(jar.toFile())) {
            return file.stream()
                    .map(ZipEntry::getName)
                    .filter(name -> name.startsWith("picocli/") && name.endsWith(".class"))
                    .toList();
        }
    }

    private List<Integer> versions() throws IOException {
        try (ZipFile file = new ZipFile(jar.toFile())) {
            return classes().stream().map(name -> version(file, name)).toList();
        }
    }

    private static int version(ZipFile file, String name) {
        try (DataInputStream content = new DataInputStream(file.getInputStream(file.getEntry(name)))) {
            content.skipNBytes(6);
            return content.readUnsignedShort();
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }
}
