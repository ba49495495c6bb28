// The live view of the hub's connections: figures, plots, a row for each, events.

import {Plot} from './plots.js';

const EVENTS = 50;

export class Fabric {
  #find;
  #rates;
  #credits;
  #rows = new Map();
  #before = null;
  #next = null;

  constructor(find) {
    this.#find = find;
    this.#rates = new Plot(find('rate-plot'), ['in', 'out']);
    this.#credits = new Plot(find('credit-plot'), ['receives', 'ring slots']);
  }

  /** A snapshot of all counters, once a second. */
  show(snapshot) {
    const scheduled = this.#next !== null;
    this.#next = snapshot;
    if (scheduled) return;
    requestAnimationFrame(() => {
      const now = this.#next;
      this.#next = null;
      this.#draw(now);
      this.#before = now;
    });
  }

  #draw(now) {
    const seconds = this.#before ? (now.at - this.#before.at) / 1000 : 0;
    const earlier = new Map((this.#before?.connections ?? []).map(c => [c.qpn, c]));
    let [in_, out] = [0, 0];
    for (const connection of now.connections) {
      const then = earlier.get(connection.qpn);
      const rate = key => then && seconds > 0 ? (connection[key] - then[key]) / seconds : 0;
      connection.in = rate('immediates');
      connection.out = rate('sent');
      in_ += connection.in;
      out += connection.out;
    }
    this.#find('provider').textContent = `${now.provider} provider`;
    if (seconds > 0) {
      const least = key => now.connections.length ? Math.min(...now.connections.map(c => c[key])) : null;
      this.#rates.add(now.at / 1000, in_, out);
      this.#credits.add(now.at / 1000, least('receives'), least('slots'));
    }
    this.#tiles(now, in_, out);
    this.#table(now.connections);
  }

  #tiles(now, in_, out) {
    const sum = key => now.connections.reduce((total, c) => total + c[key], 0);
    const tiles = [
      ['Connections', now.connections.length],
      ['Immediates in/s', in_],
      ['Sends out/s', out],
      ['RNR NAKs sent', now.rnrSent],
      ['RNR NAKs got', now.rnrReceived],
      ['Starved', sum('starved')],
      ['Lines skipped', sum('skipped')],
      ['Refused', now.refused],
      ['Lost', now.lost],
    ];
    const list = this.#find('tiles');
    if (list.childElementCount !== tiles.length) {
      list.replaceChildren(...tiles.map(([name]) => {
        const tile = document.createElement('div');
        tile.append(element('dt', name), element('dd', ''));
        return tile;
      }));
    }
    tiles.forEach(([, value], i) => { list.children[i].lastChild.textContent = number(value); });
  }

  #table(connections) {
    const gone = new Set(this.#rows.keys());
    const body = this.#find('connections');
    for (const connection of connections) {
      gone.delete(connection.qpn);
      let row = this.#rows.get(connection.qpn);
      if (!row) {
        row = new Row(connection);
        this.#rows.set(connection.qpn, row);
        body.append(row.main, row.more);
      }
      row.show(connection);
    }
    for (const qpn of gone) {
      this.#rows.get(qpn).remove();
      this.#rows.delete(qpn);
    }
    this.#find('no-connections').hidden = connections.length > 0;
  }

  event(event) {
    const list = this.#find('events');
    list.prepend(eventItem(event));
    while (list.childElementCount > EVENTS) list.lastElementChild.remove();
  }

  events(events) {
    this.#find('events').replaceChildren(...events.map(eventItem).reverse());
  }
}

/** A connection: its figures, and its parameters when asked for. */
class Row {
  main = document.createElement('tr');
  more = document.createElement('tr');
  #cells;

  constructor({nick, qpn, peer, device, parameters, clamps, findings}) {
    const button = element('button', nick);
    button.type = 'button';
    button.setAttribute('aria-expanded', 'false');
    button.setAttribute('aria-controls', `qp-${qpn}`);
    button.addEventListener('click', () => {
      this.more.hidden = !this.more.hidden;
      button.setAttribute('aria-expanded', String(!this.more.hidden));
    });
    const name = document.createElement('th');
    name.scope = 'row';
    name.append(button);
    if (clamps.length) {
      const badge = element('span', `${clamps.length} clamped`);
      badge.className = 'badge';
      name.append(badge);
    }
    this.#cells = Array.from({length: 6}, () => document.createElement('td'));
    this.main.append(name, ...this.#cells);

    const cell = document.createElement('td');
    cell.colSpan = 7;
    cell.append(list([['Queue pair', `${qpn} on ${device}`], ['Peer', peer], ...Object.entries(parameters)]));
    for (const clamp of clamps) {
      const note = element('p', `Clamped: ${clamp}`);
      note.className = 'clamp';
      cell.append(note);
    }
    for (const finding of findings) cell.append(element('p', finding));
    this.more.id = `qp-${qpn}`;
    this.more.className = 'more';
    this.more.hidden = true;
    this.more.append(cell);
  }

  show(c) {
    [number(c.in), number(c.out), number(c.receives), `${c.slots}/${c.ring}`, number(c.starved), number(c.skipped)]
        .forEach((text, i) => { if (this.#cells[i].textContent !== text) this.#cells[i].textContent = text; });
    this.main.classList.toggle('slow', c.queued > 0 || c.slots === 0);
  }

  remove() {
    this.main.remove();
    this.more.remove();
  }
}

function list(entries) {
  const all = document.createElement('dl');
  for (const [name, value] of entries) {
    const pair = document.createElement('div');
    pair.append(element('dt', name), element('dd', value));
    all.append(pair);
  }
  return all;
}

function eventItem({at, type, status, peer}) {
  const item = document.createElement('li');
  const time = element('time', new Date(at).toLocaleTimeString([], {hourCycle: 'h23'}));
  item.append(time, element('b', type), element('span', status ? `${peer}, status ${status}` : peer));
  if (status) item.className = 'bad';
  return item;
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function number(value) {
  return Math.round(value).toLocaleString('en');
}
