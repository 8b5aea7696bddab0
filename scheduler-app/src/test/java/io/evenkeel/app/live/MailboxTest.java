package io.evenkeel.app.live;

import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.kube.api.Machine.Slots;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MailboxTest {
    private static final SchedulerEvent FIRST = new Relist.Began("Pod");
    private static final SchedulerEvent SECOND = new Relist.Began("Node");
    private static final SchedulerEvent THIRD = new Relist.Ended("Pod");

    private final Mailbox mailbox = new Mailbox(Slots.of(2));

    @Test
    void whatComesIsTakenInItsOrderWhicheverWayItCame() throws InterruptedException {
        mailbox.news(FIRST);
        mailbox.post(SECOND);
        mailbox.news(THIRD);

        assertThat(mailbox.size()).isEqualTo(3);
        assertThat(take(10)).containsExactly(FIRST, SECOND, THIRD);
        assertThat(mailbox.isEmpty()).isTrue();
    }

    @Test
    void noMoreIsTakenThanWasAskedFor() throws InterruptedException {
        mailbox.post(FIRST);
        mailbox.post(SECOND);
        mailbox.post(THIRD);

        assertThat(take(2)).containsExactly(FIRST, SECOND);
        assertThat(take(2)).containsExactly(THIRD);
    }

    @Test
    void anEmptyMailboxIsLeftInTime() throws InterruptedException {
        assertThat(take(10)).isEmpty();

        List<SchedulerEvent> taken = new ArrayList<>();
        mailbox.take(taken, 10, 1_000);
        assertThat(taken).isEmpty();
    }

    @Test
    void newsWaitForRoomAndAnswersDoNot() throws InterruptedException {
        mailbox.news(FIRST);
        mailbox.news(FIRST);
        Thread watch = Thread.ofPlatform().start(() -> mailbox.news(SECOND));
        await().until(() -> watch.getState() == Thread.State.WAITING);
        mailbox.post(THIRD);
        assertThat(mailbox.size()).isEqualTo(3);

        assertThat(take(1)).containsExactly(FIRST);
        watch.join();
        assertThat(take(10)).containsExactly(FIRST, THIRD, SECOND);
    }

    @Test
    void answersMakeNoRoomForNews() throws InterruptedException {
        mailbox.post(THIRD);
        mailbox.news(FIRST);
        mailbox.news(FIRST);
        Thread watch = Thread.ofPlatform().start(() -> mailbox.news(SECOND));

        assertThat(take(1)).containsExactly(THIRD);
        await().until(() -> watch.getState() == Thread.State.WAITING);
        assertThat(mailbox.size()).isEqualTo(2);

        take(1);
        watch.join();
    }

    @Test
    void nobodyWaitsForRoomInAClosedMailbox() throws InterruptedException {
        mailbox.news(FIRST);
        mailbox.news(FIRST);
        Thread watch = Thread.ofPlatform().start(() -> mailbox.news(SECOND));
        await().until(() -> watch.getState() == Thread.State.WAITING);

        mailbox.close();

        watch.join();
        mailbox.news(THIRD);
        assertThat(take(10)).containsExactly(FIRST, FIRST);
    }

    private List<SchedulerEvent> take(int most) throws InterruptedException {
        List<SchedulerEvent> taken = new ArrayList<>();
        mailbox.take(taken, most, 0);
        return taken;
    }
}
