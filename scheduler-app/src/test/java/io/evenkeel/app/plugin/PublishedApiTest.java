package io.evenkeel.app.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import io.evenkeel.Production;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What out-of-tree plugins compile against: a list of packages that the documents, the Javadoc and the class loaders share. */
class PublishedApiTest {
    private static final Pattern QUOTED = Pattern.compile("`([a-z.]+)`");

    /** They read and write by the tables of fields that plugins make, and are called by readers and writers alone. */
    private static final Set<String> FOR_READERS = Set.of("JsonDecoder", "ProtobufDecoder", "TableWriter");

    @Test
    void eachPackageIsThere() {
        assertThat(Production.CLASSES.stream().map(JavaClass::getPackageName)).containsAll(PublishedApi.PACKAGES);
    }

    @Test
    void whatItHandsOutAndTakesIsPublishedToo() {
        assertThat(Production.CLASSES.stream()
                        .filter(one -> PublishedApi.PACKAGES.contains(one.getPackageName()))
                        .filter(PublishedApiTest::isPublic)
                        .filter(one -> !FOR_READERS.contains(one.getSimpleName()))
                        .flatMap(one -> one.getMembers().stream())
                        .filter(member -> member.getModifiers().contains(JavaModifier.PUBLIC))
                        .filter(member -> namedBy(member)
                                .anyMatch(type -> type.getName().startsWith(PublishedApi.OURS)
                                        && !PublishedApi.offers(type.getName())))
                        .map(JavaMember::getDescription))
                .isEmpty();
    }

    @Test
    void theDocumentListsIt() throws IOException {
        String document = Files.readString(Path.of("../docs/plugins.md"));
        String row = document.lines()
                .filter(line -> line.startsWith("| `io.evenkeel."))
                .findFirst()
                .orElseThrow();

        assertThat(QUOTED.matcher(row.substring(0, row.indexOf(" | ")))
                        .results()
                        .map(found -> found.group(1)))
                .containsExactlyInAnyOrderElementsOf(PublishedApi.PACKAGES);
    }

    private static boolean isPublic(JavaClass one) {
        return one.getModifiers().contains(JavaModifier.PUBLIC)
                && one.getEnclosingClass().map(PublishedApiTest::isPublic).orElse(true);
    }

    private static Stream<JavaClass> namedBy(JavaMember member) {
        return member.getAllInvolvedRawTypes().stream();
    }
}
