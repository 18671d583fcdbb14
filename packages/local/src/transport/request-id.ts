import type { Engine } from '../engine/engine.js'

const issued = new WeakMap<Engine, number>()

/**
 * The id of a request in this process: a number in the form of a UUID. Nothing drawn by chance, so that two runs with one
 * seed give their clients the same answers to the byte; and no draw from the injected source, which would change all that
 * is drawn after it.
 */
export function numberedRequestId(engine: Engine): string {
  const number = (issued.get(engine) ?? 0) + 1
  issued.set(engine, number)
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`
}
