import type { Laboratory } from './laboratory.js'
import type { ShapeName } from './shapes.js'

/**
 * Takes a calculated key through all phases of a count change and calls back in each: settled, announced, moved, and
 * settled again once the library has moved the items.
 */
export async function throughChange(
  lab: Laboratory,
  { shape = 'orders', key, from, to }: { shape?: ShapeName; key: string; from: number; to: number },
  visit: (phase: 'before' | 'announced' | 'moved' | 'after') => Promise<void>,
): Promise<void> {
  await lab.setState(shape, key, { shards: from })
  await visit('before')
  const change = { from, to }
  await lab.setState(shape, key, { shards: from, before: [from], change: { phase: 'announced', ...change } })
  await visit('announced')
  await lab.setState(shape, key, { shards: to, before: [from], change: { phase: 'moved', ...change } })
  await visit('moved')
  const outcome = await lab.process().shards(lab.names.sharded[shape], key).drain({ unitsPerSecond: 10_000 })
  if (outcome !== 'settled') throw new Error(`The drain ended as ${outcome}.`)
  lab.clock.advance(60_000)
  await visit('after')
}
