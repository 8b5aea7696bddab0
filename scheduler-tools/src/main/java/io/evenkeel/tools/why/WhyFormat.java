package io.evenkeel.tools.why;

import io.evenkeel.config.file.YamlText;
import java.io.IOException;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** A format for what is said of a pod. */
public interface WhyFormat {
    /** One line of JSON. */
    WhyFormat JSON = new JsonWhy();

    /** The answer as a YAML document. */
    WhyFormat YAML = new YamlWhy(JSON);

    /** For people, in lines no longer than that where words allow it. */
    static WhyFormat text(int columns) {
        return new TextWhy(columns, TextWhy.Most.USUAL);
    }

    /** The answer with all domains of all rules, all near nodes, and all pods alike. */
    static WhyFormat wide(int columns) {
        return new TextWhy(columns, TextWhy.Most.ALL);
    }

    /** The report in this format. */
    String format(PodReport report) throws IOException;

    /** The answer as a YAML document with the fields of the JSON, which is YAML already, a field a line. */
    record YamlWhy(WhyFormat json) implements WhyFormat {
        @Override
        public String format(PodReport report) throws IOException {
            LoaderOptions anyLength = new LoaderOptions();
            anyLength.setCodePointLimit(Integer.MAX_VALUE);
            Map<String, ?> tree = new Yaml(new SafeConstructor(anyLength)).load(json.format(report));
            return "---\n" + YamlText.dump(tree).stripTrailing();
        }
    }
}
