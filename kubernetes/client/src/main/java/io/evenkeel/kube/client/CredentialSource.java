package io.evenkeel.kube.client;

import java.io.IOException;
import java.util.Optional;

/** A source of credentials. Used by many threads. */
interface CredentialSource {

    /** The credential to use now; a new one where the last is known to be out of date. */
    Credential current() throws IOException;

    /** The credential to use now, where nothing has to be waited for. */
    Optional<Credential> atHand();

    /** The server did not accept this one: forget it. False where there will never be another. */
    boolean reject(Credential refused);

    static CredentialSource fixed(Credential credential) {
        return new CredentialSource() {
            @Override
            public Credential current() {
                return credential;
            }

            @Override
            public Optional<Credential> atHand() {
                return Optional.of(credential);
            }

            @Override
            public boolean reject(Credential refused) {
                return false;
            }
        };
    }
}
