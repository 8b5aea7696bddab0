package io.evenkeel;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.Predefined;

/** All classes that this module runs with, read once for all who look at them. */
final class Production {
    static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(place -> !place.contains("-tests.jar")) // what the tests of several modules share
            .importPackages("io.evenkeel");

    private Production() {}
}
