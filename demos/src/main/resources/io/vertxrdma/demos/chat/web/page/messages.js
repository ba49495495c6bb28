// The list of messages: whatever comes, at most CAP rows, drawn at most once per frame.

const CAP = 400;
const NEAR_THE_END = 40;

const clock = new Intl.DateTimeFormat(undefined, {hour: '2-digit', minute: '2-digit', hourCycle: 'h23'});

/** A hue for a nickname, the same everywhere. */
export function hue(nick) {
  let hash = 7;
  for (const c of nick) hash = (hash * 31 + c.codePointAt(0)) % 360;
  return hash;
}

export class Messages {
  #list;
  #newest;
  #counts;
  #waiting = [];
  #drawing = false;
  #lines = 0;
  #skipped = 0;
  #folded = 0;
  #unseen = 0;
  #following = true;

  constructor(list, newest, counts) {
    this.#list = list;
    this.#newest = newest;
    this.#counts = counts;
    newest.addEventListener('click', () => this.#toTheEnd());
    list.addEventListener('scroll', () => {
      this.#following = this.#atTheEnd();
      if (this.#following) this.#seen();
    }, {passive: true});
    // Who reads the newest lines goes on doing so when the page changes its shape, or is shown again.
    new ResizeObserver(() => this.#following && this.#toTheEnd()).observe(list);
  }

  clear() {
    this.#waiting = [];
    this.#lines = this.#skipped = this.#folded = 0;
    this.#list.replaceChildren();
    this.#following = true;
    this.#seen();
    this.#draw();
  }

  /** A line somebody said: {at, nick, text}. */
  line(line, mine) {
    this.#lines++;
    this.#add({...line, mine});
  }

  notice(text) {
    this.#add({text, kind: 'notice'});
  }

  /** So many lines were skipped by the hub, since this page did not take them in time. */
  gap(lines) {
    this.#skipped += lines;
    this.#add({text: `${lines.toLocaleString('en')} ${lines === 1 ? 'line' : 'lines'} skipped: this page was too slow`, kind: 'gap'});
  }

  #add(item) {
    this.#waiting.push(item);
    // A page in the background draws nothing, and must not keep everything.
    if (this.#waiting.length > 2 * CAP) this.#folded += this.#waiting.splice(0, CAP).length;
    this.#draw();
  }

  #draw() {
    if (this.#drawing) return;
    this.#drawing = true;
    requestAnimationFrame(() => {
      this.#drawing = false;
      const items = this.#waiting.splice(0);
      if (items.length > CAP) this.#folded += items.splice(0, items.length - CAP).length;
      const rows = document.createDocumentFragment();
      for (const item of items) rows.append(row(item));
      this.#list.append(rows);
      while (this.#list.childElementCount > CAP) {
        this.#list.firstElementChild.remove();
        this.#folded++;
      }
      if (this.#following) this.#toTheEnd();
      else if (items.length) this.#count(items.length);
      this.#showCounts();
    });
  }

  #showCounts() {
    const list = this.#list.dataset;
    list.lines = this.#lines;
    list.skipped = this.#skipped;
    const parts = [`${this.#lines.toLocaleString('en')} ${this.#lines === 1 ? 'line' : 'lines'}`];
    if (this.#skipped) parts.push(`${this.#skipped.toLocaleString('en')} skipped`);
    if (this.#folded) parts.push(`the last ${this.#list.childElementCount} shown`);
    this.#counts.textContent = parts.join(' · ');
  }

  #atTheEnd() {
    const list = this.#list;
    return list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_THE_END;
  }

  #toTheEnd() {
    this.#following = true;
    this.#list.scrollTop = this.#list.scrollHeight;
    this.#seen();
  }

  #seen() {
    this.#unseen = 0;
    this.#newest.hidden = true;
  }

  #count(more) {
    this.#unseen += more;
    this.#newest.hidden = false;
    this.#newest.textContent = `${this.#unseen.toLocaleString('en')} new ↓`;
  }
}

function row({at, nick, text, kind, mine}) {
  const row = document.createElement('div');
  row.className = kind ?? (mine ? 'line mine' : 'line');
  if (!kind) {
    const time = document.createElement('time');
    const date = new Date(at);
    time.dateTime = date.toISOString();
    time.textContent = clock.format(date);
    const who = document.createElement('b');
    who.textContent = nick;
    who.style.setProperty('--hue', hue(nick));
    row.append(time, who);
  }
  const words = document.createElement('span');
  words.textContent = text;
  row.append(words);
  return row;
}
