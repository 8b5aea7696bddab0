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

/** What {@code run} answers from a copy of the cluster: why and the page from the same one, what-ifs from one of their own. */
class CopiesTest {
    private static List<Companion> all(boolean why, boolean page, boolean whatIf) {
        return CompanionProvider.all(new CompanionProvider.Setup(
                SchedulerConfiguration.defaults(),
                InTreePlugins.registry(),
                "1.0",
                why,
                page,
                Optional.empty(),
                whatIf ? Optional.of(new WhatIfPorts()) : Optional.empty()));
    }

    private static List<Class<?>> asking(boolean why, boolean page, boolean whatIf) {
        return all(why, page, whatIf).stream()
                .<Class<?>>map(Companion::getClass)
                .filter(type -> Stream.of(Questions.class, Page.class, WhatIfCompanion.class)
                        .anyMatch(type::equals))
                .toList();
    }

    @Test
    void thePageAndWhyShareACopyWhichIsToldOfEverythingFirst() {
        assertThat(asking(true, true, false)).containsExactly(Questions.class, Page.class);
    }

    @Test
    void noWhatIfIsBeforeAQuestionOfWhyOrOfThePage() {
        List<Companion> all = all(true, true, true);
        List<Companion> questions =
                all.stream().filter(Questions.class::isInstance).toList();
        WhatIfCompanion whatIf = all.stream()
                .filter(WhatIfCompanion.class::isInstance)
                .map(WhatIfCompanion.class::cast)
                .findFirst()
                .orElseThrow();

        assertThat(questions).hasSize(2);
        assertThat(whatIf.questions).isSameAs(questions.getLast());
        assertThat(all.indexOf(questions.getLast())).isLessThan(all.indexOf(whatIf));
        assertThat(asking(true, false, true)).containsExactly(Questions.class, Questions.class, WhatIfCompanion.class);
    }

    @Test
    void eachHasOneWithoutTheOthersAndNobodyHasOneForNothing() {
        assertThat(asking(true, false, false)).containsExactly(Questions.class);
        assertThat(asking(false, true, false)).containsExactly(Questions.class, Page.class);
        assertThat(asking(false, false, true)).containsExactly(Questions.class, WhatIfCompanion.class);
        assertThat(asking(false, false, false)).isEmpty();
    }
}
