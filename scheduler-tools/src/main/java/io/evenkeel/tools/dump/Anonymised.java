package io.evenkeel.tools.dump;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.evenkeel.cel.CelProblem;
import io.evenkeel.cel.DeviceSelector;
import io.evenkeel.config.Profile;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.HostPort;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.PodVolume.Source;
import io.evenkeel.model.decode.Field;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.write.ObjectWriter;
import io.evenkeel.plugins.NodeDeclaredFeatures;
import io.evenkeel.plugins.volumes.DiskZones;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Objects without names: of everything that a user may have called something there is a word without meaning, equal for equal
 * names. What may stay is listed: what Kubernetes calls things ({@link WellKnown}, {@link Constants}), amounts, times and rules.
 * An instance is for one dump and remembers its words.
 *
 * <p>The tables that read the kinds, those of plugins too, tell fields from users' keys: a field that
 * is in none is not written.
 */
final class Anonymised implements UnaryOperator<String> {
    private static final String TIME = "Time";
    private static final String TEXT = "string";
    private static final String QUANTITY = "Quantity";
    private static final String SHARE = "IntOrString";
    /** Fields with values of the key that is beside them. */
    private static final Set<String> VALUES = Set.of("value", "values");

    private static final String STATEFUL_SET = "StatefulSet";
    private static final String OF_DRIVERS = "parameters";
    private static final String MAP = "map of ";
    private static final Pattern PERCENTAGE = Pattern.compile("[0-9]{1,9}%");
    private static final Pattern NUMBER = Pattern.compile("\"(-?[0-9]{1,19})\"");

    private final Kinds kinds;
    private final Replacements replacements;
    private final Map<Message<?>, Map<String, Field<?>>> rows = new HashMap<>();

    /**
     * Of a dump.
     *
     * @param kinds of its objects
     * @param all its objects
     */
    Anonymised(Kinds kinds, Collection<? extends KubernetesObject> all) {
        this(kinds, all, new InOrder(names(all)), InOrder.numbers(numbers(kinds, all)));
    }

    /**
     * Of one of several dumps, in which the same names have the same words. These are in no order, and numbers are words as others
     * are.
     *
     * @param key a secret; without it a name cannot be found out by trying
     */
    Anonymised(Kinds kinds, Collection<? extends KubernetesObject> all, byte[] key) {
        this(kinds, all, new Keyed(key), Map.of());
    }

    private Anonymised(
            Kinds kinds,
            Collection<? extends KubernetesObject> all,
            UnaryOperator<String> word,
            Map<String, String> numbers) {
        this.kinds = kinds;
        Pseudonyms words = new Pseudonyms(word);
        all.forEach(object -> makers(object, words));
        all.forEach(object -> joinClaims(object, words));
        replacements = new Replacements(words, numbers);
    }

    private static Set<String> names(Collection<? extends KubernetesObject> all) {
        Set<String> names = new HashSet<>();
        for (KubernetesObject object : all) {
            names.add(object.meta().name());
            names.add(object.meta().namespace());
            object.meta().labels().asMap().forEach((key, value) -> {
                names.add(value);
                if (!WellKnown.isKey(key)) {
                    names.add(key);
                }
            });
        }
        return names;
    }

    /** All texts that are whole numbers, and may be compared as such. */
    private static Set<String> numbers(Kinds kinds, Collection<? extends KubernetesObject> all) {
        ObjectWriter writer = new ObjectWriter(kinds);
        Set<String> numbers = new HashSet<>();
        all.forEach(
                object -> NUMBER.matcher(writer.json(object)).results().forEach(found -> numbers.add(found.group(1))));
        return numbers;
    }

    /** Notes StatefulSets: their pods have an ordinal. */
    private static void makers(KubernetesObject object, Pseudonyms words) {
        if (object.kindName().equals(STATEFUL_SET)) {
            words.makesOrdinals(object.meta().name());
        }
        object.meta()
                .controller()
                .filter(owner -> owner.kind().equals(STATEFUL_SET))
                .ifPresent(owner -> words.makesOrdinals(owner.name()));
    }

    /** A claim that is made for a pod's volume is found by both their names. */
    private static void joinClaims(KubernetesObject object, Pseudonyms words) {
        if (object instanceof Pod pod) {
            for (PodVolume volume : pod.spec().volumes()) {
                if (volume.source() == Source.EPHEMERAL) {
                    words.join(pod.name(), volume.name());
                }
            }
        }
    }

    /** The kind and version of the object itself stay: without them it could not be read. */
    @Override
    public String apply(String line) {
        JsonObject tree = JsonParser.parseString(line).getAsJsonObject();
        String name = tree.get("kind").getAsString();
        Kind<?> kind = kinds.find(name, tree.get("apiVersion").getAsString())
                .orElseThrow(() -> new IllegalArgumentException(name + ": no kind of the dump"));
        JsonObject replaced = new JsonObject();
        replaced.addProperty("apiVersion", kind.apiVersion());
        replaced.addProperty("kind", kind.objectKind());
        fill(replaced, kind.table(), tree);
        if (tree.get("metadata") instanceof JsonObject meta && meta.get("name") instanceof JsonPrimitive own) {
            replaced.getAsJsonObject("metadata").addProperty("name", nameOf(kind, own.getAsString()));
        }
        return replaced.toString();
    }

    private String nameOf(Kind<?> kind, String name) {
        return switch (kind.name()) {
            case "Namespace" -> replacements.namespace(name);
            case "PriorityClass" -> replacements.priorityClass(name);
            default -> replacements.name(name);
        };
    }

    private void fill(JsonObject replaced, Message<?> table, JsonObject tree) {
        Map<String, Field<?>> fields = rows.computeIfAbsent(
                table, one -> one.fields().stream().collect(Collectors.toMap(Field::name, Function.identity())));
        String key = tree.get("key") instanceof JsonPrimitive text ? text.getAsString() : "";
        tree.entrySet().forEach(member -> {
            Field<?> field = fields.get(member.getKey());
            if (field != null) {
                replaced.add(field.name(), value(field, key, member.getValue()));
            }
        });
    }

    /** @param key the key beside the field, which may hold the key's value */
    private JsonElement value(Field<?> field, String key, JsonElement value) {
        return switch (value) {
            case JsonObject object when field.name().equals(OF_DRIVERS) -> inWords(object);
            case JsonObject object -> {
                JsonObject replaced = new JsonObject();
                Optional<Message<?>> table = field.message();
                if (table.isEmpty()) {
                    fillMap(replaced, field, object);
                } else if (field.typeName().startsWith(MAP)) {
                    object.entrySet().forEach(entry -> {
                        JsonObject filled = new JsonObject();
                        fill(filled, table.get(), entry.getValue().getAsJsonObject());
                        replaced.add(replacements.key(entry.getKey()), filled);
                    });
                } else {
                    fill(replaced, table.get(), object);
                }
                yield replaced;
            }
            case JsonArray list -> {
                JsonArray replaced = new JsonArray();
                list.forEach(each -> replaced.add(value(field, key, each)));
                yield replaced;
            }
            case JsonPrimitive text when text.isString() -> new JsonPrimitive(text(field, key, text.getAsString()));
            default -> value;
        };
    }

    /** Of what drivers alone understand, the form is left. */
    private JsonElement inWords(JsonElement any) {
        return switch (any) {
            case JsonObject object -> {
                JsonObject replaced = new JsonObject();
                object.entrySet()
                        .forEach(
                                member -> replaced.add(replacements.name(member.getKey()), inWords(member.getValue())));
                yield replaced;
            }
            case JsonArray list -> {
                JsonArray replaced = new JsonArray();
                list.forEach(each -> replaced.add(inWords(each)));
                yield replaced;
            }
            case JsonPrimitive text when text.isString() -> new JsonPrimitive(replacements.name(text.getAsString()));
            default -> any;
        };
    }

    /** The keys of moments are names of objects, all others are of labels or resources. */
    private void fillMap(JsonObject replaced, Field<?> field, JsonObject map) {
        boolean isOfObjects = field.typeName().endsWith(TIME);
        map.entrySet().forEach(entry -> {
            String key = entry.getKey();
            replaced.add(
                    isOfObjects ? replacements.name(key) : replacements.key(key),
                    entry.getValue() instanceof JsonPrimitive value
                                    && field.typeName().endsWith(TEXT)
                            ? new JsonPrimitive(replacements.valueOf(key, value.getAsString()))
                            : entry.getValue());
        });
    }

    private String text(Field<?> field, String key, String text) {
        if (isPlain(field, text)) {
            return text;
        }
        return !key.isEmpty() && VALUES.contains(field.name())
                ? replacements.valueOf(key, text)
                : replacements.text(field.name(), text);
    }

    /** Whether a text is an amount, a moment, or one of few. */
    private static boolean isPlain(Field<?> field, String text) {
        return field.typeName().endsWith(QUANTITY)
                || (field.typeName().endsWith(SHARE) && PERCENTAGE.matcher(text).matches())
                || field.typeName().endsWith(TIME)
                || field.constants().contains(text);
    }

    /**
     * Numbered words. Names that are known beforehand keep the order of the alphabet, and so do objects that are
     * listed by name, as the first may be preferred.
     */
    private static final class InOrder implements UnaryOperator<String> {
        /** Of as many digits as all others. */
        private static final int FIRST_NUMBER = 1_000_000;

        private final Map<String, String> words = new HashMap<>();

        InOrder(Collection<String> names) {
            NavigableSet<String> known = new TreeSet<>();
            names.forEach(name -> Pseudonyms.wordsOf(name).forEach(known::add));
            known.forEach(this::apply);
        }

        @Override
        public String apply(String word) {
            return words.computeIfAbsent(word, _ -> "n%06d".formatted(words.size() + 1));
        }

        /** Replaces numbers in their order, so that {@code Gt} and {@code Lt} still say the same. */
        static Map<String, String> numbers(Collection<String> numbers) {
            NavigableSet<String> known = new TreeSet<>(
                    Comparator.comparing((String text) -> new BigInteger(text)).thenComparing(text -> text));
            known.addAll(numbers);
            Map<String, String> replaced = new HashMap<>();
            known.forEach(number -> replaced.put(number, Integer.toString(FIRST_NUMBER + replaced.size())));
            return replaced;
        }
    }

    /**
     * Words by a key: all dumps with the key have the same word for a name, and no other dump has. The hash is keyed, since a
     * plain hash would confirm a guess.
     */
    private static final class Keyed implements UnaryOperator<String> {
        private static final String HMAC = "HmacSHA256";
        private static final int BYTES = 8;

        private final Mac mac;
        private final Map<String, String> words = new HashMap<>();

        Keyed(byte[] key) {
            try {
                mac = Mac.getInstance(HMAC);
                mac.init(new SecretKeySpec(key, HMAC));
            } catch (GeneralSecurityException impossible) {
                throw new IllegalStateException(impossible);
            }
        }

        @Override
        public String apply(String word) {
            return words.computeIfAbsent(
                    word,
                    _ -> "n" + HexFormat.of().formatHex(mac.doFinal(word.getBytes(StandardCharsets.UTF_8)), 0, BYTES));
        }
    }

    /**
     * Replaces a text by where it stands: in a field, as a key, or as the value of one.
     *
     * @param numbers in the place of whole numbers
     */
    private record Replacements(Pseudonyms words, Map<String, String> numbers) {
        /** Fields that name a label, a resource's like or a driver: Kubernetes' own stay. */
        private static final Set<String> KEYS = Set.of(
                "key",
                "topologyKey",
                "topologyKeys",
                "matchLabelKeys",
                "mismatchLabelKeys",
                "provisioner",
                "attacher",
                "driver");

        /** Fields that say where a disk is; the words below stay in them, as volumes of former kinds are understood by these. */
        private static final Set<String> DISKS = Set.of("volumeHandle", "volumeID", "pdName", "diskName", "diskURI");

        private static final Set<String> WORDS_OF_DISKS =
                Set.of("aws", "vol", "projects", "zones", "regions", "disks", "UNSPECIFIED");

        /** Fields with names of images; the usual tag below is that of images without one. */
        private static final Set<String> IMAGES = Set.of("image", "names");

        private static final String USUAL_TAG = ":latest";

        String text(String field, String text) {
            if (Constants.areOf(field, text)) {
                return text;
            }
            return switch (field) {
                case "message" -> "";
                case "apiVersion" -> WellKnown.isOfKubernetes(text) ? text : words.of(text);
                case "resourceVersion" -> text.matches("[0-9]*") ? text : words.of(text);
                case "schedulerName" -> words.of(text);
                case "expression" -> selector(text);
                case "version" -> SelectorWords.VERSION.matcher(text).matches() ? text : name(text);
                case "namespace", "namespaces" -> namespace(text);
                case "priorityClassName" -> priorityClass(text);
                default -> otherText(field, text);
            };
        }

        private String otherText(String field, String text) {
            if (KEYS.contains(field)) {
                return key(text);
            }
            if (DISKS.contains(field)) {
                return words.ofAllBut(WORDS_OF_DISKS, text);
            }
            if (IMAGES.contains(field) && text.endsWith(USUAL_TAG)) {
                return name(text.substring(0, text.length() - USUAL_TAG.length())) + USUAL_TAG;
            }
            return name(text);
        }

        /** It keeps its form, so that it selects the same; what is none is a name. */
        private String selector(String expression) {
            try {
                return DeviceSelector.renamed(expression, new SelectorWords(this));
            } catch (CelProblem _) {
                return name(expression);
            }
        }

        String namespace(String name) {
            return WellKnown.isNamespace(name) ? name : name(name);
        }

        String priorityClass(String name) {
            return WellKnown.isPriorityClass(name) ? name : name(name);
        }

        String name(String name) {
            if (WellKnown.isDriver(name)) {
                return name;
            }
            String number = numbers.get(name);
            return number == null ? words.of(name) : number;
        }

        /** Keeps of an unknown key the part that it is read by. */
        String key(String key) {
            if (WellKnown.isKey(key)) {
                return key;
            }
            WellKnown.Part known = WellKnown.partOf(key);
            return words.of(key.substring(0, known.begin()))
                    + key.substring(known.begin(), known.end())
                    + words.of(key.substring(known.end()));
        }

        /** Of some keys a value is a choice of known words, or a list; all others are names. */
        String valueOf(String key, String value) {
            if (WellKnown.isValue(key, value)) {
                return value;
            }
            return switch (key) {
                case Annotations.MIGRATED_PLUGINS ->
                    Arrays.stream(value.split(",", -1)).map(this::key).collect(Collectors.joining(","));
                case WellKnown.NAME_OF_NAMESPACE -> namespace(value);
                case DiskZones.ZONE, DiskZones.REGION, DiskZones.BETA_ZONE, DiskZones.BETA_REGION ->
                    Arrays.stream(value.split(DiskZones.BETWEEN_ZONES, -1))
                            .map(this::name)
                            .collect(Collectors.joining(DiskZones.BETWEEN_ZONES));
                default -> name(value);
            };
        }

        /**
         * Kubernetes' own words in fields that could hold others as well, by the fields' names. Words of fields that can
         * hold no others are in the tables of the kinds.
         */
        static final class Constants {
            private static final Set<String> OWNERS_AND_DISKS = Set.of(
                    "Deployment",
                    "ReplicaSet",
                    "ReplicationController",
                    "StatefulSet",
                    "DaemonSet",
                    "Job",
                    "CronJob",
                    "Node",
                    "Pod",
                    "PodGroup",
                    "PersistentVolumeClaim",
                    "Managed",
                    "Separately",
                    "Dedicated",
                    "Shared");

            private static final Set<String> CONDITIONS = Set.of(
                    "PodScheduled",
                    "PodReadyToStartContainers",
                    "ContainersReady",
                    "Initialized",
                    "Ready",
                    "DisruptionTarget",
                    "MemoryPressure",
                    "DiskPressure",
                    "PIDPressure",
                    "NetworkUnavailable",
                    "PodResizePending",
                    "PodResizeInProgress",
                    "PodGroupInitiallyScheduled",
                    "evenkeel.io/Degraded",
                    "evenkeel.io/shard");

            private static final Set<String> REASONS = Set.of(
                    "Unschedulable",
                    "SchedulingGated",
                    "SchedulerError",
                    "Scheduled",
                    "PreemptionByScheduler",
                    "DeletionByTaintManager",
                    "EvictionByEvictionAPI",
                    "DeletionByPodGC",
                    "TerminationByKubelet",
                    "Infeasible",
                    "Deferred",
                    "Announced",
                    "Asked",
                    "Refused",
                    "Tried");

            /** Of pods, namespaces, volumes and claims. */
            private static final Set<String> PHASES = Set.of(
                    "Pending",
                    "Running",
                    "Succeeded",
                    "Failed",
                    "Unknown",
                    "Active",
                    "Terminating",
                    "Available",
                    "Bound",
                    "Released",
                    "Lost");

            private static final Map<String, Set<String>> BY_FIELD = Map.ofEntries(
                    Map.entry("kind", OWNERS_AND_DISKS),
                    Map.entry("type", CONDITIONS),
                    Map.entry("reason", REASONS),
                    Map.entry("phase", PHASES),
                    Map.entry("status", Set.of("True", "False", "Unknown")),
                    Map.entry("allocationMode", Set.of("ExactCount", "All")),
                    Map.entry("operator", Set.of("Exists", "Equal")),
                    Map.entry("effect", Set.of("NoSchedule", "NoExecute", "None")),
                    Map.entry("protocol", Set.of("TCP", "UDP", "SCTP")),
                    Map.entry(
                            "accessModes",
                            Set.of("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod")),
                    Map.entry("volumeMode", Set.of("Filesystem", "Block")),
                    Map.entry("restartPolicy", Set.of("Always", "OnFailure", "Never")),
                    Map.entry("action", Set.of("Restart", "RestartAllContainers")),
                    Map.entry("hostIP", Set.of(HostPort.EVERY_ADDRESS, "127.0.0.1", "::", "::1")),
                    Map.entry("schedulerName", Set.of(Profile.DEFAULT_SCHEDULER_NAME, Profile.OWN_NAME)),
                    Map.entry("declaredFeatures", NodeDeclaredFeatures.FEATURES));

            private Constants() {}

            static boolean areOf(String field, String word) {
                return BY_FIELD.getOrDefault(field, Set.of()).contains(word);
            }
        }
    }

    /** What a selector of devices says of attributes is replaced as it is in slices: versions and amounts are none of a user's words. */
    private record SelectorWords(Replacements all) implements DeviceSelector.Renaming {
        static final Pattern VERSION = Pattern.compile("[0-9]{1,5}(\\.[0-9]{1,5}){2}");
        private static final Pattern AMOUNT = Pattern.compile("[0-9]{1,5}(\\.[0-9]{1,5})?([KMGTPE]i|[mkMGTPE])?");
        private static final Set<String> OF_VERSIONS = Set.of("semver", "isSemver");
        private static final Set<String> OF_AMOUNTS = Set.of("quantity", "isQuantity");
        private static final String KUBERNETES = "resource.kubernetes.io";

        @Override
        public String name(String name) {
            return WellKnown.isKey(KUBERNETES + '/' + name) ? name : all.key(name);
        }

        @Override
        public String index(String text) {
            return text.equals(KUBERNETES) ? text : name(text);
        }

        @Override
        public String text(String text, String function) {
            boolean isPlain = (OF_VERSIONS.contains(function)
                            && VERSION.matcher(text).matches())
                    || (OF_AMOUNTS.contains(function) && AMOUNT.matcher(text).matches());
            return isPlain ? text : all.name(text);
        }
    }

    /**
     * Words in the place of words, the same ones for the same. A name is replaced part by part, and what parts them stays: so that a
     * claim still has its pod's name in it, and an image its repository. Numbers are words as others are, but the ordinal at the end
     * of a name that a StatefulSet makes.
     */
    private static final class Pseudonyms {
        private static final Pattern WORD = Pattern.compile("[^-._/:@=,+ ]+");

        /** A name with an ordinal, as a StatefulSet gives its pods. */
        private static final Pattern ORDINAL = Pattern.compile("(.+)(-(?:0|[1-9][0-9]{0,4}))");

        private final UnaryOperator<String> words;
        private final Set<String> sets = new HashSet<>();
        private final Map<String, String> joined = new HashMap<>();

        /** @param words gives the word in the place of another */
        Pseudonyms(UnaryOperator<String> words) {
            this.words = words;
        }

        static Stream<String> wordsOf(String name) {
            return WORD.matcher(name).results().map(MatchResult::group);
        }

        /** Of a StatefulSet of this name the pods and their claims have an ordinal. */
        void makesOrdinals(String set) {
            sets.add(set);
        }

        /** Makes what others join of two names the two pseudonyms joined. */
        void join(String first, String second) {
            joined.put(first + "-" + second, of(first) + "-" + of(second));
        }

        String of(String name) {
            String known = joined.get(name);
            return known == null ? withOrdinal(name).orElseGet(() -> replaced(name, Set.of())) : known;
        }

        /** The same, but of these words, which stay. */
        String ofAllBut(Set<String> kept, String name) {
            return replaced(name, kept);
        }

        /** Where the name before the ordinal is a set's, or ends in one's behind the name of a claim. */
        private Optional<String> withOrdinal(String name) {
            Matcher parts = ORDINAL.matcher(name);
            if (sets.isEmpty() || !parts.matches()) {
                return Optional.empty();
            }
            String before = parts.group(1);
            boolean isMade = sets.contains(before);
            for (int dash = before.indexOf('-'); !isMade && dash >= 0; dash = before.indexOf('-', dash + 1)) {
                isMade = sets.contains(before.substring(dash + 1));
            }
            return isMade ? Optional.of(replaced(before, Set.of()) + parts.group(2)) : Optional.empty();
        }

        private String replaced(String name, Set<String> kept) {
            return WORD.matcher(name).replaceAll(found -> {
                String word = found.group();
                return Matcher.quoteReplacement(kept.contains(word) ? word : words.apply(word));
            });
        }
    }
}
