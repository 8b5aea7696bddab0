package io.evenkeel.app.http.serve;

import io.evenkeel.app.http.Request;
import io.evenkeel.model.write.Tree;
import java.util.Locale;

/** The request as a SubjectAccessReview asks about it. */
sealed interface Attributes {

    /**
     * By the path's form, as an API server tells them apart.
     *
     * <pre>
     *   /metrics                                                          a path
     *   /apis/why.evenkeel.io/v1alpha1                                    a path
     *   /apis/why.evenkeel.io/v1alpha1/namespaces/shop/pods/web/placement the resource pods/placement of namespace shop
     *   …/placement?allNamespaces                                         the same resource of all namespaces
     * </pre>
     */
    static Attributes of(Request request) {
        String verb = request.method().toLowerCase(Locale.ROOT);
        String[] parts = request.path().split("/", -1);
        boolean isResource =
                parts.length >= 8 && parts.length <= 9 && parts[1].equals("apis") && parts[4].equals("namespaces");
        if (!isResource) {
            return new OfPath(verb, request.path());
        }
        return new OfResource(
                verb.equals("head") ? "get" : verb,
                parts[2],
                parts[3],
                request.asks("allNamespaces") ? "" : parts[5],
                parts[6],
                parts.length == 9 ? parts[8] : "",
                parts[7]);
    }

    /** Whether it is worth no place in the memory: longer ones are strangers' guesses. */
    boolean isLongerThan(int characters);

    /** The field that has them. */
    String kind();

    Tree tree();

    /** The words that refuse the user. */
    String refused(String user);

    /** A request for a path of no API group. */
    record OfPath(String verb, String path) implements Attributes {
        @Override
        public boolean isLongerThan(int characters) {
            return verb.length() + path.length() > characters;
        }

        @Override
        public String kind() {
            return "nonResourceAttributes";
        }

        @Override
        public Tree tree() {
            return new Tree().put("path", path).put("verb", verb);
        }

        @Override
        public String refused(String user) {
            return "forbidden: User \"" + user + "\" cannot " + verb + " path \"" + path + "\"";
        }
    }

    /** Of an API group; the namespace is empty for all, the subresource for the resource itself. */
    record OfResource(
            String verb,
            String group,
            String version,
            String namespace,
            String resource,
            String subresource,
            String name)
            implements Attributes {
        @Override
        public boolean isLongerThan(int characters) {
            return verb.length()
                            + group.length()
                            + version.length()
                            + namespace.length()
                            + resource.length()
                            + subresource.length()
                            + name.length()
                    > characters;
        }

        @Override
        public String kind() {
            return "resourceAttributes";
        }

        @Override
        public Tree tree() {
            return new Tree()
                    .put("verb", verb)
                    .put("group", group)
                    .put("version", version)
                    .put("namespace", namespace)
                    .put("resource", resource)
                    .put("subresource", subresource)
                    .put("name", name);
        }

        @Override
        public String refused(String user) {
            String what = subresource.isEmpty() ? resource : resource + "/" + subresource;
            return resource + "." + group + " \"" + name + "\" is forbidden: User \"" + user + "\" cannot " + verb
                    + " resource \"" + what + "\" in API group \"" + group + "\" "
                    + (namespace.isEmpty() ? "at the cluster scope" : "in the namespace \"" + namespace + "\"");
        }
    }
}
