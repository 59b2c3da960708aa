// Events by name, with listeners that may leave while an event is being told.

export class Emitter {
  constructor({ maxListeners = 10, onWarning = () => {} } = {}) {
    this.listeners = new Map();
    this.maxListeners = maxListeners;
    this.onWarning = onWarning;
  }

  on(name, listener, { once = false, first = false } = {}) {
    if (typeof listener !== 'function') {
      throw new TypeError('a listener must be a function');
    }
    const entries = this.listeners.get(name) ?? [];
    const entry = { listener, once };
    if (first) {
      entries.unshift(entry);
    } else {
      entries.push(entry);
    }
    this.listeners.set(name, entries);
    if (entries.length > this.maxListeners) {
      this.onWarning(`${entries.length} listeners for ${name}`);
    }
    return () => this.off(name, listener);
  }

  once(name, listener) {
    return this.on(name, listener, { once: true });
  }

  off(name, listener) {
    const entries = this.listeners.get(name);
    if (!entries) return false;
    const at = entries.findIndex((entry) => entry.listener === listener);
    if (at < 0) return false;
    const left = entries.filter((_, index) => index !== at);
    if (left.length === 0) {
      this.listeners.delete(name);
    } else {
      this.listeners.set(name, left);
    }
    return true;
  }

  /** Tells all who were listening when the event began; returns how many. */
  emit(name, ...args) {
    const entries = [...(this.listeners.get(name) ?? [])];
    for (const { listener, once } of entries) {
      if (once) this.off(name, listener);
      listener(...args);
    }
    if (name !== '*') this.emit('*', name, ...args);
    return entries.length;
  }

  count(name) {
    if (name !== undefined) return this.listeners.get(name)?.length ?? 0;
    let total = 0;
    for (const entries of this.listeners.values()) {
      total += entries.length;
    }
    return total;
  }

  names() {
    return [...this.listeners.keys()].sort();
  }

  /** The arguments of the next event of this name. */
  next(name) {
    return new Promise((resolve) => {
      this.once(name, (...args) => resolve(args));
    });
  }
}
