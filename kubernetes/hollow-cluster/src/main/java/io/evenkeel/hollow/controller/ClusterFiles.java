package io.evenkeel.hollow.controller;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSerializer;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.MalformedJsonException;
import io.evenkeel.file.Bound;
import io.evenkeel.file.FileContent;
import io.evenkeel.file.FileProblem;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.controller.HollowWorld.HollowNodes;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.Refusals.ApiException;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.workload.PodAdmission;
import io.evenkeel.model.workload.Templates;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * The objects of files: what {@code kubectl get -o json} or {@code -o yaml} prints of a cluster, what {@code evenkeel dump} writes of it, and
 * manifests; compressed with gzip or not. An object that a server has had keeps what it was there, its status too; a manifest is
 * created as by {@code kubectl create}.
 */
public final class ClusterFiles {
    private static final int BUFFER = 1 << 16;
    private static final String HEADER = "dump";

    /** A mapping of YAML may begin with a brace too, and is told from an object of JSON by its first key. */
    private static final Pattern JSON = Pattern.compile("\\s*\\{\\s*[\"}]");

    private static final Gson GSON = new GsonBuilder()
            .registerTypeHierarchyAdapter(Date.class, (JsonSerializer<Date>)
                    (date, _, _) -> new JsonPrimitive(date.toInstant().toString()))
            .create();

    private final List<Loaded> objects = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();

    /**
     * An object of a file.
     *
     * @param where the file, and which of its objects
     * @param ofDump whether only what scheduling reads of it is there
     */
    private record Loaded(String where, String apiVersion, String kind, JsonObject tree, boolean ofDump) {
        static Loaded of(String where, JsonObject tree, boolean ofDump) {
            return new Loaded(where, Trees.text(tree, "apiVersion"), Trees.text(tree, "kind"), tree, ofDump);
        }

        Loaded as(String otherVersion, String otherKind) {
            tree.addProperty("apiVersion", otherVersion);
            tree.addProperty("kind", otherKind);
            return of(where, tree, ofDump);
        }

        String name() {
            return Trees.text(tree, "metadata", "name");
        }

        String namespace() {
            String said = Trees.text(tree, "metadata", "namespace");
            return said.isEmpty() ? "default" : said;
        }

        Optional<ResourceType> type() {
            return ResourceTable.ofKind(apiVersion, kind).filter(ResourceType::stored);
        }

        ObjectKey key() {
            ResourceType type = type().orElseThrow();
            return new ObjectKey(type.storage(), type.namespaced() ? namespace() : "", name());
        }

        boolean isNamespaced() {
            return type().filter(ResourceType::namespaced).isPresent();
        }

        /** Such as {@code Pod shop/web}. */
        String title() {
            return (kind + " " + (isNamespaced() ? namespace() + "/" : "") + name()).strip();
        }

        /** Whether a server has had it, as it says by what a server alone gives. */
        boolean isOfServer() {
            return ofDump
                    || !Trees.text(tree, "metadata", "uid").isEmpty()
                    || !Trees.text(tree, "metadata", "resourceVersion").isEmpty();
        }

        long version() {
            String text = Trees.text(tree, "metadata", "resourceVersion");
            return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
        }

        IllegalArgumentException mistake(String why) {
            return new IllegalArgumentException(where + ": " + (title().isEmpty() ? "" : title() + ": ")
                    + why.lines().findFirst().orElse(""));
        }
    }

    private ClusterFiles() {}

    /** Reads files; an IllegalArgumentException says in a line what is wrong with one. */
    public static ClusterFiles read(List<Path> files) {
        ClusterFiles read = new ClusterFiles();
        for (Path file : files) {
            int before = read.objects.size() + read.remarks.size();
            read.readFile(file);
            if (read.objects.size() + read.remarks.size() == before) {
                throw new IllegalArgumentException(file + ": there is no object in it");
            }
        }
        return read;
    }

    /** The objects of a text that came from there, each as JSON. */
    public static List<String> parse(String source, String text) {
        ClusterFiles read = new ClusterFiles();
        read.readYaml(source, text);
        return read.objects.stream().map(object -> object.tree.toString()).toList();
    }

    public boolean haveNodes() {
        return objects.stream().anyMatch(object -> object.kind().equals("Node"));
    }

    private void readFile(Path file) {
        try (InputStream bytes = unpacked(new BufferedInputStream(Files.newInputStream(file), BUFFER))) {
            BufferedInputStream in = new BufferedInputStream(Bound.halfOfHeap().of(bytes), BUFFER);
            in.mark(BUFFER);
            String beginning = new String(in.readNBytes(BUFFER / 2), StandardCharsets.UTF_8);
            in.reset();
            if (JSON.matcher(beginning).lookingAt()) {
                readJson(file.toString(), in, beginning.startsWith("{\"" + HEADER + "\""));
            } else {
                readYaml(file.toString(), FileContent.text(in, Bound.sixtyFourthOfHeap()));
            }
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(FileProblem.reading(file, unreadable), unreadable);
        }
    }

    private static InputStream unpacked(BufferedInputStream in) throws IOException {
        in.mark(2);
        boolean packed = in.read() == 0x1f && in.read() == 0x8b;
        in.reset();
        return packed ? new GZIPInputStream(in, BUFFER) : in;
    }

    private void readYaml(String source, String text) {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(Integer.MAX_VALUE); // the bound of the file holds
        try {
            for (Object document : new Yaml(new SafeConstructor(options)).loadAll(text)) {
                if (document != null) {
                    JsonElement tree = GSON.toJsonTree(document);
                    if (!(tree instanceof JsonObject)) {
                        throw new IllegalArgumentException(source + ": a document is no object");
                    }
                    add(source, tree, false);
                }
            }
        } catch (YAMLException e) {
            String problem = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            throw new IllegalArgumentException(source + ": no valid YAML: " + problem, e);
        }
    }

    /** Object by object, so that no more than one is held as text. */
    private void readJson(String source, InputStream in, boolean isDump) throws IOException {
        int before = objects.size();
        try (JsonReader json = new JsonReader(new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder()))) {
            json.setStrictness(Strictness.LENIENT); // several values, one after the other
            for (int number = 1; json.peek() != JsonToken.END_DOCUMENT; number++) {
                int first = objects.size();
                JsonObject rest = new JsonObject();
                json.beginObject();
                while (json.hasNext()) {
                    String member = json.nextName();
                    if (member.equals("items") && json.peek() == JsonToken.BEGIN_ARRAY) {
                        readItems(source, json);
                    } else {
                        rest.add(member, JsonParser.parseReader(json));
                    }
                }
                json.endObject();
                nameKinds(first, rest);
                if (isDump && rest.has("objects") && !rest.has("kind")) {
                    requireAll(source, Trees.number(rest, "objects").orElse(-1L), objects.size() - before);
                    return;
                }
                if (!Trees.text(rest, "kind").endsWith("List") && !(isDump && number == 1)) {
                    add(isDump ? source + ":" + number : source, rest, isDump);
                }
            }
        } catch (MalformedJsonException | EOFException | IllegalStateException | JsonParseException malformed) {
            if (malformed instanceof JsonParseException
                    && malformed.getCause() instanceof CharacterCodingException no) {
                throw no;
            }
            String place = String.valueOf(malformed.getMessage()).replaceFirst("(?s).* at (line [0-9]+).*", " at $1");
            throw new IllegalArgumentException(source + ": no valid JSON" + (place.startsWith(" at") ? place : ""));
        }
        if (isDump) {
            throw new IllegalArgumentException(
                    source + ": the dump has no end: it was cut off after " + (objects.size() - before) + " objects");
        }
    }

    private static void requireAll(String source, long said, long read) {
        if (said != read) {
            throw new IllegalArgumentException(
                    source + ": the dump has " + read + " objects, and says that they are " + said);
        }
    }

    private void readItems(String source, JsonReader json) throws IOException {
        json.beginArray();
        tellIfEmpty(source, !json.hasNext());
        for (int i = 0; json.hasNext(); i++) {
            add(source + ": items[" + i + "]", JsonParser.parseReader(json), false);
        }
        json.endArray();
    }

    private void tellIfEmpty(String where, boolean isEmpty) {
        if (isEmpty) {
            remarks.add(where + ": the list is empty");
        }
    }

    private void add(String where, JsonElement element, boolean ofDump) {
        if (!(element instanceof JsonObject tree)) {
            throw new IllegalArgumentException(where + ": expected an object, got " + element);
        }
        Optional<JsonArray> items = Trees.array(tree, "items");
        if (items.isEmpty()) {
            objects.add(Loaded.of(where, tree, ofDump));
            return;
        }
        int first = objects.size();
        tellIfEmpty(where, items.get().isEmpty());
        for (int i = 0; i < items.get().size(); i++) {
            add(
                    where + (where.endsWith("]") ? ".items[" : ": items[") + i + "]",
                    items.get().get(i),
                    ofDump);
        }
        nameKinds(first, tree);
    }

    /** Of what {@code kubectl get --raw} prints only the list has a kind, such as PodList. */
    private void nameKinds(int first, JsonObject list) {
        String kind = Trees.text(list, "kind").replaceFirst("List$", "");
        String apiVersion = Trees.text(list, "apiVersion");
        if (!kind.isEmpty()) {
            objects.subList(first, objects.size())
                    .replaceAll(each -> each.kind.isEmpty() ? each.as(apiVersion, kind) : each);
        }
    }

    /**
     * Puts the objects into a cluster before any controller looks at it; an IllegalArgumentException says in a line which cannot be, and
     * why. A server's objects of kinds that the cluster has not are left out, others are mistakes.
     *
     * @param remark is told in a line what does not become as in the files
     */
    void fill(HollowObjects cluster, Consumer<String> remark) {
        Registry registry = cluster.registry();
        Map<String, Integer> idle = new TreeMap<>();
        List<Loaded> ofServer = new ArrayList<>();
        for (Loaded object : objects) {
            Optional<ResourceType> type = object.type();
            if (object.isOfServer() && type.isEmpty() && !object.kind().isEmpty()) {
                idle.merge(object.kind() + " left out: a hollow cluster has no such kind", 1, Integer::sum);
            } else if (object.isOfServer()) {
                attempt(object, () -> HollowObjects.typeOf(object.tree));
                ofServer.add(object);
            }
            type.flatMap(ResourceType::keptOnly)
                    .ifPresent(words -> idle.merge(object.kind() + " " + words, 1, Integer::sum));
        }
        remarks.forEach(remark);
        idle.forEach(
                (kind, count) -> remark.accept(count + (count == 1 ? " object" : " objects") + " of kind " + kind));
        // in the order in which they were written, so that each may keep its version
        ofServer.sort(Comparator.comparingLong(Loaded::version));
        keepLatest(ofServer, remark);
        ofServer.forEach(object -> complete(object, registry.times().now()));
        completeTemplates(ofServer, registry);
        ofServer.forEach(object -> attempt(
                object, () -> registry.restore(HollowObjects.typeOf(object.tree), object.namespace(), object.tree)));
        makeNamespaces(ofServer, registry);
        objects.stream()
                .filter(object -> !object.isOfServer())
                .sorted(Comparator.comparing(Loaded::isNamespaced)) // what is in a namespace needs it, and classes
                .forEach(object -> attempt(object, () -> cluster.create(object.tree)));
    }

    /** Lists that were got one after the other may overlap. */
    private static void keepLatest(List<Loaded> ofServer, Consumer<String> remark) {
        SequencedMap<ObjectKey, Loaded> latest = new LinkedHashMap<>();
        List<String> overlaps = new ArrayList<>();
        for (Loaded object : ofServer) {
            Optional.ofNullable(latest.putLast(object.key(), object))
                    .ifPresent(other -> overlaps.add(object.title() + " (" + other.where + "; " + object.where + ")"));
        }
        if (!overlaps.isEmpty()) {
            ofServer.clear();
            ofServer.addAll(latest.values());
            remark.accept(overlaps.size() + (overlaps.size() == 1 ? " object is" : " objects are")
                    + " in the files again, the latest resourceVersion counts: " + overlaps.getFirst()
                    + (overlaps.size() > 1 ? " and others" : ""));
        }
    }

    /** Adds to an object what its server would have of it beside: a dump has only a part, and files may have been edited. */
    private static void complete(Loaded object, String now) {
        JsonObject tree = object.tree;
        switch (object.kind) {
            case "Node" -> {
                if (Trees.objects(tree, "status", "conditions").isEmpty()) {
                    Trees.ensureObject(tree, "status").add("conditions", HollowNodes.conditions(now));
                }
            }
            case "Pod" -> {
                JsonObject spec = Trees.ensureObject(tree, "spec");
                List<JsonObject> containers = Trees.objects(spec, "containers");
                for (int i = 0; i < containers.size(); i++) {
                    Trees.fill(containers.get(i), "name", "container-" + i);
                    Trees.fill(containers.get(i), "image", "hollow");
                }
                // a Job's pod ends; how its containers are started again is not in a dump
                Owner.controllerOf(tree)
                        .filter(owner -> owner.kind().equals(ResourceTable.JOBS.kind()))
                        .ifPresent(_ -> Trees.fill(spec, "restartPolicy", "Never"));
                PodAdmission.fill(spec);
                boolean isPlaced = !Trees.text(spec, "nodeName").isEmpty();
                Trees.fill(Trees.ensureObject(tree, "status"), "phase", isPlaced ? "Running" : "Pending");
            }
            case "ResourceClaim" -> {
                if (object.ofDump && Trees.object(tree, "status", "allocation").isPresent()) {
                    Trees.ensureArray(Trees.ensureObject(tree, "metadata"), "finalizers")
                            .add(DeviceClaims.FINALIZER);
                }
            }
            case "PodDisruptionBudget" -> {
                JsonObject spec = Trees.ensureObject(tree, "spec");
                if (object.ofDump && !spec.has("minAvailable")) {
                    Trees.fill(
                            spec,
                            "maxUnavailable",
                            Trees.number(tree, "status", "disruptionsAllowed").orElse(0L));
                }
            }
            default -> {}
        }
    }

    private static void attempt(Loaded object, Runnable write) {
        try {
            write.run();
        } catch (ApiException | IllegalArgumentException refused) {
            throw object.mistake(String.valueOf(refused.getMessage()));
        }
    }

    /** A list of pods alone does not say which namespaces they are in. */
    private void makeNamespaces(List<Loaded> ofServer, Registry registry) {
        Map<String, Loaded> missing = new TreeMap<>();
        ofServer.stream()
                .filter(Loaded::isNamespaced)
                .forEach(object -> missing.putIfAbsent(object.namespace(), object));
        objects.stream()
                .filter(object -> object.kind().equals("Namespace"))
                .map(Loaded::name)
                .forEach(missing::remove);
        missing.keySet()
                .removeIf(name ->
                        registry.find(ResourceTable.NAMESPACES, "", name).isPresent());
        missing.forEach((name, object) -> attempt(
                object,
                () -> registry.create(
                        ResourceTable.NAMESPACES, "", Trees.of("metadata", Trees.of("name", name)), false)));
    }

    /**
     * A dump has no templates: an owner gets that of one of its pods, so that it can make others. The word for a template is another
     * here than on a real server, so pods get the word for the template that is present.
     */
    private static void completeTemplates(List<Loaded> ofServer, Registry registry) {
        Map<String, List<JsonObject>> podsByOwner = new HashMap<>();
        Map<String, JsonObject> claims = new HashMap<>();
        ofServer.stream()
                .filter(object -> object.kind().equals("PersistentVolumeClaim"))
                .forEach(claim -> claims.put(claim.namespace() + "/" + claim.name(), claim.tree));
        ofServer.stream()
                .filter(object -> object.kind().equals("Pod"))
                .forEach(pod -> Trees.objects(pod.tree, "metadata", "ownerReferences").stream()
                        .filter(owner -> Trees.isTrue(owner, "controller"))
                        .forEach(owner -> podsByOwner
                                .computeIfAbsent(Trees.text(owner, "uid"), _ -> new ArrayList<>())
                                .add(pod.tree)));
        for (Loaded owner : ofServer) {
            List<JsonObject> pods = podsByOwner.getOrDefault(Trees.text(owner.tree, "metadata", "uid"), List.of());
            if (Trees.object(owner.tree, "spec").isEmpty() || pods.isEmpty()) {
                continue;
            }
            if (Trees.object(owner.tree, "spec", "template").isEmpty()) {
                Templates.learn(
                        owner.tree,
                        pods.getFirst(),
                        claim -> Optional.ofNullable(claims.get(owner.namespace() + "/" + claim)));
            }
            if (owner.kind().equals("StatefulSet") || owner.kind().equals("DaemonSet")) {
                String present = Trees.text(owner.tree, "status", "updateRevision");
                String word = Templates.revision(
                        registry.restored(HollowObjects.typeOf(owner.tree), owner.namespace(), owner.tree));
                pods.stream()
                        .flatMap(pod -> Trees.object(pod, "metadata", "labels").stream())
                        .filter(labels -> present.isEmpty()
                                || Trees.text(labels, Templates.REVISION).equals(present))
                        .forEach(labels -> labels.addProperty(Templates.REVISION, word));
            }
        }
    }
}
