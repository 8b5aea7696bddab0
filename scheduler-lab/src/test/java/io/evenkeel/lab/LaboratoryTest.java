package io.evenkeel.lab;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.Predefined;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** What {@code ArchitectureTest} asks of production, which does not know of the laboratory. */
class LaboratoryTest {
    private static final JavaClasses LABORATORY = new ClassFileImporter()
            .withImportOption(Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.evenkeel.lab");

    @Test
    void noPackagesKnowEachOtherInACircle() {
        slices().matching("io.evenkeel.(**)").should().beFreeOfCycles().check(LABORATORY);
    }

    @Test
    void everyPackageIsNullMarked() {
        assertThat(LABORATORY.stream().map(JavaClass::getPackage).distinct())
                .isNotEmpty()
                .allSatisfy(one -> assertThat(one.tryGetPackageInfo())
                        .hasValueSatisfying(info -> assertThat(info.isAnnotatedWith(NullMarked.class))
                                .isTrue()));
    }
}
