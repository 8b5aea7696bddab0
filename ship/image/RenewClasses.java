import java.io.IOException;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Brings classes into a form that an AOT cache takes in whole; what they do stays as it is, and their jars keep their entries and
 * their times.
 *
 * <p>Classes that were compiled for Java 5 or before get the stack maps that verifying in one pass needs: no cache takes them in
 * without, nor any of ours that extends one, and each start would read and verify them anew. Of the libraries that is picocli
 * alone, which was a fifth of what the main thread did until the scheduler was ready.
 *
 * <p>In Evenkeel's own classes a switch over types, and what a record has for {@code equals} and {@code hashCode}, become code.
 * The compiler leaves both to the JVM, which writes classes for them at each start, and no cache takes those in.
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

    private final ClassFile anew;
    private final ClassFile changed;

    private RenewClasses(ClassLoader neighbours) {
        ClassFile.Option hierarchy = ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(neighbours).cached());
        anew = ClassFile.of(
                ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
                // so that each method is written anew: one that is taken over as it is gets no stack map
                ClassFile.ConstantPoolSharingOption.NEW_POOL,
                hierarchy);
        changed = ClassFile.of(hierarchy);
    }

    public static void main(String[] arguments) throws IOException {
        List<Path> jars = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(Path.of(arguments[0]), "*.jar")) {
            found.forEach(jars::add);
        }
        List<URL> urls = new ArrayList<>();
        for (Path jar : jars) {
            urls.add(jar.toUri().toURL());
        }
        try (URLClassLoader neighbours = new URLClassLoader(urls.toArray(URL[]::new))) {
            RenewClasses renewal = new RenewClasses(neighbours);
            for (Path jar : jars) {
                renewal.renew(jar);
            }
        }
    }

    private void renew(Path jar) throws IOException {
        Path after = jar.resolveSibling(jar.getFileName() + ".renewed");
        int renewed = 0;
        try (ZipFile before = new ZipFile(jar.toFile());
                ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(after))) {
            for (ZipEntry entry : before.stream().toList()) {
                byte[] content = before.getInputStream(entry).readAllBytes();
                Optional<byte[]> other = entry.getName().endsWith(".class") ? renewed(content) : Optional.empty();
                renewed += other.isPresent() ? 1 : 0;
                ZipEntry copy = new ZipEntry(entry.getName());
                copy.setTime(entry.getTime());
                out.putNextEntry(copy);
                out.write(other.orElse(content));
            }
        }
        if (renewed > 0) {
            Files.move(after, jar, StandardCopyOption.REPLACE_EXISTING);
            System.out.println(renewed + " classes of " + jar.getFileName() + " renewed");
        } else {
            Files.delete(after);
        }
    }

    /** Nothing where the class is well as it is. */
    private Optional<byte[]> renewed(byte[] content) {
        if (content.length >= HEAD
                && ByteBuffer.wrap(content).getShort(HEAD - Short.BYTES) < FIRST_WITH_STACK_MAPS) {
            ClassTransform renewal = TO_THIS_JAVA.andThen(
                    ClassTransform.transformingMethodBodies((code, instruction) -> code.with(instruction)));
            return Optional.of(anew.transformClass(anew.parse(content), renewal));
        }
        ClassModel model = changed.parse(content);
        boolean isOurs = model.thisClass().asInternalName().startsWith("io/evenkeel/");
        return isOurs && Spelled.concerns(model)
                ? Optional.of(changed.transformClass(model, new Spelled(model)))
                : Optional.empty();
    }

    /** Calls methods of the class itself where the JVM would have to make some. */
    private static final class Spelled implements ClassTransform {
        private static final String SWITCHES = "java.lang.runtime.SwitchBootstraps";
        private static final String RECORDS = "java.lang.runtime.ObjectMethods";
        private static final ClassDesc OBJECTS = ClassDesc.of("java.util.Objects");

        private final ClassDesc owner;
        private final boolean isInterface;
        private final List<Consumer<ClassBuilder>> methods = new ArrayList<>();

        Spelled(ClassModel model) {
            owner = model.thisClass().asSymbol();
            isInterface = model.flags().has(AccessFlag.INTERFACE);
        }

        static boolean concerns(ClassModel model) {
            return model.methods().stream().anyMatch(Spelled::concerns);
        }

        private static boolean concerns(MethodModel method) {
            return method.code().stream().flatMap(CodeModel::elementStream).anyMatch(Spelled::concerns);
        }

        private static boolean concerns(CodeElement element) {
            return element instanceof InvokeDynamicInstruction call && (isTypeSwitch(call) || isOfRecord(call));
        }

        /** Where all labels are types: others are constants, which such a switch seldom has. */
        private static boolean isTypeSwitch(InvokeDynamicInstruction call) {
            return isOf(call, SWITCHES, "typeSwitch")
                    && call.typeSymbol().parameterType(0).isClassOrInterface()
                    && call.bootstrapArgs().stream().allMatch(ClassDesc.class::isInstance);
        }

        private static boolean isOfRecord(InvokeDynamicInstruction call) {
            String name = call.name().stringValue();
            return isOf(call, RECORDS, "bootstrap") && (name.equals("equals") || name.equals("hashCode"));
        }

        private static boolean isOf(InvokeDynamicInstruction call, String type, String method) {
            DirectMethodHandleDesc bootstrap = call.bootstrapMethod();
            return bootstrap.methodName().equals(method) && bootstrap.owner().equals(ClassDesc.of(type));
        }

        @Override
        public void accept(ClassBuilder builder, ClassElement element) {
            if (element instanceof MethodModel method && concerns(method)) {
                builder.transformMethod(method, MethodTransform.transformingCode(this::replace));
            } else {
                builder.with(element);
            }
        }

        @Override
        public void atEnd(ClassBuilder builder) {
            methods.forEach(method -> method.accept(builder));
        }

        private void replace(CodeBuilder code, CodeElement element) {
            if (element instanceof InvokeDynamicInstruction call && concerns(call)) {
                String name = "spelled$" + call.name().stringValue() + "$" + methods.size();
                methods.add(builder -> builder.withMethodBody(
                        name,
                        call.typeSymbol(),
                        ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC,
                        body -> spell(call, body)));
                code.invokestatic(owner, name, call.typeSymbol(), isInterface);
            } else {
                code.with(element);
            }
        }

        private void spell(InvokeDynamicInstruction call, CodeBuilder body) {
            List<ConstantDesc> arguments = call.bootstrapArgs();
            switch (call.name().stringValue()) {
                case "equals" -> equality(components(arguments), body);
                case "hashCode" -> hash(components(arguments), body);
                default -> typeSwitch(arguments, body);
            }
        }

        /** After the record's class and the names of its components come their getters. */
        private static Stream<DirectMethodHandleDesc> components(List<ConstantDesc> arguments) {
            return arguments.stream().skip(2).map(DirectMethodHandleDesc.class::cast);
        }

        /** The first label from a number on that the object is an instance of; -1 for null, the number of labels for none. */
        private static void typeSwitch(List<ConstantDesc> labels, CodeBuilder body) {
            Label some = body.newLabel();
            body.aload(0).ifnonnull(some).iconst_m1().ireturn().labelBinding(some);
            for (int i = 0; i < labels.size(); i++) {
                Label next = body.newLabel();
                body.iload(1).loadConstant(i).if_icmpgt(next);
                body.aload(0).instanceOf((ClassDesc) labels.get(i)).ifeq(next);
                body.loadConstant(i).ireturn().labelBinding(next);
            }
            body.loadConstant(labels.size()).ireturn();
        }

        private void equality(Stream<DirectMethodHandleDesc> components, CodeBuilder body) {
            Label differs = body.newLabel();
            Label isRecord = body.newLabel();
            body.aload(1).instanceOf(owner).ifne(isRecord).iconst_0().ireturn().labelBinding(isRecord);
            body.aload(1).checkcast(owner).astore(2);
            components.forEach(component -> {
                get(component, 0, body);
                get(component, 2, body);
                ClassDesc type = type(component);
                switch (TypeKind.from(type)) {
                    case REFERENCE ->
                        body.invokestatic(
                                        OBJECTS,
                                        "equals",
                                        MethodTypeDesc.of(
                                                ConstantDescs.CD_boolean,
                                                ConstantDescs.CD_Object,
                                                ConstantDescs.CD_Object))
                                .ifeq(differs);
                    case LONG -> body.lcmp().ifne(differs);
                    case FLOAT, DOUBLE ->
                        body.invokestatic(
                                        boxOf(type), "compare", MethodTypeDesc.of(ConstantDescs.CD_int, type, type))
                                .ifne(differs);
                    default -> body.if_icmpne(differs);
                }
            });
            body.iconst_1().ireturn().labelBinding(differs).iconst_0().ireturn();
        }

        private void hash(Stream<DirectMethodHandleDesc> components, CodeBuilder body) {
            body.iconst_0();
            components.forEach(component -> {
                body.bipush(31).imul();
                get(component, 0, body);
                ClassDesc type = type(component);
                boolean isReference = !type.isPrimitive();
                body.invokestatic(
                                isReference ? OBJECTS : boxOf(type),
                                "hashCode",
                                MethodTypeDesc.of(
                                        ConstantDescs.CD_int, isReference ? ConstantDescs.CD_Object : type))
                        .iadd();
            });
            body.ireturn();
        }

        private void get(DirectMethodHandleDesc component, int of, CodeBuilder body) {
            body.aload(of).getfield(owner, component.methodName(), type(component));
        }

        private static ClassDesc type(DirectMethodHandleDesc component) {
            return component.invocationType().returnType();
        }

        private static ClassDesc boxOf(ClassDesc primitive) {
            return switch (TypeKind.from(primitive)) {
                case BOOLEAN -> ConstantDescs.CD_Boolean;
                case BYTE -> ConstantDescs.CD_Byte;
                case CHAR -> ConstantDescs.CD_Character;
                case SHORT -> ConstantDescs.CD_Short;
                case LONG -> ConstantDescs.CD_Long;
                case FLOAT -> ConstantDescs.CD_Float;
                case DOUBLE -> ConstantDescs.CD_Double;
                default -> ConstantDescs.CD_Integer;
            };
        }
    }
}
