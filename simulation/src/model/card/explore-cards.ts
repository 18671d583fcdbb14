import type { CardRules } from './card-rules.js'
import { type CardWorld, INITIAL, WAITING } from './card-world.js'
import { changerSteps } from './changer-steps.js'
import { readerSteps, type Step } from './reader-steps.js'

/** What the search found. */
export interface CardFinding {
  readonly states: number
  readonly steps: number
  /** What is wrong, and how it came to that; `undefined` when nothing is. */
  readonly violation: { readonly rule: string; readonly steps: readonly string[] } | undefined
}

/** More means that the question was too large. */
const MAX_STATES = 5_000_000

/** A world, and its JSON, by which it is known again. */
interface Reached {
  readonly world: CardWorld
  readonly text: string
}

/** Tries every order of steps from a world on, breadth first, so that a violation is found by the fewest steps. */
export function exploreCards(start: CardWorld, rules: CardRules): CardFinding {
  const cameFrom = new Map<string, { readonly before: string | undefined; readonly label: string }>()
  const first = JSON.stringify(start)
  cameFrom.set(first, { before: undefined, label: 'start' })
  let front: readonly Reached[] = [{ world: start, text: first }]
  let steps = 0
  while (front.length > 0) {
    const reached: Reached[] = []
    for (const { world, text: before } of front) {
      for (const step of stepsFrom(world, rules)) {
        steps += 1
        const text = JSON.stringify(step.world)
        if (cameFrom.has(text)) continue
        cameFrom.set(text, { before, label: step.label })
        if (cameFrom.size > MAX_STATES) throw new Error(`More than ${MAX_STATES} states.`)
        const rule = brokenRule(step.world)
        if (rule !== undefined) {
          return { states: cameFrom.size, steps, violation: { rule, steps: pathTo(text, cameFrom) } }
        }
        reached.push({ world: step.world, text })
      }
    }
    front = reached
  }
  return { states: cameFrom.size, steps, violation: undefined }
}

function stepsFrom(world: CardWorld, rules: CardRules): readonly Step[] {
  return [
    ...readerSteps(world, rules),
    ...world.changers.flatMap((_changer, index) => changerSteps(world, index, rules)),
  ]
}

/** The guarantees, as something that is true or not of one world: the reader may send a request at any time, by what it knows then. */
function brokenRule({ stage, reader, isOverwritten }: CardWorld): string | undefined {
  if (isOverwritten) return 'a change is written over another one'
  if (reader.misses) return 'a key is taken for one whose item is lost'
  const { card, entry } = reader
  if (card?.listed === false && !INITIAL.includes(stage)) return 'a process uses the initial count too long'
  if (card?.listed === true && entry !== undefined && entry.stage < oldestStage(stage)) {
    return 'a process uses a phase too long'
  }
  return undefined
}

/** The oldest stage that a process may go by. */
function oldestStage(stage: number): number {
  const waited = WAITING.filter((each) => each < stage)
  return waited.at(-1) ?? 0
}

function pathTo(
  end: string,
  cameFrom: ReadonlyMap<string, { readonly before: string | undefined; readonly label: string }>,
): readonly string[] {
  const labels: string[] = []
  for (let at: string | undefined = end; at !== undefined; at = cameFrom.get(at)?.before) {
    labels.unshift(cameFrom.get(at)?.label ?? '')
  }
  return labels.slice(1)
}
