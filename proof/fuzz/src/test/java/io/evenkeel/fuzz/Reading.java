package io.evenkeel.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.kube.watch.Decoder;
import io.evenkeel.kube.watch.Decoder.ListPage;
import io.evenkeel.kube.watch.Decoder.WatchFrames;
import io.evenkeel.kube.watch.WatchEvent;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/**
 * What reading an answer comes to: events, then an end. An {@link IOException} is one, as a connection may break off anywhere;
 * nothing else that is thrown is.
 *
 * @param end of a list, its version and token; of both, why it broke off
 */
record Reading(List<WatchEvent> events, String end) {
    private static final int LONGEST_REASON = 1_500;

    static Reading ofFrames(Kind<?> kind, Answer answer) {
        List<WatchEvent> events = new ArrayList<>();
        try {
            WatchFrames frames = decoder(kind).frames(answer);
            for (Optional<WatchEvent> event = frames.next(); event.isPresent(); event = frames.next()) {
                events.add(event.get());
            }
            return new Reading(events, "");
        } catch (IOException brokenOff) {
            return new Reading(events, String.valueOf(brokenOff.getMessage()));
        }
    }

    static Reading ofPage(Kind<?> kind, Answer answer) {
        List<WatchEvent> events = new ArrayList<>();
        try {
            ListPage page = decoder(kind).page(answer, events::add);
            return new Reading(events, page.toString());
        } catch (IOException brokenOff) {
            return new Reading(events, String.valueOf(brokenOff.getMessage()));
        }
    }

    /** Some bytes as an answer about one kind: however they come in, it reads the same. */
    static void isTheSameInPieces(byte[] bytes, String encoding, BiFunction<Kind<?>, Answer, Reading> read)
            throws Throwable {
        ofDrawn(bytes, (kind, body) -> {
            Reading whole = read.apply(kind, Answer.atOnce(encoding, body));

            whole.isSaneFor(body.length);
            assertThat(read.apply(kind, Answer.byteByByte(encoding, body))).isEqualTo(whole);
        });
    }

    /** The first of the bytes say which kind the rest is about; reading it costs no more than so much a byte. */
    static void ofDrawn(byte[] bytes, BiConsumer<Kind<?>, byte[]> check) throws Throwable {
        Draws draws = new Draws(bytes);
        Kind<?> kind = kind(draws);
        byte[] body = draws.rest();
        Cost.isAtMost(20_000, body.length, () -> check.accept(kind, body));
    }

    /** The kinds whose tables hold all there is to read: a pod and a node have nearly everything between them. */
    static Kind<?> kind(Draws draws) {
        return draws.from(Kinds.IN_TREE.all());
    }

    private static Decoder decoder(Kind<?> kind) {
        return new Decoder(kind, new ObjectReader(Kinds.of(List.of(kind))));
    }

    /** Nothing comes of nothing, and what is wrong is a line to be read. */
    void isSaneFor(int size) {
        assertThat(events.size()).isLessThanOrEqualTo(size);
        assertThat(events).allSatisfy(event -> {
            if (event instanceof WatchEvent.Illegible(var identity, var _, var reason)) {
                isLine(reason);
                identity.ifPresent(meta -> assertThat(meta.name()).isNotEmpty());
            } else if (event instanceof WatchEvent.Unreadable(var reason)) {
                isLine(reason);
            }
        });
        if (!isWhole()) {
            assertThat(end.lines().count()).isLessThanOrEqualTo(1);
        }
    }

    private static void isLine(String reason) {
        assertThat(reason).isNotBlank().isNotEqualTo("null").hasSizeLessThan(LONGEST_REASON);
        assertThat(reason.lines()).hasSize(1);
    }

    /** Whether a page was read to its end. */
    boolean isWhole() {
        return end.startsWith("ListPage[");
    }
}
