package io.evenkeel.app.http.serve;

import java.util.Arrays;
import java.util.Iterator;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The oldest version of TLS that clients may speak; older ones than 1.2 are not spoken at all. */
enum TlsVersion {
    TLS_1_2("VersionTLS12"),
    TLS_1_3("VersionTLS13");

    private final String flag;

    TlsVersion(String flag) {
        this.flag = flag;
    }

    /** The flag's value. */
    @Override
    public String toString() {
        return flag;
    }

    String[] protocols() {
        return this == TLS_1_3 ? new String[] {"TLSv1.3"} : new String[] {"TLSv1.2", "TLSv1.3"};
    }

    /** Reads the names that Kubernetes gives the versions. */
    static final class Converter implements ITypeConverter<TlsVersion> {
        @Override
        public TlsVersion convert(String value) {
            return Arrays.stream(values())
                    .filter(version -> version.flag.equals(value))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException(
                            "there are " + String.join(", ", new Names()) + ", got \"" + value + "\""));
        }
    }

    /** The flag's values. */
    static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(values()).map(version -> version.flag).iterator();
        }
    }
}
