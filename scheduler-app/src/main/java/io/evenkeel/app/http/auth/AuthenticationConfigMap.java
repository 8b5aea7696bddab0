package io.evenkeel.app.http.auth;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.evenkeel.app.http.auth.FrontProxy.UserHeaders;
import io.evenkeel.tls.Authorities;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the ConfigMap in which API servers publish how they authenticate clients by certificates. */
final class AuthenticationConfigMap {
    private static final JsonFactory JSON = new JsonFactory();

    private final Map<String, String> data;

    private AuthenticationConfigMap(Map<String, String> data) {
        this.data = data;
    }

    /** The authorities that it trusts; a key that it lacks trusts none. */
    static TrustedClients read(byte[] json) throws LookupFailedException {
        AuthenticationConfigMap map = new AuthenticationConfigMap(data(json));
        return new TrustedClients(map.authorities("client-ca-file"), map.proxy());
    }

    private FrontProxy proxy() throws LookupFailedException {
        Authorities authorities = authorities("requestheader-client-ca-file");
        return authorities.isEmpty()
                ? FrontProxy.NONE
                : new FrontProxy(
                        authorities,
                        list("requestheader-allowed-names"),
                        new UserHeaders(
                                list("requestheader-username-headers"),
                                list("requestheader-group-headers"),
                                list("requestheader-uid-headers"),
                                list("requestheader-extra-headers-prefix")));
    }

    private Authorities authorities(String key) throws LookupFailedException {
        String pem = data.getOrDefault(key, "");
        if (pem.isBlank()) {
            return Authorities.NONE;
        }
        try {
            return Authorities.parse(pem.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new LookupFailedException(key + ": " + e.getMessage(), e);
        }
    }

    private List<String> list(String key) throws LookupFailedException {
        String text = data.getOrDefault(key, "");
        if (text.isBlank()) {
            return List.of();
        }
        try (JsonParser in = JSON.createParser(text)) {
            if (in.nextToken() == JsonToken.START_ARRAY) {
                List<String> values = new ArrayList<>();
                while (in.nextToken() == JsonToken.VALUE_STRING) {
                    values.add(in.getText());
                }
                if (in.currentToken() == JsonToken.END_ARRAY && in.nextToken() == null) {
                    return List.copyOf(values);
                }
            }
        } catch (IOException notJson) {
            throw new LookupFailedException(key + " is not JSON", notJson);
        }
        throw new LookupFailedException(key + " is not a list of strings");
    }

    private static Map<String, String> data(byte[] json) throws LookupFailedException {
        Map<String, String> data = new HashMap<>();
        try (JsonParser in = JSON.createParser(json)) {
            if (in.nextToken() != JsonToken.START_OBJECT) {
                throw new LookupFailedException("the answer is not an object");
            }
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                boolean isData = in.currentName().equals("data");
                if (in.nextToken() == JsonToken.START_OBJECT && isData) {
                    readStrings(in, data);
                } else {
                    in.skipChildren();
                }
            }
        } catch (IOException broken) {
            throw new LookupFailedException("the answer is not JSON", broken);
        }
        return data;
    }

    private static void readStrings(JsonParser in, Map<String, String> data) throws IOException {
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String key = in.currentName();
            if (in.nextToken() == JsonToken.VALUE_STRING) {
                data.put(key, in.getText());
            } else {
                in.skipChildren();
            }
        }
    }
}
