package io.evenkeel.app.http.serve;

import java.net.Socket;
import java.security.Principal;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** Keys of a server, which is never the client of a connection. */
abstract class ServerKeys extends X509ExtendedKeyManager {

    @Override
    public final String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        String alias = chooseServerAlias(keyType, issuers, null);
        return alias == null ? null : new String[] {alias};
    }

    @Override
    public final String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public final @Nullable String chooseClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }
}
