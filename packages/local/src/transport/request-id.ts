import type { Engine } from '../engine/engine.js'

const issued = new WeakMap<Engine, number>()

/**
 * The id of a request in this process: a number in the form of a UUID. It is not random, so that two runs with one seed
 * return identical responses. It does not draw from the injected random source either, because that would change all
 * later draws.
 */
export function numberedRequestId(engine: Engine): string {
  const number = (issued.get(engine) ?? 0) + 1
  issued.set(engine, number)
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`
}
