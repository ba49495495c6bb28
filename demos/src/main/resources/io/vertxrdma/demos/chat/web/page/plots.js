// Two plots over the last two minutes, in the colours of the theme.

import uPlot from './vendor/uPlot.esm.js';

const SECONDS = 120;
const HEIGHT = 100;

export class Plot {
  #place;
  #names;
  #data;
  #plot = null;
  #colours = '';

  /** A plot of some series of numbers. */
  constructor(place, names) {
    this.#place = place;
    this.#names = names;
    this.#data = [[], ...names.map(() => [])];
    new ResizeObserver(() => this.#plot?.setSize(this.#size())).observe(place);
    document.addEventListener('themechange', () => this.#draw());
  }

  /** Adds a point; null where there is no number. */
  add(seconds, ...values) {
    [seconds, ...values].forEach((value, i) => this.#data[i].push(value));
    while (this.#data[0][0] < seconds - SECONDS) this.#data.forEach(series => series.shift());
    this.#place.setAttribute('aria-label', this.#names
        .map((name, i) => `${name}: ${values[i] === null ? 'none' : Math.round(values[i])}`).join(', '));
    this.#draw();
  }

  #size() {
    return {width: Math.max(this.#place.clientWidth, 100), height: HEIGHT};
  }

  #draw() {
    // A panel that is not shown has no size.
    if (!this.#place.clientWidth || !this.#data[0].length) return;
    const style = getComputedStyle(this.#place);
    const [first, second, quiet, grid] =
        ['--plot-1', '--plot-2', '--quiet', '--line'].map(name => style.getPropertyValue(name));
    const colours = first + second + quiet + grid;
    if (this.#plot && colours === this.#colours) {
      this.#plot.setData(this.#data);
      return;
    }
    this.#plot?.destroy();
    this.#colours = colours;
    const axis = {stroke: quiet, grid: {stroke: grid, width: 1}, ticks: {show: false}, font: '11px system-ui', gap: 2};
    this.#plot = new uPlot({
      ...this.#size(),
      cursor: {show: false},
      legend: {show: true, live: false},
      scales: {y: {range: (plot, min, max) => [0, Math.max(max ?? 0, 4) * 1.1]}},
      axes: [
        {...axis, size: 20, values: (plot, ticks) => ticks.map(tick => new Date(tick * 1000).toLocaleTimeString([], {hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23'})), space: 90},
        {...axis, size: 44, space: 26},
      ],
      series: [{}, ...this.#names.map((name, i) => ({label: name, stroke: i ? second : first, width: 2, points: {show: false}}))],
    }, this.#data, this.#place);
  }
}
