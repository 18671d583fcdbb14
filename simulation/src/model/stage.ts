import { STAGES } from './world.js'

/** What a process believes that has read this stage. */
export function stage(view: number): (typeof STAGES)[number] {
  const found = STAGES[view]
  if (found === undefined) throw new Error(`There is no stage ${view}.`)
  return found
}

/** The oldest stage that a process can go by when the change is at a stage, if every driver waits. */
export function oldestView(reached: number): number {
  let oldest = 0
  for (let at = 0; at < reached; at++) {
    const { phase } = stage(at)
    if (phase === 'announced' || phase === 'moved') oldest = at
  }
  return oldest
}
