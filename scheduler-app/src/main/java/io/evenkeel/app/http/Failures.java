package io.evenkeel.app.http;

/** Answers to requests that come to nothing: for clients of Kubernetes, which ask below {@code /apis}, as a Status. */
final class Failures {
    private static final String APIS = "/apis";

    private Failures() {}

    static Reply notFound(Request request) {
        return isForApis(request)
                ? ErrorStatus.notFound("", "the server could not find the requested resource")
                : Reply.notFound();
    }

    static Reply methodNotAllowed(Request request) {
        Reply reply = isForApis(request) ? ErrorStatus.methodNotAllowed() : Reply.text(405, "Method Not Allowed\n");
        return reply.with("Allow", "GET, HEAD");
    }

    static Reply internal(Request request) {
        return isForApis(request)
                ? ErrorStatus.internal("the log says more")
                : Reply.text(500, "Internal Server Error\n");
    }

    private static boolean isForApis(Request request) {
        return request.path().equals(APIS) || request.path().startsWith(APIS + "/");
    }
}
