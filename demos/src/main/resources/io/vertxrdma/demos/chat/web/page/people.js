// Who is where. Draws only the newest state, once per frame.

import {hue} from './messages.js';

export class People {
  #rooms;
  #members;
  #count;
  #go;
  #state = null;
  #drawing = false;

  constructor(rooms, members, count, go) {
    this.#rooms = rooms;
    this.#members = members;
    this.#count = count;
    this.#go = go;
  }

  show(state) {
    this.#state = {...this.#state, ...state};
    if (this.#drawing) return;
    this.#drawing = true;
    requestAnimationFrame(() => {
      this.#drawing = false;
      this.#draw();
    });
  }

  #draw() {
    const {rooms = [], members = [], room, nick} = this.#state;
    const focused = document.activeElement?.dataset?.room;
    this.#rooms.replaceChildren(...rooms.map(each => this.#roomItem(each, room)));
    if (focused !== undefined) {
      [...this.#rooms.querySelectorAll('button')].find(b => b.dataset.room === focused)?.focus();
    }
    this.#members.replaceChildren(...members.map(member => memberItem(member, member === nick)));
    this.#count.textContent = members.length || '';
  }

  #roomItem({name, count}, current) {
    const item = document.createElement('li');
    const button = document.createElement('button');
    button.type = 'button';
    button.dataset.room = name;
    const label = document.createElement('span');
    label.textContent = name;
    const number = document.createElement('span');
    number.className = 'count';
    number.textContent = count;
    number.setAttribute('aria-label', `${count} members`);
    button.append(label, number);
    if (name === current) button.setAttribute('aria-current', 'true');
    button.addEventListener('click', () => this.#go(name));
    item.append(button);
    return item;
  }
}

function memberItem(name, me) {
  const item = document.createElement('li');
  const dot = document.createElement('i');
  dot.style.setProperty('--hue', hue(name));
  dot.ariaHidden = 'true';
  const label = document.createElement('span');
  label.textContent = me ? `${name} (you)` : name;
  item.append(dot, label);
  return item;
}
