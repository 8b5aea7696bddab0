package io.evenkeel.app.kube.client;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Where the API server is, how we know that it is the right one, and how it knows us.
 *
 * @param authority the PEM of the certificates that vouch for the server; empty for those that the JVM trusts
 * @param tlsServerName the name that its certificate must have, where that is not in the address
 */
record ServerAccess(
        String server,
        boolean verified,
        Optional<byte[]> authority,
        Optional<String> tlsServerName,
        CredentialSource credentials) {

    /** As the options say; where they leave it open, as a program in a cluster or on a desk would expect. */
    static ServerAccess find(ConnectionOptions options, InstantSource clock) {
        ServerAccess found = locate(options, clock);
        return options.master().map(found::at).orElse(found);
    }

    private static ServerAccess locate(ConnectionOptions options, InstantSource clock) {
        Optional<Path> named =
                options.kubeconfig().or(() -> variable(options, "KUBECONFIG").map(ServerAccess::firstOfList));
        if (named.isPresent()) {
            return Kubeconfig.read(named.get(), options.context(), options.environment(), clock);
        }
        if (variable(options, InCluster.HOST).isPresent() && Files.exists(InCluster.TOKEN)) {
            return InCluster.access(options.environment(), clock);
        }
        Optional<Path> ofUser = variable(options, "HOME")
                .map(home -> Path.of(home, ".kube", "config"))
                .filter(Files::exists);
        if (ofUser.isPresent()) {
            return Kubeconfig.read(ofUser.get(), options.context(), options.environment(), clock);
        }
        return options.master()
                .map(ServerAccess::anonymous)
                .orElseThrow(() -> new ClientConfigurationException(
                        "no kubeconfig, and this is no pod with a service account: name one with --kubeconfig, set"
                                + " $KUBECONFIG, or give the server's address with --master"));
    }

    private static ServerAccess anonymous(String server) {
        return new ServerAccess(
                server, true, Optional.empty(), Optional.empty(), CredentialSource.fixed(Credential.NONE));
    }

    private ServerAccess at(String address) {
        String url = address.contains("://") ? address : "https://" + address;
        return new ServerAccess(url, verified, authority, tlsServerName, credentials);
    }

    private static Optional<String> variable(ConnectionOptions options, String name) {
        return Optional.ofNullable(options.environment().get(name)).filter(value -> !value.isEmpty());
    }

    /** Several files are not merged: the first that there is counts. */
    private static Path firstOfList(String paths) {
        String[] all = paths.split(File.pathSeparator, -1);
        for (String path : all) {
            if (!path.isEmpty() && Files.exists(Path.of(path))) {
                return Path.of(path);
            }
        }
        return Path.of(all[0]);
    }
}
