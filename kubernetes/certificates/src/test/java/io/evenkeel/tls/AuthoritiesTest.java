package io.evenkeel.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.bouncycastle.asn1.x509.KeyPurposeId.anyExtendedKeyUsage;
import static org.bouncycastle.asn1.x509.KeyPurposeId.id_kp_clientAuth;
import static org.bouncycastle.asn1.x509.KeyPurposeId.id_kp_serverAuth;

import java.security.GeneralSecurityException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.junit.jupiter.api.Test;

/** Which certificates identify a client, and which do not. */
class AuthoritiesTest {
    private static final TestAuthority CLUSTER = TestAuthority.named("kubernetes");
    private static final Instant NOW = TestAuthority.BEGIN.plus(Duration.ofDays(1));

    @Test
    void whoeverTheAuthorityHasSigned() {
        assertBelieved(CLUSTER, CLUSTER.client("CN=jane").chain());
    }

    @Test
    void notWhoeverAnotherOfTheSameNameHasSigned() {
        assertRefused(
                CLUSTER, TestAuthority.named("kubernetes").client("CN=jane").chain());
    }

    @Test
    void notWhoeverSignsThemselves() {
        assertRefused(CLUSTER, TestAuthority.named("jane").chain());
    }

    @Test
    void whoeverIsNamedAlone() {
        TestAuthority jane = TestAuthority.named("jane");
        assertBelieved(jane, jane.chain());
    }

    /** Being named does not make good what is not: Java asks nothing of those who are trusted already. */
    @Test
    void notWhoeverIsNamedAndNoClientOrNoLongerOne() {
        TestAuthority web = CLUSTER.client("CN=web", id_kp_serverAuth);
        assertRefused(web, web.chain());

        TestAuthority jane = TestAuthority.named("jane");
        Instant later = TestAuthority.BEGIN.plus(TestAuthority.LIFETIME).plusSeconds(1);
        assertThatThrownBy(() -> jane.authorities().requireClient(jane.chain(), later))
                .isInstanceOf(CertificateExpiredException.class);
    }

    @Test
    void onlyIfTheAuthoritysKeyIsForCertificates() {
        TestAuthority signer = TestAuthority.withKeyFor(KeyUsage.keyCertSign, "signer");
        assertBelieved(signer, signer.client("CN=jane").chain());

        TestAuthority clerk = TestAuthority.withKeyFor(KeyUsage.digitalSignature, "clerk");
        assertRefused(clerk, clerk.client("CN=jane").chain());
    }

    @Test
    void onlyWhileTheCertificateIsValid() {
        Instant end = NOW.plusSeconds(1);
        List<X509Certificate> shown = CLUSTER.clientUntil(end, "CN=jane").chain();

        assertThatCode(() -> CLUSTER.authorities().requireClient(shown, end)).doesNotThrowAnyException();
        assertThatThrownBy(() -> CLUSTER.authorities().requireClient(shown, end.plusSeconds(1)))
                .isInstanceOf(GeneralSecurityException.class);
        assertThatThrownBy(() -> CLUSTER.authorities().requireClient(shown, TestAuthority.BEGIN.minusSeconds(1)))
                .isInstanceOf(GeneralSecurityException.class);
    }

    @Test
    void onlyWhileTheAuthorityIsValid() {
        Instant later = TestAuthority.BEGIN.plus(TestAuthority.LIFETIME).plus(Duration.ofDays(1));
        List<X509Certificate> shown =
                CLUSTER.clientUntil(later.plusSeconds(60), "CN=jane").chain();

        assertThatThrownBy(() -> CLUSTER.authorities().requireClient(shown, later))
                .isInstanceOf(GeneralSecurityException.class)
                .hasMessage("no authority may sign clients' certificates now");
    }

    @Test
    void whoeverMayBeAClientByTheCertificatesPurposes() {
        assertBelieved(CLUSTER, CLUSTER.client("CN=jane", id_kp_clientAuth).chain());
        assertBelieved(
                CLUSTER,
                CLUSTER.client("CN=jane", id_kp_serverAuth, id_kp_clientAuth).chain());
        assertBelieved(CLUSTER, CLUSTER.client("CN=jane", anyExtendedKeyUsage).chain());
        assertThatThrownBy(() -> CLUSTER.authorities()
                        .requireClient(
                                CLUSTER.client("CN=web", id_kp_serverAuth).chain(), NOW))
                .hasMessage("that of CN=web is not for clients");
    }

    @Test
    void whoeverWasSignedByAnAuthorityBelowThatIsShownToo() {
        TestAuthority jane = CLUSTER.below("team").below("squad").client("CN=jane");

        assertBelieved(CLUSTER, jane.chain());
        assertThat(jane.chain()).hasSize(3);
        assertRefused(CLUSTER, jane.chain().subList(0, 1));
        assertRefused(CLUSTER, List.of(jane.chain().get(0), jane.chain().get(2)));
    }

    @Test
    void notWhoeverWasSignedByAUser() {
        TestAuthority jane = CLUSTER.client("CN=jane");

        assertRefused(CLUSTER, jane.client("CN=root,O=system:masters").chain());
        assertRefused(jane, jane.client("CN=root,O=system:masters").chain());
    }

    @Test
    void notAStrangerWhoShowsSomebodyElsesCertificateAfterTheirOwn() {
        List<X509Certificate> jane = CLUSTER.client("CN=jane").chain();
        X509Certificate stranger =
                TestAuthority.named("elsewhere").client("CN=jane").certificate();

        assertRefused(CLUSTER, List.of(stranger, jane.getFirst()));
        assertRefused(CLUSTER, List.of(stranger, CLUSTER.certificate()));
    }

    @Test
    void namesAreReadAsKubernetesDoes() {
        SubjectName name = SubjectName.of(
                CLUSTER.client("O=dev,OU=none,CN=first,O=ops\\, all,CN=Jané").certificate());

        assertThat(name).isEqualTo(new SubjectName("Jané", List.of("dev", "ops, all")));
        assertThat(SubjectName.of(CLUSTER.client("O=dev").certificate()))
                .isEqualTo(new SubjectName("", List.of("dev")));
    }

    private static void assertBelieved(TestAuthority authority, List<X509Certificate> shown) {
        assertThatCode(() -> authority.authorities().requireClient(shown, NOW)).doesNotThrowAnyException();
    }

    private static void assertRefused(TestAuthority authority, List<X509Certificate> shown) {
        assertThatThrownBy(() -> authority.authorities().requireClient(shown, NOW))
                .isInstanceOf(GeneralSecurityException.class);
    }
}
