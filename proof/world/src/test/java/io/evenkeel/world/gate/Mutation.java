package io.evenkeel.world.gate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A way to break the scheduler: in one source file some lines that stand next to each other are replaced by others. How far
 * they are indented does not matter.
 *
 * @param name what goes wrong then, in words
 * @param file the source file, from the repository's root
 * @param before the lines that are replaced
 * @param after the lines in their place, none where they are left out
 * @param features what all worlds have in which it is looked for, as {@code -Dworld.with} says it
 */
record Mutation(String name, String file, List<String> before, List<String> after, String features) {
    Mutation {
        before = List.copyOf(before);
        after = List.copyOf(after);
    }

    /** How often the lines stand in the source that would be replaced; anything but once is a mutation to look after. */
    int occurrences(List<String> source) {
        return places(source).size();
    }

    /** The broken source. */
    List<String> applyTo(List<String> source) {
        List<Integer> places = places(source);
        if (places.size() != 1) {
            throw new IllegalStateException("\"" + name + "\" no longer applies: its lines stand " + places.size()
                    + " times in " + file + ", which must be once");
        }
        int place = places.getFirst();
        List<String> broken = new ArrayList<>(source.subList(0, place));
        broken.addAll(after);
        broken.addAll(source.subList(place + before.size(), source.size()));
        return broken;
    }

    private List<Integer> places(List<String> source) {
        List<String> lines = source.stream().map(String::strip).toList();
        List<Integer> places = new ArrayList<>();
        for (int line = 0; line + before.size() <= lines.size(); line++) {
            if (lines.subList(line, line + before.size()).equals(before)) {
                places.add(line);
            }
        }
        return Collections.unmodifiableList(places);
    }
}
