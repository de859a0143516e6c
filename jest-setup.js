// @grafana/ui 13.2 reaches react-dom/server, which needs a MessageChannel; jsdom has none. Node's own would keep the
// test worker alive, so this one only does what React asks of it: call back soon, from another turn of the event loop.
global.MessageChannel = class {
  constructor() {
    this.port1 = { onmessage: null };
    this.port2 = { postMessage: (data) => setTimeout(() => this.port1.onmessage?.({ data })) };
  }
};

// jsdom lays nothing out, so observers that never call are the truth there.
class SilentObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}
global.ResizeObserver = SilentObserver;
global.IntersectionObserver = SilentObserver;

// Jest setup provided by Grafana scaffolding. It needs the lines above, hence not a hoisted import.
require('./.config/jest-setup');
