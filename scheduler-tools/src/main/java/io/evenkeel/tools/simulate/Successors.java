package io.evenkeel.tools.simulate;

import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodStatus;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.tools.why.Workload;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Pods that owners make again: another name, but for a StatefulSet's, another UID, and no node. */
final class Successors {
    private final Set<String> names = new HashSet<>();
    private final Map<String, Long> madeFor = new HashMap<>();
    private long made;

    /** @param picture no other pod may share a name with its pods */
    Successors(ClusterPicture picture) {
        picture.pods().forEach(pod -> names.add(pod.key()));
    }

    /** A name that no other may have. */
    void taken(Pod by) {
        names.add(by.key());
    }

    /** The pod that comes when this one has gone. */
    Pod of(Pod gone) {
        OwnerReference owner = gone.meta().controller().orElseThrow();
        return owner.kind().equals(Workload.STATEFUL_SET) ? anew(gone, gone.name()) : another(gone);
    }

    /** One more pod of the same owner, which is not a StatefulSet. */
    Pod another(Pod like) {
        OwnerReference owner = like.meta().controller().orElseThrow();
        String name = "";
        do {
            int nth = Math.toIntExact(madeFor.merge(owner.name(), 1L, Long::sum));
            name = Letters.name(owner.name() + "-", nth);
        } while (!names.add(like.namespace() + "/" + name));
        return anew(like, name);
    }

    /** Makes the pod again under this name, without a node. */
    Pod anew(Pod like, String name) {
        names.add(like.namespace() + "/" + name);
        return PodBuilder.from(like)
                .name(name)
                .uid("simulated:" + like.namespace() + "/" + name + ":" + ++made)
                .version("", 1)
                .terminating(false)
                .nodeName("")
                .status(PodStatus.PENDING)
                .build();
    }

    /** Words of letters that names may hold, as controllers make them: without vowels, so that they are no words at all. */
    static final class Letters {
        private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";
        private static final int SUFFIX_LENGTH = 5;
        private static final long SUFFIXES = 14_348_907; // 27⁵
        private static final long STRIDE = 5_915_587; // a prime, so that no suffix comes again before all have been
        private static final int LONGEST_BASE = 58;

        private Letters() {}

        /** A word for a text: equal texts have equal words. */
        static String wordFor(String text) {
            StringBuilder word = new StringBuilder();
            Integer.toUnsignedString(fnv(text))
                    .chars()
                    .forEach(digit -> word.append(LETTERS.charAt((digit - '0' + 3) % LETTERS.length())));
            return word.toString();
        }

        /** The nth name that begins with the base, as {@code generateName} makes them; of n below 14 million no two are equal. */
        static String name(String base, int nth) {
            long rest = Math.floorMod(Integer.toUnsignedLong(fnv(base)) + nth * STRIDE, SUFFIXES);
            StringBuilder name = new StringBuilder(base.substring(0, Math.min(LONGEST_BASE, base.length())));
            for (int i = 0; i < SUFFIX_LENGTH; i++) {
                name.append(LETTERS.charAt((int) (rest % LETTERS.length())));
                rest /= LETTERS.length();
            }
            return name.toString();
        }

        /** FNV-1a of 32 bits. */
        private static int fnv(String text) {
            int hash = 0x811c9dc5;
            for (int i = 0; i < text.length(); i++) {
                hash = (hash ^ text.charAt(i)) * 0x01000193;
            }
            return hash;
        }
    }
}
