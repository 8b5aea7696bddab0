package io.evenkeel.chart.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.chart.helm.Chart;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** With {@code -Devenkeel.chart.docs=write} it writes the README anew. */
class ReadmeTest {
    @Test
    void theTableOfValuesIsUpToDate() throws IOException {
        if (System.getProperty("evenkeel.chart.docs", "").equals("write")) {
            Readme.write();
        }
        assertThat(Readme.committed())
                .as("the chart's README; write it anew with -Devenkeel.chart.docs=write")
                .isEqualTo(Readme.generated());
    }

    @Test
    void everyValueIsDescribed() {
        assertThat(ValuesDoc.read(Chart.read("values.yaml")).undescribed()).isEmpty();
    }

    @Test
    void aCommentDescribesTheKeyBelowAndAllThatIsBelowThat() {
        ValuesDoc doc = ValuesDoc.read("""
            # About the file.

            # How many.
            a: 1
            group:
              # Where,
              # and why.
              b:
                c: d
              e: f
            """);
        assertThat(doc.values())
                .containsExactly(
                        new ValuesDoc.Value("a", "1", "How many."),
                        new ValuesDoc.Value("group.b", "{\"c\":\"d\"}", "Where, and why."));
        assertThat(doc.undescribed()).containsExactly("group.e");
    }
}
