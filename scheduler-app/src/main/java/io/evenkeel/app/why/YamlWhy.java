package io.evenkeel.app.why;

import io.evenkeel.config.yaml.YamlText;
import java.io.IOException;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

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
