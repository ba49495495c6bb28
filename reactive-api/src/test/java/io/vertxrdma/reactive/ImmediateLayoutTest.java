package io.vertxrdma.reactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImmediateLayoutTest {

  private static final long ALL = 0xFFFF_FFFFL;
  private static final ImmediateLayout LAYOUT =
      ImmediateLayout.builder().field("type", 8).field("index", 24).build();

  @Provide
  Arbitrary<ImmediateLayout> layouts() {
    return Arbitraries.integers()
        .between(1, 32)
        .list()
        .ofMinSize(1)
        .ofMaxSize(32)
        .map(ImmediateLayoutTest::layoutOf);
  }

  /** Fields of these widths, as far as they fit. */
  private static ImmediateLayout layoutOf(List<Integer> widths) {
    ImmediateLayout.Builder builder = ImmediateLayout.builder();
    int used = 0;
    int number = 0;
    for (int width : widths) {
      if (used + width <= ImmediateLayout.BITS) {
        used += width;
        builder.field("field" + number++, width);
      }
    }
    return builder.build();
  }

  /** One value for each field, from a seed. */
  private static List<Long> values(ImmediateLayout layout, long seed) {
    Random random = new Random(seed);
    List<Long> values = new ArrayList<>();
    for (ImmediateLayout.Field field : layout.fields()) {
      // The edges too, not only what lies between.
      values.add(
          switch (random.nextInt(4)) {
            case 0 -> 0L;
            case 1 -> field.max();
            default -> random.nextLong() & field.max();
          });
    }
    return values;
  }

  private static ImmediateLayout.Value pack(ImmediateLayout layout, List<Long> values) {
    ImmediateLayout.Value packed = layout.of(0);
    for (int i = 0; i < values.size(); i++) {
      packed = packed.with(layout.fields().get(i).name(), values.get(i));
    }
    return packed;
  }

  @Property
  void what_was_packed_is_unpacked_again(
      @ForAll("layouts") ImmediateLayout layout, @ForAll long seed) {
    List<Long> values = values(layout, seed);
    ImmediateLayout.Value packed = pack(layout, values);

    assertThat(packed.toLong()).isBetween(0L, ALL);
    assertThat(packed.toInt()).isEqualTo((int) packed.toLong());
    for (int i = 0; i < values.size(); i++) {
      ImmediateLayout.Field field = layout.fields().get(i);
      assertThat(packed.get(field.name())).isEqualTo(values.get(i));
      assertThat(layout.get(packed.toLong(), field.name())).isEqualTo(values.get(i));
      assertThat(field.get(packed.toLong())).isEqualTo(values.get(i));
      assertThat(field.get(packed.toInt())).isEqualTo(values.get(i));
    }
    assertThat(layout.of(packed.toLong())).isEqualTo(packed);
  }

  @Property
  void setting_a_field_disturbs_no_other_bit(
      @ForAll("layouts") ImmediateLayout layout,
      @ForAll @LongRange(min = 0, max = ALL) long immediate,
      @ForAll long seed) {
    List<Long> values = values(layout, seed);
    for (int i = 0; i < values.size(); i++) {
      ImmediateLayout.Field field = layout.fields().get(i);
      long changed = field.set(immediate, values.get(i));

      assertThat(changed).isBetween(0L, ALL);
      assertThat(field.get(changed)).isEqualTo(values.get(i));
      assertThat(field.set(changed, field.get(immediate))).isEqualTo(immediate);
      for (ImmediateLayout.Field other : layout.fields()) {
        if (other != field) {
          assertThat(other.get(changed)).isEqualTo(other.get(immediate));
        }
      }
    }
  }

  @Property
  void fields_lie_side_by_side_from_the_highest_bit_down(
      @ForAll("layouts") ImmediateLayout layout) {
    int shift = ImmediateLayout.BITS;
    for (ImmediateLayout.Field field : layout.fields()) {
      shift -= field.width();
      assertThat(field.max()).isEqualTo((1L << field.width()) - 1);
      assertThat(field.set(0, field.max())).isEqualTo(field.max() << shift);
    }
    assertThat(shift).isNotNegative();
  }

  @Property
  void a_value_out_of_range_is_refused_and_names_field_value_and_limit(
      @ForAll("layouts") ImmediateLayout layout, @ForAll long value) {
    for (ImmediateLayout.Field field : layout.fields()) {
      if (value >= 0 && value <= field.max()) {
        continue;
      }
      assertThatIllegalArgumentException()
          .isThrownBy(() -> layout.of(field.name(), value))
          .withMessageContaining("\"" + field.name() + "\"")
          .withMessageContaining("holds 0.." + field.max() + ", was " + value)
          .withMessageContaining("private data");
      assertThatIllegalArgumentException().isThrownBy(() -> field.set(0, value));
    }
  }

  @Test
  void the_first_field_has_the_highest_bits() {
    assertThat(LAYOUT.of("type", 3).with("index", 9).toLong()).isEqualTo(0x0300_0009L);
    assertThat(LAYOUT.of("type", 255).toLong()).isEqualTo(0xFF00_0000L);
    assertThat(LAYOUT.of("type", 255).toInt()).isNegative();
    assertThat(ImmediateLayout.builder().field("flag", 1).build().of("flag", 1).toLong())
        .isEqualTo(0x8000_0000L);
  }

  @Test
  void a_field_of_all_bits_holds_every_immediate() {
    ImmediateLayout whole = ImmediateLayout.builder().field("all", 32).build();

    assertThat(whole.field("all").max()).isEqualTo(ALL);
    assertThat(whole.of("all", ALL).toLong()).isEqualTo(ALL);
    assertThat(whole.of(ALL).get("all")).isEqualTo(ALL);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> whole.of("all", ALL + 1))
        .withMessageContaining("32 bits and holds 0..4294967295, was 4294967296");
  }

  @Test
  void the_error_says_what_to_do_with_what_does_not_fit() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LAYOUT.of("type", 3).with("index", 1 << 24))
        .withMessage(
            "field \"index\" has 24 bits and holds 0..16777215, was 16777216; what does not fit"
                + " into an immediate belongs into the bytes written with it, or, if it is known"
                + " from the start, into the private data of connect and accept");
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, ALL + 1, Long.MIN_VALUE, Long.MAX_VALUE})
  void what_is_no_immediate_is_not_taken_apart(long wrong) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LAYOUT.get(wrong, "type"))
        .withMessageContaining("0..4294967295, was " + wrong);
    assertThatIllegalArgumentException().isThrownBy(() -> LAYOUT.of(wrong));
    assertThatIllegalArgumentException().isThrownBy(() -> LAYOUT.field("type").set(wrong, 0));
  }

  @Test
  void an_unknown_field_is_named_with_those_there_are() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LAYOUT.get(1, "slot"))
        .withMessage("no field \"slot\" in this layout; it has type:8 index:24");
    assertThatIllegalArgumentException().isThrownBy(() -> LAYOUT.of("slot", 1));
    assertThatIllegalArgumentException().isThrownBy(() -> LAYOUT.of("type", 1).get("slot"));
    assertThatIllegalArgumentException().isThrownBy(() -> LAYOUT.route("slot"));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 33, Integer.MAX_VALUE, Integer.MIN_VALUE})
  void a_field_has_1_to_32_bits(int width) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ImmediateLayout.builder().field("index", width))
        .withMessage("field \"index\" must have 1..32 bits, was " + width);
  }

  @Test
  void all_fields_together_have_at_most_32_bits() {
    ImmediateLayout.Builder builder = ImmediateLayout.builder().field("type", 8);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.field("index", 25))
        .withMessage(
            "field \"index\" of 25 bits does not fit: an immediate has 32, and 8 are taken");
    // What was refused left nothing behind.
    assertThat(builder.field("index", 24).build()).isEqualTo(LAYOUT).hasSameHashCodeAs(LAYOUT);
  }

  @Test
  void names_are_there_and_differ() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ImmediateLayout.builder().field("type", 8).field("type", 8))
        .withMessageContaining("\"type\"");
    assertThatIllegalArgumentException().isThrownBy(() -> ImmediateLayout.builder().field(" ", 8));
    assertThatIllegalStateException().isThrownBy(() -> ImmediateLayout.builder().build());
  }

  @Test
  void a_layout_does_not_change_with_its_builder() {
    ImmediateLayout.Builder builder = ImmediateLayout.builder().field("type", 8);
    ImmediateLayout first = builder.build();
    builder.field("index", 24);

    assertThat(first.fields()).hasSize(1);
    assertThat(first).isNotEqualTo(LAYOUT);
  }

  @Test
  void a_value_says_what_is_in_it() {
    assertThat(LAYOUT.of("type", 3).with("index", 9)).hasToString("0x03000009 (type 3, index 9)");
    assertThat(LAYOUT.field("type")).hasToString("type:8 of type:8 index:24");
  }
}
