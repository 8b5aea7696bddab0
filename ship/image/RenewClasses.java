import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Brings classes up to date that were compiled for Java 5 or before: no AOT cache takes these in, nor any of ours that extends
 * one, and each start would read and verify them anew. Of the libraries that is picocli alone, which was a fifth of what the main
 * thread did until the scheduler was ready. What the classes do stays as it is; only the stack maps are added that verifying in
 * one pass needs, and their jar keeps its entries and their times.
 *
 *     java RenewClasses.java FOLDER    the folder of the jars
 */
public final class RenewClasses {
    /** Java 6, which brought the stack maps. */
    private static final int FIRST_WITH_STACK_MAPS = 50;

    /** Of a class file: a magic number, the minor version, the major. */
    private static final int HEAD = 8;

    private static final ClassTransform TO_THIS_JAVA = (builder, element) -> {
        if (element instanceof ClassFileVersion) {
            builder.withVersion(ClassFile.latestMajorVersion(), 0);
        } else {
            builder.with(element);
        }
    };

    private RenewClasses() {}

    public static void main(String[] arguments) throws IOException {
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(Path.of(arguments[0]), "*.jar")) {
            for (Path jar : jars) {
                renew(jar);
            }
        }
    }

    private static void renew(Path jar) throws IOException {
        try (ZipFile before = new ZipFile(jar.toFile())) {
            List<? extends ZipEntry> entries = before.stream().toList();
            int old = 0;
            for (ZipEntry entry : entries) {
                old += isOld(entry, before.getInputStream(entry).readNBytes(HEAD)) ? 1 : 0;
            }
            if (old > 0) {
                Path after = jar.resolveSibling(jar.getFileName() + ".renewed");
                write(jar, before, entries, after);
                Files.move(after, jar, StandardCopyOption.REPLACE_EXISTING);
                System.out.println(old + " classes of " + jar.getFileName() + " renewed");
            }
        }
    }

    private static boolean isOld(ZipEntry entry, byte[] content) {
        return entry.getName().endsWith(".class")
                && content.length >= HEAD
                && ByteBuffer.wrap(content).getShort(HEAD - Short.BYTES) < FIRST_WITH_STACK_MAPS;
    }

    private static void write(Path jar, ZipFile before, List<? extends ZipEntry> entries, Path after)
            throws IOException {
        try (URLClassLoader neighbours = new URLClassLoader(new URL[] {jar.toUri().toURL()});
                ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(after))) {
            ClassFile classes = ClassFile.of(
                    ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
                    // so that each method is written anew: one that is taken over as it is gets no stack map
                    ClassFile.ConstantPoolSharingOption.NEW_POOL,
                    ClassFile.ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(neighbours)));
            ClassTransform renewal = TO_THIS_JAVA.andThen(ClassTransform.transformingMethodBodies(
                    (code, instruction) -> code.with(instruction)));
            for (ZipEntry entry : entries) {
                byte[] content = before.getInputStream(entry).readAllBytes();
                ZipEntry copy = new ZipEntry(entry.getName());
                copy.setTime(entry.getTime());
                out.putNextEntry(copy);
                out.write(isOld(entry, content) ? classes.transformClass(classes.parse(content), renewal) : content);
                out.closeEntry();
            }
        }
    }
}
