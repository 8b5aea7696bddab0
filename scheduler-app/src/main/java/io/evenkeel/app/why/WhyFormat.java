package io.evenkeel.app.why;

import java.io.IOException;

/** A format for what is said of a pod. */
public interface WhyFormat {
    /** One line of JSON. */
    WhyFormat JSON = new JsonWhy();

    /** The same as a YAML document. */
    WhyFormat YAML = new YamlWhy(JSON);

    /** For people, in lines no longer than that where words allow it. */
    static WhyFormat text(int columns) {
        return new TextWhy(columns, TextWhy.Most.USUAL);
    }

    /** The same with all domains of all rules, all near nodes, and all pods alike. */
    static WhyFormat wide(int columns) {
        return new TextWhy(columns, TextWhy.Most.ALL);
    }

    /** The report in this format. */
    String format(PodReport report) throws IOException;
}
