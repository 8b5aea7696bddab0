package io.evenkeel.cel;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Kubernetes' addresses, networks and URLs. */
final class Network {
    private Network() {}

    static void declare() {
        Function.Price reading = Library.reading(1);
        String ip = "(net.IP) ";
        Library.define("ip(string) net.IP", reading, (_, a, _, _, _) -> Ip.parse((String) a));
        Library.define("isIP(string) bool", reading, (_, a, _, _, _) -> is(() -> Ip.parse((String) a)));
        Library.define("ip.isCanonical(string) bool", Library.reading(2), (_, a, _, _, _) -> {
            return Ip.parse((String) a).toString().equals(a);
        });
        Library.define("string" + ip + "string", Library.ONE, (_, a, _, _, _) -> a.toString());
        Library.define(".family" + ip + "int", Library.ONE, (_, a, _, _, _) -> ((Ip) a).size() == 4 ? 4L : 6L);
        Library.define(".isUnspecified" + ip + "bool", Library.ONE, (_, a, _, _, _) -> ((Ip) a).is(Ip.UNSPECIFIED));
        Library.define(".isLoopback" + ip + "bool", Library.ONE, (_, a, _, _, _) -> ((Ip) a).isLoopback());
        Library.define(".isLinkLocalMulticast" + ip + "bool", Library.ONE, (_, a, _, _, _) -> {
            return ((Ip) a).isLinkLocalMulticast();
        });
        Library.define(".isLinkLocalUnicast" + ip + "bool", Library.ONE, (_, a, _, _, _) -> {
            return ((Ip) a).isLinkLocalUnicast();
        });
        Library.define(".isGlobalUnicast" + ip + "bool", Library.ONE, (_, a, _, _, _) -> ((Ip) a).isGlobalUnicast());

        String cidr = "(net.CIDR) ";
        Function.Price address = (a, _) -> Library.traversal(2.0 * Values.size(a));
        Function.Price addressText = (a, b) -> address.of(a, b) + Library.traversal(Values.size(b));
        Function.Price network = (a, b) -> address.of(a, b) + Library.traversal(Values.size(a)) + 1;
        Function.Price networkText = (a, b) -> network.of(a, b) + Library.traversal(Values.size(b));
        Library.define("cidr(string) net.CIDR", reading, (_, a, _, _, _) -> Cidr.parse((String) a));
        Library.define("isCIDR(string) bool", reading, (_, a, _, _, _) -> is(() -> Cidr.parse((String) a)));
        Library.define("string" + cidr + "string", Library.ONE, (_, a, _, _, _) -> a.toString());
        Library.define(".ip" + cidr + "net.IP", Library.ONE, (_, a, _, _, _) -> ((Cidr) a).address());
        Library.define(".prefixLength" + cidr + "int", Library.ONE, (_, a, _, _, _) -> (long) ((Cidr) a).bits());
        Library.define(".masked" + cidr + "net.CIDR", Library.ONE, (_, a, _, _, _) -> ((Cidr) a).masked());
        Library.define(".containsIP(net.CIDR,net.IP) bool", address, (_, a, b, _, _) -> {
            return ((Cidr) a).contains((Ip) b);
        });
        Library.define(".containsIP(net.CIDR,string) bool", addressText, (_, a, b, _, _) -> {
            return ((Cidr) a).contains(Ip.parse((String) b));
        });
        Library.define(".containsCIDR(net.CIDR,net.CIDR) bool", network, (_, a, b, _, _) -> {
            return ((Cidr) a).contains((Cidr) b);
        });
        Library.define(".containsCIDR(net.CIDR,string) bool", networkText, (_, a, b, _, _) -> {
            return ((Cidr) a).contains(Cidr.parse((String) b));
        });

        String url = "(kubernetes.URL) ";
        Library.define("url(string) kubernetes.URL", reading, (f, a, _, _, _) -> {
            f.work(((String) a).length());
            List<String> problems = Url.problems((String) a);
            if (!problems.isEmpty()) {
                throw new CelProblem("URL parse error during conversion from string: " + problems.getFirst());
            }
            return Url.parse((String) a);
        });
        Library.define("isURL(string) bool", reading, (f, a, _, _, _) -> {
            f.work(((String) a).length());
            return Url.problems((String) a).isEmpty();
        });
        Library.define(".getScheme" + url + "string", Library.ONE, (_, a, _, _, _) -> ((Url) a).scheme);
        Library.define(".getHost" + url + "string", Library.ONE, (_, a, _, _, _) -> ((Url) a).host);
        Library.define(".getHostname" + url + "string", Library.ONE, (_, a, _, _, _) -> ((Url) a).hostname());
        Library.define(".getPort" + url + "string", Library.ONE, (_, a, _, _, _) -> ((Url) a).port());
        Library.define(".getEscapedPath" + url + "string", Library.ONE, (_, a, _, _, _) -> ((Url) a).path);
        Library.define(".getQuery" + url + "map(string,list(string))", Library.ONE, (f, a, _, _, _) -> {
            f.work(((Url) a).query.length());
            return ((Url) a).parameters();
        });
    }

    private static boolean is(Runnable parse) {
        try {
            parse.run();
            return true;
        } catch (CelProblem _) {
            return false;
        }
    }

    /** An address: four bytes or sixteen. */
    static final class Ip {
        static final byte[][] UNSPECIFIED = {new byte[4], new byte[16]};

        private final byte[] bytes;

        private Ip(byte[] bytes) {
            this.bytes = bytes;
        }

        static Ip parse(String text) {
            if (text.indexOf('%') >= 0
                    && text.indexOf(':') >= 0
                    && read(text.substring(0, text.indexOf('%'))) != null) {
                throw new CelProblem("IP address " + Strings.quote(text) + " with zone value is not allowed");
            }
            byte[] bytes = read(text);
            if (bytes == null) {
                throw new CelProblem("IP Address " + Strings.quote(text)
                        + " parse error during conversion from string: ParseAddr(" + Strings.quote(text)
                        + "): unable to parse IP");
            }
            Ip ip = new Ip(bytes);
            if (ip.isMapped()) {
                throw new CelProblem("IPv4-mapped IPv6 address " + Strings.quote(text) + " is not allowed");
            }
            return ip;
        }

        static byte @Nullable [] read(String text) {
            if (text.length() > 45) {
                return null;
            }
            return text.indexOf(':') < 0 ? four(text) : sixteen(text);
        }

        private static byte @Nullable [] four(String text) {
            String[] parts = text.split("\\.", -1);
            byte[] bytes = new byte[4];
            if (parts.length != 4) {
                return null;
            }
            for (int i = 0; i < 4; i++) {
                String part = parts[i];
                if (part.isEmpty()
                        || part.length() > 3
                        || (part.length() > 1 && part.startsWith("0"))
                        || !part.chars().allMatch(c -> c >= '0' && c <= '9')
                        || Integer.parseInt(part) > 255) {
                    return null;
                }
                bytes[i] = (byte) Integer.parseInt(part);
            }
            return bytes;
        }

        private static byte @Nullable [] sixteen(String text) {
            int gap = text.indexOf("::");
            if (gap != text.lastIndexOf("::")) {
                return null;
            }
            byte[] head = groups(gap < 0 ? text : text.substring(0, gap), gap < 0);
            byte[] tail = gap < 0 ? new byte[0] : groups(text.substring(gap + 2), true);
            if (head == null || tail == null || (gap < 0 ? head.length != 16 : head.length + tail.length > 14)) {
                return null;
            }
            byte[] bytes = Arrays.copyOf(head, 16);
            System.arraycopy(tail, 0, bytes, 16 - tail.length, tail.length);
            return bytes;
        }

        private static byte @Nullable [] groups(String text, boolean last) {
            if (text.isEmpty()) {
                return new byte[0];
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            String[] parts = text.split(":", -1);
            for (int i = 0; i < parts.length; i++) {
                String part = parts[i];
                if (last && i == parts.length - 1 && part.indexOf('.') >= 0) {
                    byte[] four = four(part);
                    if (four == null) {
                        return null;
                    }
                    bytes.writeBytes(four);
                    continue;
                }
                if (part.isEmpty()
                        || part.length() > 4
                        || !part.chars().allMatch(c -> c < 128 && Character.digit(c, 16) >= 0)) {
                    return null;
                }
                int group = Integer.parseInt(part, 16);
                bytes.write(group >> 8);
                bytes.write(group);
            }
            return bytes.toByteArray();
        }

        int size() {
            return bytes.length;
        }

        private boolean isMapped() {
            for (int i = 0; i < 12 && bytes.length == 16; i++) {
                if (bytes[i] != (byte) (i < 10 ? 0 : 0xff)) {
                    return false;
                }
            }
            return bytes.length == 16;
        }

        boolean is(byte[][] others) {
            return Arrays.equals(bytes, others[0]) || Arrays.equals(bytes, others[1]);
        }

        boolean isLoopback() {
            return bytes.length == 4 ? bytes[0] == 127 : toString().equals("::1");
        }

        boolean isLinkLocalMulticast() {
            return bytes.length == 4
                    ? (bytes[0] & 0xff) == 224 && bytes[1] == 0 && bytes[2] == 0
                    : (bytes[0] & 0xff) == 0xff && (bytes[1] & 0x0f) == 2;
        }

        boolean isLinkLocalUnicast() {
            return bytes.length == 4
                    ? (bytes[0] & 0xff) == 169 && (bytes[1] & 0xff) == 254
                    : (bytes[0] & 0xff) == 0xfe && (bytes[1] & 0xc0) == 0x80;
        }

        boolean isGlobalUnicast() {
            boolean multicast = bytes.length == 4 ? (bytes[0] & 0xf0) == 0xe0 : (bytes[0] & 0xff) == 0xff;
            return !is(UNSPECIFIED)
                    && !isLoopback()
                    && !multicast
                    && !isLinkLocalUnicast()
                    && !toString().equals("255.255.255.255");
        }

        Ip masked(int bits) {
            byte[] masked = bytes.clone();
            for (int i = 0; i < masked.length; i++) {
                int kept = Math.clamp(bits - 8L * i, 0, 8);
                masked[i] = (byte) (masked[i] & (0xff << (8 - kept)));
            }
            return new Ip(masked);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Ip ip && Arrays.equals(bytes, ip.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }

        /** As RFC 5952 writes it. */
        @Override
        public String toString() {
            StringBuilder text = new StringBuilder();
            if (bytes.length == 4) {
                for (byte one : bytes) {
                    text.append(text.isEmpty() ? "" : ".").append(one & 0xff);
                }
                return text.toString();
            }
            int from = -1;
            int length = 1;
            for (int i = 0; i < 8; i++) {
                int zeros = i;
                while (zeros < 8 && group(zeros) == 0) {
                    zeros++;
                }
                if (zeros - i > length) {
                    from = i;
                    length = zeros - i;
                }
            }
            for (int i = 0; i < 8; i++) {
                if (i == from) {
                    text.append("::");
                    i += length - 1;
                } else {
                    text.append(text.isEmpty() || (i == from + length && from >= 0) ? "" : ":")
                            .append(Integer.toHexString(group(i)));
                }
            }
            return text.toString();
        }

        private int group(int index) {
            return ((bytes[2 * index] & 0xff) << 8) | (bytes[2 * index + 1] & 0xff);
        }
    }

    record Cidr(Ip address, int bits) {
        static Cidr parse(String text) {
            int slash = text.lastIndexOf('/');
            String length = text.substring(slash + 1);
            byte[] bytes = slash < 0 ? null : Ip.read(text.substring(0, slash));
            if (bytes == null
                    || length.isEmpty()
                    || length.length() > 3
                    || (length.length() > 1 && length.startsWith("0"))
                    || !length.chars().allMatch(c -> c >= '0' && c <= '9')
                    || Integer.parseInt(length) > bytes.length * 8) {
                String prefix = "network address parse error during conversion from string: ";
                throw new CelProblem(prefix + prefix + "netip.ParsePrefix(" + Strings.quote(text) + "): "
                        + (slash < 0
                                ? "no '/'"
                                : bytes == null
                                        ? "unable to parse IP"
                                        : "bad bits after slash: " + Strings.quote(length)));
            }
            Ip address = new Ip(bytes);
            if (address.isMapped()) {
                throw new CelProblem(
                        "network address parse error during conversion from string: IPv4-mapped IPv6 address "
                                + Strings.quote(text) + " is not allowed");
            }
            return new Cidr(address, Integer.parseInt(length));
        }

        long size() {
            return (bits + 7L) / 8;
        }

        Cidr masked() {
            return new Cidr(address.masked(bits), bits);
        }

        boolean contains(Ip ip) {
            return ip.size() == address.size() && ip.masked(bits).equals(address.masked(bits));
        }

        boolean contains(Cidr other) {
            return bits <= other.bits && contains(other.address);
        }

        @Override
        public String toString() {
            return address + "/" + bits;
        }
    }

    /** A URL as a request names it: absolute, or a path from the root. */
    static final class Url {
        private final String text;
        private final String scheme;
        private final String host;
        private final String path;
        private final String query;

        private Url(String text, String scheme, String host, String path, String query) {
            this.text = text;
            this.scheme = scheme;
            this.host = host;
            this.path = path;
            this.query = query;
        }

        static List<String> problems(String text) {
            String problem = problem(text);
            return problem == null ? List.of() : List.of("parse " + Strings.quote(text) + ": " + problem);
        }

        private static @Nullable String problem(String text) {
            if (text.isEmpty()) {
                return "empty url";
            }
            if (text.chars().anyMatch(c -> c < ' ' || c == 127)) {
                return "net/url: invalid control character in URL";
            }
            Url url = parse(text);
            if (text.startsWith(":")) {
                return "missing protocol scheme";
            }
            if (url.scheme.isEmpty() && !text.startsWith("/")) {
                return text.indexOf(':') >= 0 && Character.isDigit(text.charAt(0))
                        ? "first path segment in URL cannot contain colon"
                        : "invalid URI for request";
            }
            for (int at = text.indexOf('%'); at >= 0 && at < text.length(); at = text.indexOf('%', at + 1)) {
                String escape = text.substring(at, Math.min(text.length(), at + 3));
                boolean inQuery = text.indexOf('?') >= 0 && at > text.indexOf('?');
                if (!inQuery && !escape.matches("%[0-9a-fA-F]{2}")) {
                    return "invalid URL escape " + Strings.quote(escape);
                }
            }
            int port = url.host.lastIndexOf(':');
            if (url.host.startsWith("[") && url.host.indexOf(']') < 0) {
                return "missing ']' in host";
            }
            if (port > url.host.lastIndexOf(']')
                    && !url.host.substring(port + 1).chars().allMatch(c -> c >= '0' && c <= '9')) {
                return "invalid port " + Strings.quote(url.host.substring(port)) + " after host";
            }
            return url.host.indexOf(' ') >= 0 ? "invalid character \" \" in host name" : null;
        }

        static Url parse(String text) {
            int fragment = text.indexOf('#');
            String rest = fragment < 0 ? text : text.substring(0, fragment);
            String scheme = "";
            int colon = rest.indexOf(':');
            if (colon > 0 && rest.substring(0, colon).matches("[a-zA-Z][a-zA-Z0-9+.-]*")) {
                scheme = rest.substring(0, colon).toLowerCase(Locale.ROOT);
                rest = rest.substring(colon + 1);
            }
            int mark = rest.indexOf('?');
            String query = mark < 0 ? "" : rest.substring(mark + 1);
            rest = mark < 0 ? rest : rest.substring(0, mark);
            String host = "";
            if (rest.startsWith("//") && !(scheme.isEmpty() && rest.startsWith("///"))) {
                int slash = rest.indexOf('/', 2);
                host = rest.substring(2, slash < 0 ? rest.length() : slash);
                rest = slash < 0 ? "" : rest.substring(slash);
                host = host.substring(host.lastIndexOf('@') + 1);
            }
            return new Url(text, scheme, host, rest.startsWith("/") ? escaped(rest) : "", query);
        }

        private static String escaped(String path) {
            StringBuilder escaped = new StringBuilder();
            for (byte one : path.getBytes(StandardCharsets.UTF_8)) {
                char c = (char) (one & 0xff);
                boolean plain = c < 128 && (Character.isLetterOrDigit(c) || "-_.~$&+,/:;=@!'()*[]%".indexOf(c) >= 0);
                escaped.append(plain ? String.valueOf(c) : String.format(Locale.ROOT, "%%%02X", (int) c));
            }
            return escaped.toString();
        }

        String hostname() {
            if (host.startsWith("[") && host.indexOf(']') > 0) {
                return host.substring(1, host.indexOf(']'));
            }
            int colon = host.indexOf(':');
            return colon < 0 ? host : host.substring(0, colon);
        }

        String port() {
            int colon = host.lastIndexOf(':');
            return colon < 0 || colon < host.indexOf(']') ? "" : host.substring(colon + 1);
        }

        Map<String, List<String>> parameters() {
            Map<String, List<String>> parameters = new LinkedHashMap<>();
            for (String pair : query.split("&", -1)) {
                if (pair.isEmpty() || pair.indexOf(';') >= 0) {
                    continue;
                }
                int equals = pair.indexOf('=');
                String key = unescaped(equals < 0 ? pair : pair.substring(0, equals));
                String value = unescaped(equals < 0 ? "" : pair.substring(equals + 1));
                if (key != null && value != null) {
                    parameters.computeIfAbsent(key, _ -> new ArrayList<>()).add(value);
                }
            }
            return parameters;
        }

        private static @Nullable String unescaped(String text) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c == '%') {
                    if (i + 2 >= text.length()
                            || Character.digit(text.charAt(i + 1), 16) < 0
                            || Character.digit(text.charAt(i + 2), 16) < 0) {
                        return null;
                    }
                    bytes.write(Integer.parseInt(text.substring(i + 1, i + 3), 16));
                    i += 2;
                } else {
                    bytes.writeBytes((c == '+' ? " " : String.valueOf(c)).getBytes(StandardCharsets.UTF_8));
                }
            }
            return bytes.toString(StandardCharsets.UTF_8);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Url url && url.text.equals(text);
        }

        @Override
        public int hashCode() {
            return Objects.hashCode(text);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
