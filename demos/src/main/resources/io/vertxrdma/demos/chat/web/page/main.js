// Puts the page together: what comes from the hub goes to the panels, what a person does to the hub.

import {Fabric} from './fabric.js';
import {Link} from './link.js';
import {Messages} from './messages.js';
import {People} from './people.js';

const find = id => document.getElementById(id);
const me = {nick: '', room: '', in: false};
const said = {lines: [], at: 0};

const messages = new Messages(find('log'), find('newest'), find('counts'));
const people = new People(find('rooms'), find('members'), find('member-count'), go);
const fabric = new Fabric(find);
const link = new Link(receive, showStatus);

function receive(message) {
  switch (message.t) {
    case 'ready':
      find('room').placeholder = message.room;
      if (me.nick) hello();
      break;
    case 'refused':
      refused(message.reason);
      break;
    case 'entered':
      entered(message);
      break;
    case 'line':
      messages.line(message, message.nick === me.nick);
      break;
    case 'notice':
      messages.notice(message.text);
      break;
    case 'gap':
      messages.gap(message.lines);
      break;
    case 'presence':
      people.show(message);
      break;
    case 'fabric':
      fabric.show(message);
      break;
    case 'cm':
      fabric.event(message.event);
      break;
    case 'cmAll':
      fabric.events(message.events);
      break;
  }
}

function hello() {
  link.send({t: 'hello', nick: me.nick, room: me.room});
}

function refused(reason) {
  me.nick = '';
  me.in = false;
  find('talk').hidden = true;
  find('join').hidden = false;
  find('join-error').textContent = reason;
  find('nick').focus();
}

function entered({nick, room, lines}) {
  const first = !me.in;
  Object.assign(me, {nick, room, in: true});
  find('join').hidden = true;
  find('talk').hidden = false;
  find('room-title').textContent = room;
  find('text').placeholder = `Write to ${room}`;
  for (const control of find('new-room').elements) control.disabled = false;
  messages.clear();
  for (const line of lines) messages.line(line, line.nick === nick);
  people.show({room, nick});
  if (first) find('text').focus();
}

function showStatus(status) {
  const pill = find('connection');
  pill.textContent = status;
  pill.dataset.status = status;
  find('say').querySelector('button').disabled = status !== 'connected';
}

function go(room) {
  link.send({t: 'join', room});
  show('chat');
  find('text').focus();
}

/** Which panel a narrow page shows; a wide one shows all. */
function show(panel) {
  document.body.dataset.panel = panel;
  for (const tab of document.querySelectorAll('.tabs button')) {
    if (tab.dataset.show === panel) tab.setAttribute('aria-current', 'true');
    else tab.removeAttribute('aria-current');
  }
}

function say(text) {
  const [word, ...rest] = text.split(/\s+/);
  switch (word) {
    case '/who':
    case '/rooms':
      return link.send({t: word.slice(1)});
    case '/join':
      return link.send({t: 'join', room: rest.join(' ')});
    default:
      if (word.startsWith('/')) {
        messages.notice('there are /who, /rooms and /join ROOM');
        return true;
      }
      return link.send({t: 'say', text});
  }
}

find('join').addEventListener('submit', event => {
  event.preventDefault();
  find('join-error').textContent = '';
  me.nick = find('nick').value.trim();
  me.room = find('room').value.trim();
  if (me.nick) hello();
});

find('say').addEventListener('submit', event => {
  event.preventDefault();
  const field = find('text');
  const text = field.value.trim();
  if (text && say(text)) {
    said.lines.push(text);
    said.lines = said.lines.slice(-100);
    said.at = said.lines.length;
    field.value = '';
  }
});

// What was said before, as in a terminal.
find('text').addEventListener('keydown', event => {
  const step = {ArrowUp: -1, ArrowDown: 1}[event.key];
  if (step && said.lines.length) {
    event.preventDefault();
    said.at = Math.max(0, Math.min(said.lines.length, said.at + step));
    event.target.value = said.lines[said.at] ?? '';
  } else if (event.key === 'Escape') {
    event.target.value = '';
  }
});

find('new-room').addEventListener('submit', event => {
  event.preventDefault();
  const name = find('room-name').value.trim();
  if (name) {
    go(name);
    find('room-name').value = '';
  }
});

for (const tab of document.querySelectorAll('.tabs button')) {
  tab.addEventListener('click', () => show(tab.dataset.show));
}

// Alt with a digit: the panels.
document.addEventListener('keydown', event => {
  const panel = event.altKey && {1: 'chat', 2: 'people', 3: 'fabric'}[event.key];
  if (panel) {
    event.preventDefault();
    show(panel);
    find(panel === 'chat' ? (me.in ? 'text' : 'nick') : panel).focus();
  }
});

link.open();
