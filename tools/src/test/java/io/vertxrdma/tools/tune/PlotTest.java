package io.vertxrdma.tools.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PlotTest {

  @Test
  void bars_are_as_long_as_their_values_and_fit_eighty_columns_of_ascii() {
    String plot =
        Plot.of(
            List.of(
                new Plot.Bar(1, 500, ""),
                new Plot.Bar(99_999_999, 1_000, "knee"),
                new Plot.Bar(3, 0, ""),
                new Plot.Bar(4, 0.001, "")));

    assertThat(plot.lines())
        .containsExactly(
            "       1 |" + "#".repeat(25),
            "99999999 |" + "#".repeat(50) + " <- knee",
            "       3 |",
            "       4 |#");
    assertThat(plot.chars()).allMatch(character -> character < 128);
  }

  @Test
  void without_any_rate_there_are_no_bars() {
    assertThat(Plot.of(List.of(new Plot.Bar(1, 0, "")))).isEqualToIgnoringNewLines("       1 |");
  }
}
