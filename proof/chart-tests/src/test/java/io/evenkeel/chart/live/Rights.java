package io.evenkeel.chart.live;

import com.google.gson.JsonObject;
import io.evenkeel.chart.helm.Manifest;
import io.evenkeel.hollow.Authorizer;
import io.evenkeel.hollow.Authorizer.Attributes;
import io.evenkeel.hollow.Tokens.User;
import io.evenkeel.model.json.Trees;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What ServiceAccounts may do by their roles, as RBAC has it. Wildcards are not understood, as there should be none. */
public final class Rights implements Authorizer {
    /** For messages that can be read. */
    static final Comparator<Right> ORDER = Comparator.comparing(Right::group)
            .thenComparing(Right::resource)
            .thenComparing(Right::verb)
            .thenComparing(Right::name);

    private final String user;
    private final Set<Right> all;

    private Rights(String user, Set<Right> all) {
        this.user = user;
        this.all = Set.copyOf(all);
    }

    /** The rights that the bindings give to a ServiceAccount. */
    public static Rights of(String namespace, String account, List<Manifest> manifests) {
        Set<Right> rights = new HashSet<>();
        for (String kind : List.of("ClusterRole", "Role")) {
            for (Manifest binding : manifests) {
                if (binding.kind().equals(kind + "Binding") && isFor(namespace, account, binding)) {
                    role(kind, binding, manifests)
                            .objects("rules")
                            .forEach(rule -> rights(binding.namespace(), rule).forEach(rights::add));
                }
            }
        }
        return new Rights("system:serviceaccount:" + namespace + ":" + account, rights);
    }

    String user() {
        return user;
    }

    public Set<Right> all() {
        return all;
    }

    /** Others than the ServiceAccount may do everything. */
    @Override
    public boolean allows(User caller, Attributes call) {
        return !caller.name().equals(user) || isPublic(call) || all.stream().anyMatch(right -> right.allows(call));
    }

    /** Whether everybody may, by the role system:public-info-viewer. */
    static boolean isPublic(Attributes call) {
        return call.verb().equals("get")
                && call.resource().isEmpty()
                && call.name().equals("/version");
    }

    private static boolean isFor(String namespace, String account, Manifest binding) {
        return binding.objects("subjects").stream()
                .anyMatch(subject -> Trees.text(subject, "kind").equals("ServiceAccount")
                        && Trees.text(subject, "namespace").equals(namespace)
                        && Trees.text(subject, "name").equals(account));
    }

    private static Manifest role(String kind, Manifest binding, List<Manifest> manifests) {
        return manifests.stream()
                .filter(manifest -> manifest.kind().equals(kind)
                        && manifest.namespace().equals(binding.namespace())
                        && manifest.name().equals(binding.text("roleRef", "name")))
                .findFirst()
                .orElseThrow(() -> new AssertionError(binding + " names a role that there is not"));
    }

    private static Stream<Right> rights(String namespace, JsonObject rule) {
        List<String> names = Trees.texts(rule, "resourceNames");
        Stream<Right> ofResources = Trees.texts(rule, "apiGroups").stream()
                .flatMap(group -> Trees.texts(rule, "resources").stream()
                        .flatMap(resource -> Trees.texts(rule, "verbs").stream()
                                .flatMap(verb -> (names.isEmpty() ? List.of("") : names)
                                        .stream().map(name -> new Right(namespace, group, resource, verb, name)))));
        Stream<Right> ofPaths = Trees.texts(rule, "nonResourceURLs").stream()
                .flatMap(path ->
                        Trees.texts(rule, "verbs").stream().map(verb -> new Right(namespace, "", "", verb, path)));
        return Stream.concat(ofResources, ofPaths);
    }
}
