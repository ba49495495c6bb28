package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RegisteredPoolTest {

  private static final long SLAB = RegisteredPool.SLAB;

  private final Bench bench = new Bench();
  private final RdmaConnection connection = bench.connection();
  private final RegisteredPool pool = connection.memory().pool(4 * SLAB);

  @AfterEach
  void tearDown() {
    bench.close();
  }

  private int registrations() {
    return bench.fake.calls("ibv_reg_mr").size() + bench.fake.calls("ibv_reg_mr_iova2").size();
  }

  @Test
  void piecesOfOneSizeShareOneRegistrationAndNeverOverlap() {
    int before = registrations();
    List<RegisteredBuffer> pieces = new ArrayList<>();
    Set<Long> addresses = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      RegisteredBuffer piece = Bench.get(pool.allocate(900));
      assertThat(piece.capacity()).isEqualTo(900);
      piece.setBytes(0, new byte[] {(byte) i, (byte) (i >> 8)});
      piece.setBytes(898, new byte[] {1, 2});
      assertThat(addresses.add(piece.remote().address())).isTrue();
      pieces.add(piece);
    }
    for (int i = 0; i < 1_000; i++) {
      assertThat(pieces.get(i).getBytes(0, 2)).containsExactly(i, i >> 8);
    }
    assertThat(registrations() - before).isEqualTo(1);
    assertThat(pool.registeredBytes()).isEqualTo(SLAB);
    assertThat(pool.piecesInUse()).isEqualTo(1_000);
  }

  @Test
  void aPieceThatWasClosedIsGivenOutAgainAndItsOldHandleIsDead() {
    RegisteredBuffer first = Bench.get(pool.allocate(SIZE));
    long address = first.remote().address();
    Bench.get(first.close());
    assertThat(pool.piecesInUse()).isZero();
    assertThatIllegalStateException().isThrownBy(() -> first.getBytes(0, 1));
    assertThatIllegalStateException().isThrownBy(() -> connection.write(first.all(), null));
    List<RegisteredBuffer> all = new ArrayList<>();
    for (int i = 0; i < SLAB / 4_096; i++) {
      all.add(Bench.get(pool.allocate(SIZE)));
    }
    assertThat(all).anyMatch(piece -> piece.remote().address() == address);
    assertThat(pool.registeredBytes()).isEqualTo(SLAB);
  }

  private static final int SIZE = 4_000;

  @Test
  void piecesFromAPageOnStartAtAPageAndLargeOnesAreTheirOwnRegion() {
    assertThat(Bench.get(pool.allocate(4_096)).remote().address() % 4_096).isZero();
    assertThat(Bench.get(pool.allocate(5_000)).remote().address() % 4_096).isZero();
    RegisteredBuffer large = Bench.get(pool.allocate((int) SLAB + 1));
    assertThat(large.capacity()).isEqualTo((int) SLAB + 1);
    long registered = pool.registeredBytes();
    Bench.get(large.close());
    assertThat(pool.registeredBytes()).isEqualTo(registered - SLAB - 1);
  }

  @Test
  void aPoolThatIsAsLargeAsItMayBecomeSaysSoAndGoesOnWhenPiecesComeBack() {
    List<RegisteredBuffer> taken = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      taken.add(Bench.get(pool.allocate((int) SLAB)));
    }
    Future<RegisteredBuffer> refused = pool.allocate(1);
    assertThat(refused.failed()).isTrue();
    assertThat(refused.cause())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(String.valueOf(4 * SLAB))
        .hasMessageContaining("4 pieces");
    assertThat(pool.piecesInUse()).isEqualTo(4);
    Bench.get(taken.get(0).close());
    assertThat(pool.allocate((int) SLAB).succeeded()).isTrue();
  }

  @Test
  void aClosedPoolRefusesAndEndsWhenTheLastPieceHasComeBack() {
    RegisteredBuffer piece = Bench.get(pool.allocate(10));
    Future<Void> closed = pool.close();
    assertThat(pool.close()).isSameAs(closed);
    assertThat(pool.allocate(1).cause()).hasMessageContaining("closed");
    assertThat(closed.isComplete()).isFalse();
    piece.setBytes(0, new byte[10]);
    Bench.get(piece.close());
    Bench.get(closed);
    assertThat(pool.registeredBytes()).isZero();
  }

  @Test
  void copiesAndViewsShareBytesWithTheirPiece() {
    RegisteredBuffer copy = Bench.get(pool.copyOf(Buffer.buffer("hello")));
    assertThat(copy.getBuffer(0, 5)).isEqualTo(Buffer.buffer("hello"));
    Buffer view = copy.view(1, 3);
    assertThat(view).isEqualTo(Buffer.buffer("ell"));
    copy.setBytes(1, new byte[] {'E'});
    assertThat(view.getByte(0)).isEqualTo((byte) 'E');
    view.setByte(2, (byte) 'L');
    assertThat(copy.getBuffer(0, 5)).isEqualTo(Buffer.buffer("hElLo"));
  }

  @Test
  void badSizesAndLimitsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> pool.allocate(0))
        .withMessageContaining("0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> connection.memory().pool(SLAB - 1))
        .withMessageContaining(String.valueOf(SLAB - 1));
  }

  @Test
  void anOperationOnAPieceKeepsItsRegionAlsoWhenThePoolsOwnerCloses() {
    RdmaClient owner = bench.client();
    RdmaConnection other = Bench.get(bench.client().connect(Bench.PORT, Bench.HOST));
    RdmaConnection owners = Bench.get(owner.connect(Bench.PORT, Bench.HOST));
    RegisteredBuffer piece = Bench.get(owners.memory().pool(SLAB).allocate(100));
    bench.fake.holdSends(true);
    Future<Void> sent = other.write(piece.slice(0, 10), new RemoteMemory(0x1000, 1, 10));
    Bench.until("it is posted", () -> other.counters().operationsOutstanding() == 1);

    Future<Void> closed = owner.close();
    Bench.get(owners.closed());
    bench.settle();
    assertThat(closed.isComplete()).isFalse();
    assertThat(bench.fake.calls("ibv_dereg_mr")).isEmpty();

    bench.fake.completeSends(other.queuePairNumber(), 1, 0);
    Bench.get(sent);
    Bench.get(closed);
    assertThat(bench.fake.calls("ibv_dereg_mr")).hasSize(1);
    assertThatIllegalStateException()
        .isThrownBy(() -> other.write(piece.slice(0, 10), new RemoteMemory(0x1000, 1, 10)));
    bench.fake.holdSends(false);
  }
}
