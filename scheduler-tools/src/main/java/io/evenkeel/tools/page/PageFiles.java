package io.evenkeel.tools.page;

import io.evenkeel.app.http.ErrorStatus;
import io.evenkeel.app.http.Reply;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.http.Routes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The files of the page, which hold no data, and what protects whoever looks at it from other sites. */
final class PageFiles {
    private static final List<String> NAMES = List.of(
            "index.html",
            "style.css",
            "favicon.svg",
            "app.js",
            "cluster.js",
            "compared.js",
            "dom.js",
            "draw.js",
            "field.js",
            "groups.js",
            "live.js",
            "net.js",
            "places.js",
            "pod.js",
            "remedy.js",
            "then.js",
            "waiting.js",
            "whatif.js",
            "workloads.js");
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml");

    /** Nothing from elsewhere, nothing inline, in no frame. */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private PageFiles() {}

    static void addTo(Routes routes) {
        for (String name : NAMES) {
            Reply file = read(name);
            routes.addOpen(Page.PATH + name, _ -> file);
        }
        Reply index = read(NAMES.getFirst());
        routes.addOpen(Page.PATH, _ -> index);
        routes.addOpen("/page", _ -> Reply.text(301, "see page/\n").with("Location", "page/"));
    }

    private static Reply read(String name) {
        try (InputStream file = PageFiles.class.getResourceAsStream(name)) {
            if (file == null) {
                throw new IllegalStateException("the page has no file " + name);
            }
            String type = TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "");
            return new Reply(200, type, file.readAllBytes(), Map.of())
                    .with("Content-Security-Policy", POLICY)
                    .with("Referrer-Policy", "no-referrer")
                    .with("Cross-Origin-Opener-Policy", "same-origin")
                    .with("Cross-Origin-Resource-Policy", "same-origin");
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /**
     * A refusal of what a page of another site has sent; or, of a server that asks nobody who they are, of what was sent to a name: a name
     * can be made to point here by whoever owns it, and a browser would take the answers for that site's own.
     */
    static Optional<Reply> foreign(Request request) {
        String host = request.header("Host");
        String origin = request.header("Origin");
        String site = request.header("Sec-Fetch-Site");
        boolean isOthers = !origin.isEmpty() && !origin.endsWith("//" + host)
                || !site.isEmpty() && !site.equals("same-origin") && !site.equals("none");
        if (isOthers) {
            return Optional.of(ErrorStatus.forbidden("the page answers to itself, not to pages of other sites"));
        }
        return request.user().isEmpty() && !isAddress(host)
                ? Optional.of(ErrorStatus.forbidden(
                        "without authentication the page is served at an address or localhost, not at a name"))
                : Optional.empty();
    }

    private static boolean isAddress(String host) {
        String name = host.replaceFirst(":[0-9]+$", "");
        return name.equals("localhost") || name.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}") || name.startsWith("[");
    }
}
