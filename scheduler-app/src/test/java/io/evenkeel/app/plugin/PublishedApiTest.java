package io.evenkeel.app.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.Predefined;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What out-of-tree plugins compile against: types that the documents, the Javadoc and the class loaders share. */
class PublishedApiTest {
    private static final Pattern TYPES =
            Pattern.compile("^\\| `(io\\.evenkeel\\.model[a-z.]*)` \\| (.*) \\|$", Pattern.MULTILINE);
    private static final Pattern QUOTED = Pattern.compile("`(\\w+)`");

    @Test
    void eachTypeOfTheModelIsThere() {
        ClassLoader ours = PublishedApi.class.getClassLoader();
        assertThat(PublishedApi.MODEL_TYPES)
                .allSatisfy(type -> assertThat(Class.forName(type, false, ours)).isNotNull());
    }

    @Test
    void theApiSpeaksOfPublishedTypesAlone() {
        JavaClasses api = new ClassFileImporter()
                .withImportOption(Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages(PublishedApi.API);
        assertThat(api).hasSizeGreaterThan(50);
        assertThat(api.stream()
                        .filter(one -> one.getPackageName().equals(PublishedApi.API))
                        .filter(PublishedApiTest::isPublic)
                        .flatMap(one -> one.getMembers().stream())
                        .filter(member -> member.getModifiers().contains(JavaModifier.PUBLIC))
                        .filter(member -> member.getAllInvolvedRawTypes().stream()
                                .map(JavaClass::getBaseComponentType)
                                .anyMatch(type -> type.getName().startsWith(PublishedApi.OURS)
                                        && !PublishedApi.offers(type.getName())))
                        .map(JavaMember::getDescription))
                .isEmpty();
    }

    @Test
    void theDocumentListsTheTypesOfTheModel() throws IOException {
        String document = Files.readString(Path.of("../docs/plugins.md"));

        assertThat(TYPES.matcher(document)
                        .results()
                        .flatMap(row ->
                                QUOTED.matcher(row.group(2)).results().map(type -> row.group(1) + "." + type.group(1))))
                .containsExactlyInAnyOrderElementsOf(PublishedApi.MODEL_TYPES);
    }

    private static boolean isPublic(JavaClass one) {
        return one.getModifiers().contains(JavaModifier.PUBLIC)
                && one.getEnclosingClass().map(PublishedApiTest::isPublic).orElse(true);
    }
}
