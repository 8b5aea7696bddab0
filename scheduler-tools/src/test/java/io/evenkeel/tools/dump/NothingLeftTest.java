package io.evenkeel.tools.dump;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.model.write.ObjectWriter;
import io.evenkeel.rotation.Rotated;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ObjIntConsumer;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Of every kind of the dump: whatever a user may have written anywhere, nothing of it is left, and the object is the same but for words. */
@Rotated(3)
class NothingLeftTest {
    /** As many as there are sources of a volume, which are the most fields that exclude each other. */
    private static final int CHOICES = 32;

    private static final Set<Kind<?>> WITH_VOLUMES = Set.of(Kinds.POD, Kinds.PERSISTENT_VOLUME);

    private static final Pattern TRACES = Pattern.compile("(?i)acme|\\b17(?:[123]|17)?\\b|matchLabels\":\"");
    private static final Pattern TIME = Pattern.compile("\"\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z\"");
    private static final Pattern ADDRESS = Pattern.compile("\\d+([^0-9a-zA-Z\"{}\\[\\]]\\d+){3}");

    /** A form of what a user may write, by a number. */
    private enum Form {
        WORD("acme%d"),
        IMAGE("Registry.acme.io:5000/acme/acme%d:1.2"),
        KEY("acme.io/acme%d"),
        KEY_LIKE_A_KNOWN_ONE("acme%d.kubernetes.io/acme"),
        RESOURCE("hugepages-acme%d"),
        ADDRESS("10.171.172.%d"),
        ADDRESS_WITH_A_PORT("10.171.172.%d:5000/app"),
        ADDRESS_WITH_UNDERSCORES("10_171_172_%d"),
        ADDRESS_WITH_DASHES("ip-10-171-172-%d.ec2.internal"),
        ADDRESS_AFTER_LETTERS("node10-171-172-%d"),
        ADDRESS_IN_A_KEY("kubernetes.io/10.171.172.%d"),
        LONG_ADDRESS("fd00:171:fe:172:be:1:ce:%d"),
        SHORT_ADDRESS("171:da::%d"),
        ADDRESS_IN_BRACKETS("[fd00:171::%d]:5000/app"),
        LONG_ADDRESS_WITH_DASHES("fd00-171-fe-172-be-1-ce-%d"),
        SHORT_ADDRESS_WITH_DASHES("171-da--%d"),
        ADDRESS_OF_A_CARD("02-17-1a-de-c1-f2.acme%d"),
        UID("6ba7b810-9dad-1717-80b4-00c04fd430c8.acme%d");

        private final String form;

        Form(String form) {
            this.form = form;
        }

        String of(int number) {
            return form.formatted(number);
        }
    }

    static Stream<Kind<?>> kinds() {
        return Kinds.IN_TREE.all().stream();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void noTextOrKeyIsLeft(Kind<?> kind) {
        forEach(kind, (form, choice) -> {
            String tree = new MarkedObject(form::of, false, choice).of(kind).toString();
            assertClean(new Anonymised(Kinds.IN_TREE, List.of()).apply(tree), form);
        });
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void whatIsReadIsTheSameButForWords(Kind<?> kind) {
        forEach(kind, (form, choice) -> assertSameButForWords(kind, form, choice));
    }

    private static void forEach(Kind<?> kind, ObjIntConsumer<Form> test) {
        Stream.of(Form.values()).forEach(form -> test.accept(form, 0));
        if (WITH_VOLUMES.contains(kind)) {
            IntStream.range(1, CHOICES).forEach(choice -> test.accept(Form.ADDRESS_WITH_A_PORT, choice));
        }
    }

    private static void assertSameButForWords(Kind<?> kind, Form form, int choice) {
        ObjectWriter writer = new ObjectWriter();
        ObjectReader reader = new ObjectReader();
        KubernetesObject named =
                reader.read(new MarkedObject(form::of, true, choice).of(kind).toString());
        String before = writer.json(named);
        String after = new Anonymised(Kinds.IN_TREE, List.of(named)).apply(before);

        assertClean(after, form);
        assertThat(writer.json(reader.read(after))).hasSameSizeAs(after.replace(",\"message\":\"\"", ""));
        new Likeness().compare(JsonParser.parseString(before), JsonParser.parseString(after), kind.name());
    }

    private static void assertClean(String line, Form form) {
        assertThat(line).as("%s", form).doesNotContainPattern(TRACES);
        assertThat(TIME.matcher(line).replaceAll("\"\"")).as("%s", form).doesNotContainPattern(ADDRESS);
    }

    /** The same members, lists as long, the same numbers, and words that are equal where they were and different where they were. */
    private static final class Likeness {
        private final Map<String, String> words = new HashMap<>();
        private final Map<String, String> back = new HashMap<>();

        void compare(JsonElement before, JsonElement after, String path) {
            switch (before) {
                case JsonObject tree -> compare(tree, after.getAsJsonObject(), path);
                case JsonArray list -> {
                    assertThat(after.getAsJsonArray()).as(path).hasSameSizeAs(list);
                    IntStream.range(0, list.size())
                            .forEach(i ->
                                    compare(list.get(i), after.getAsJsonArray().get(i), path));
                }
                case JsonPrimitive text
                when text.isString() && !path.endsWith(".message") -> {
                    assertThat(words.computeIfAbsent(text.getAsString(), _ -> after.getAsString()))
                            .as(path)
                            .isEqualTo(after.getAsString());
                    assertThat(back.computeIfAbsent(after.getAsString(), _ -> text.getAsString()))
                            .as(path)
                            .isEqualTo(text.getAsString());
                }
                case JsonPrimitive text when text.isString() -> {}
                default -> assertThat(after).as(path).isEqualTo(before);
            }
        }

        /** Where a member is not found by its name it is an entry of a map, whose keys have an order of their own. */
        private void compare(JsonObject before, JsonObject after, String path) {
            assertThat(after.size()).as(path).isEqualTo(before.size());
            before.entrySet().stream()
                    .filter(member -> after.has(member.getKey()))
                    .forEach(member ->
                            compare(member.getValue(), after.get(member.getKey()), path + "." + member.getKey()));
        }
    }
}
