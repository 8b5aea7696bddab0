package io.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.companion.Companion;
import io.evenkeel.app.companion.CompanionProvider;
import io.evenkeel.app.option.WhatIfPorts;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.page.Page;
import io.evenkeel.tools.why.Questions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** All that {@code run} answers from a copy of the cluster is answered from the same one. */
class OneCopyTest {
    private static List<Class<?>> asking(boolean why, boolean page, boolean whatIf) {
        List<Companion> all = CompanionProvider.all(new CompanionProvider.Setup(
                SchedulerConfiguration.defaults(),
                InTreePlugins.registry(),
                "1.0",
                why,
                page,
                Optional.empty(),
                whatIf ? Optional.of(new WhatIfPorts()) : Optional.empty()));
        return all.stream()
                .<Class<?>>map(Companion::getClass)
                .filter(type -> Stream.of(Questions.class, Page.class, WhatIfCompanion.class)
                        .anyMatch(type::equals))
                .toList();
    }

    @Test
    void thePageWhyAndWhatIfsShareACopyWhichIsToldOfEverythingFirst() {
        assertThat(asking(true, true, true))
                .startsWith(Questions.class)
                .containsExactlyInAnyOrder(Questions.class, Page.class, WhatIfCompanion.class);
        assertThat(asking(true, false, true)).containsExactly(Questions.class, WhatIfCompanion.class);
    }

    @Test
    void eachHasOneWithoutTheOthersAndNobodyHasOneForNothing() {
        assertThat(asking(true, false, false)).containsExactly(Questions.class);
        assertThat(asking(false, true, false)).containsExactly(Questions.class, Page.class);
        assertThat(asking(false, false, true)).containsExactly(Questions.class, WhatIfCompanion.class);
        assertThat(asking(false, false, false)).isEmpty();
    }
}
