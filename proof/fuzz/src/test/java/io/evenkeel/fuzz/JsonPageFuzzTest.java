package io.evenkeel.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import io.evenkeel.model.kind.Kind;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;

/** A page of a list in JSON. However its bytes come in, it is the same objects, as many as another reader sees. */
class JsonPageFuzzTest {

    @FuzzTest
    @DictionaryEntries({
        "metadata",
        "resourceVersion",
        "continue",
        "items",
        "kind",
        "List",
        "spec",
        "containers",
        "null",
        "\\x00"
    })
    void objectsComeWhateverTheBytesAre(byte[] bytes) throws Throwable {
        Reading.ofDrawn(bytes, JsonPageFuzzTest::check);
    }

    private static void check(Kind<?> kind, byte[] body) {
        Reading whole = Reading.ofPage(kind, Answer.atOnce(Answer.JSON, body));

        whole.isSaneFor(body.length);
        Reading inPieces = Reading.ofPage(kind, Answer.byteByByte(Answer.JSON, body));
        assertThat(inPieces.events()).isEqualTo(whole.events());
        // why it is no list depends on how much was there when the parser guessed the encoding
        assertThat(inPieces.isWhole()).isEqualTo(whole.isWhole());
        if (whole.isWhole()) {
            isWhatItSays(body, whole);
        }
    }

    /** Counts the items of every field of that name, and takes the last version, which is what the page does. */
    private static void isWhatItSays(byte[] body, Reading page) {
        try (JsonReader in = new JsonReader(new StringReader(new String(body, StandardCharsets.UTF_8)))) {
            in.setStrictness(Strictness.STRICT);
            int items = 0;
            String version = "";
            in.beginObject();
            while (in.hasNext()) {
                String name = in.nextName();
                if (name.equals("items") && in.peek() == JsonToken.BEGIN_ARRAY) {
                    items += elements(in);
                } else if (name.equals("metadata") && in.peek() == JsonToken.BEGIN_OBJECT) {
                    version = version(in, version);
                } else {
                    in.skipValue();
                }
            }
            in.endObject();
            assertThat(page.events()).hasSize(items);
            assertThat(page.end()).contains("resourceVersion=" + version + ",");
        } catch (IOException notForThatReader) {
            // which is stricter
        }
    }

    private static int elements(JsonReader in) throws IOException {
        int elements = 0;
        in.beginArray();
        while (in.hasNext()) {
            in.skipValue();
            elements++;
        }
        in.endArray();
        return elements;
    }

    private static String version(JsonReader in, String otherwise) throws IOException {
        String version = otherwise;
        in.beginObject();
        while (in.hasNext()) {
            if (in.nextName().equals("resourceVersion")) {
                boolean isText = in.peek() == JsonToken.STRING;
                version = isText ? in.nextString() : "no text";
                if (!isText) {
                    in.skipValue();
                }
            } else {
                in.skipValue();
            }
        }
        in.endObject();
        return version;
    }
}
