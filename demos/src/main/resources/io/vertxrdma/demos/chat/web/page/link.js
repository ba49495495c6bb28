// The WebSocket to the hub: comes back by itself, and says hello again.

const FIRST_DELAY = 500;
const LONGEST_DELAY = 10_000;

export class Link {
  #socket = null;
  #delay = FIRST_DELAY;
  #receive;
  #status;

  constructor(receive, status) {
    this.#receive = receive;
    this.#status = status;
  }

  open() {
    this.#status('connecting');
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(`${scheme}//${location.host}/chat`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#delay = FIRST_DELAY;
      this.#status('connected');
    };
    socket.onmessage = event => this.#receive(JSON.parse(event.data));
    socket.onclose = () => {
      this.#status('disconnected');
      setTimeout(() => this.open(), this.#delay);
      this.#delay = Math.min(2 * this.#delay, LONGEST_DELAY);
    };
  }

  /** False when there is no connection now; nothing is kept for later. */
  send(message) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }
}
