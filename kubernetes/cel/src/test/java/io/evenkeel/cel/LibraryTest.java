package io.evenkeel.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kubernetes' own functions, which no other compiler for Java has. */
class LibraryTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "quantity('1Ki') == quantity('1024')",
                "quantity('1.5G').isGreaterThan(quantity('1G'))",
                "quantity('100m').compareTo(quantity('0.1')) == 0",
                "quantity('1e3') == quantity('1k')",
                "quantity('-5').sign() == -1 && sign(quantity('0')) == 0",
                "quantity('5').add(quantity('3')).sub(2).asInteger() == 6",
                "!quantity('0.5').isInteger() && quantity('2k').isInteger()",
                "quantity('1500m').asApproximateFloat() == 1.5",
                "quantity('0.0000000001') == quantity('1n')",
                "quantity('100E').isGreaterThan(quantity('9E')) && !quantity('100E').isInteger()",
                "quantity('100Ei').asInteger() == 9223372036854775807",
                "isQuantity('10Mo') == false && isQuantity('1Mi') && !isQuantity('') && !isQuantity('Mi')",
                "semver('1.2.3').major() == 1 && semver('1.2.3').minor() == 2 && semver('1.2.3').patch() == 3",
                "semver('1.0.0-alpha').isLessThan(semver('1.0.0'))",
                "semver('1.0.0-alpha.1').compareTo(semver('1.0.0-alpha.beta')) == -1",
                "semver('1.0.0-2').compareTo(semver('1.0.0-11')) == -1",
                "semver('1.0.0+a') == semver('1.0.0+b')",
                "semver('v01.01', true) == semver('1.1.0') && !isSemver('v1.0.0') && !isSemver('1.00.0')",
                "isSemver('1.2.3-rc.1+build.5') && !isSemver('1.2.3-01') && !isSemver('1.2')",
                "!isSemver('1.0-rc', true) && isSemver('1', true)",
                "[1, 2, 3].sum() == 6 && [1.5, 2.5].sum() == 4.0 && [1u].sum() == 1u",
                "[3, 1].min() == 1 && ['a', 'c'].max() == 'c' && [1, 1, 2].isSorted() && !['b', 'a'].isSorted()",
                "[1, 2, 1].indexOf(1) == 0 && [1, 2, 1].lastIndexOf(1) == 2 && [1].indexOf(3) == -1",
                "lists.range(3) == [0, 1, 2] && [3, 1, 2].sort() == [1, 2, 3] && [1, 2].reverse() == [2, 1]",
                "[1, 1, 2].distinct() == [1, 2] && [[1], [2]].flatten() == [1, 2] && [1, 2, 3].slice(1, 3) == [2, 3]",
                "['bb', 'a'].sortBy(x, x.size()) == ['a', 'bb']",
                "sets.contains([1, 2], [2]) && sets.equivalent([1, 2], [2, 1, 1]) && !sets.intersects([1], [2])",
                "'a1b22'.find('[0-9]+') == '1' && 'a1b22'.findAll('[0-9]+') == ['1', '22']",
                "'a1b22'.findAll('[0-9]+', 1) == ['1'] && 'x'.find('[0-9]') == '' && 'baab'.findAll('a*') == ['', 'aa', '']",
                "ip('192.168.0.1').family() == 4 && ip('::1').isLoopback() && !isIP('1.2.3') && !isIP('01.2.3.4')",
                "string(ip('2001:DB8:0:0:1:0:0:1')) == '2001:db8::1:0:0:1' && ip.isCanonical('::1')",
                "string(ip('1:0:0:2::')) == '1:0:0:2::' && string(ip('::1:0')) == '::1:0' && string(ip('1::')) == '1::'",
                "cidr('192.168.0.0/24').containsIP('192.168.0.9') && !cidr('192.168.0.0/24').containsIP('192.168.1.9')",
                "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') && !cidr('10.1.0.0/16').containsCIDR(cidr('10.0.0.0/8'))",
                "string(cidr('10.1.2.3/8').masked()) == '10.0.0.0/8' && cidr('::/0').prefixLength() == 0",
                "!isCIDR('10.0.0.0/33') && !isCIDR('10.0.0.0') && isCIDR('::/128') && cidr('10.0.0.1/8').ip() == ip('10.0.0.1')",
                "url('https://user@example.com:80/a b?k=1&k=2#f').getHost() == 'example.com:80'",
                "url('https://example.com:80/a b?k=1&k=2').getQuery() == {'k': ['1', '2']}",
                "url('https://example.com/a b').getEscapedPath() == '/a%20b' && url('http://[::1]:8/').getHostname() == '::1'",
                "url('/path').getScheme() == '' && url('https://example.com:80/').getPort() == '80'",
                "isURL('https://example.com') && !isURL('example.com') && !isURL('../up') && isURL('/up') && !isURL('')",
                "!format.dns1123Label().validate('my-label').hasValue() && format.dns1123Label().validate('no label').hasValue()",
                "format.named('uuid').value().validate('123e4567-e89b-12d3-a456-426614174000') == optional.none()",
                "!format.named('nothing').hasValue() && format.named('uri').value() == format.uri()",
                "format.byte().validate('aGVsbG8') == optional.of(['invalid base64'])",
                "!format.date().validate('2021-01-01').hasValue() && format.date().validate('2021-02-30').hasValue()",
                "!format.datetime().validate('2020-01-01T00:00:00Z').hasValue()",
                "!format.qualifiedName().validate('example.com/name').hasValue() && format.qualifiedName().validate('a/b/c').hasValue()",
                "!format.dns1123LabelPrefix().validate('my-label-prefix-').hasValue()",
                "{'a': 1, 'b': 2}.all(k, v, k != '' && v > 0) && [5, 6].exists(i, v, i == 1 && v == 6)",
                "[1, 2].transformList(i, v, i * v) == [0, 2] && {'a': 1}.transformMap(k, v, v + 1) == {'a': 2}",
                "{'a': 'b'}.transformMapEntry(k, v, {v: k}) == {'b': 'a'} && [1, 2, 1].existsOne(i, v, v == 2)",
                "optional.of(1).optMap(x, x + 1) == optional.of(2) && optional.none().orValue(3) == 3",
                "[1, ?optional.none(), ?optional.of(2)] == [1, 2] && {?'a': optional.none()} == {}",
                "1 < 1.5 && 2u > 1 && 1.0 <= 1u && dyn(1) == 1u",
                "strings.quote('a\"b\\n') == '\"a\\\\\"b\\\\n\"'",
                "'%s has %d of %.2f'.format([dyn(['a']), 3, 1.234]) == '[a] has 3 of 1.23'",
            })
    void holds(String expression) {
        assertThat(CelProgram.compile(expression, Map.of()).evaluate(CelProgram.SELECTOR_LIMIT))
                .isEqualTo(true);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[1, 'a']",
                "1 + 1.0",
                "quantity(1)",
                "'a'.isGreaterThan('b')",
                "lists.range(1000000000)",
                "'a'.matches('(a{1000}){1000}')",
                "['a'].sum()",
                "[].min()",
                "timestamp('2020-01-01T00:00:00Z')",
                "has(1)",
                "[1].map(1, 2)",
                "9223372036854775808",
                "-9223372036854775809",
                "'\\q'",
                "'open",
                "x.",
                "{1.5: 2}",
                "{'a': 1, 'a': 2}",
                "[1].transformMapEntry(i, v, {'a': 1, 'a': 2})",
            })
    void fails(String expression) {
        assertThatExceptionOfType(CelProblem.class)
                .isThrownBy(() -> CelProgram.compile(expression, Map.of()).evaluate(CelProgram.SELECTOR_LIMIT));
    }
}
