import { begunOperations } from './application.js'
import { closure } from './explanations.js'
import { Parts } from './parts.js'
import type { Protocol } from './protocol.js'
import { successors } from './successors.js'
import { STAGES, type World } from './world.js'

/** What the search found. */
export interface Finding {
  /** Different worlds that were reached. */
  readonly states: number
  /** Steps that were taken between them. */
  readonly steps: number
  /** Worlds in which nothing can happen any more. */
  readonly ends: number
  /** What is wrong, and how it came to that; `undefined` when nothing is. */
  readonly violation: { readonly rule: string; readonly steps: readonly string[] } | undefined
}

interface Frame {
  readonly world: World
  readonly label: string
  readonly following: ReturnType<typeof successors>
  next: number
}

/** More than fits into memory means that the question was too large. */
const MAX_STATES = 20_000_000

/** Tries every order of steps from a world on, depth first, and stops at the first violation. */
export function explore(start: World, protocol: Protocol): Finding {
  const parts = new Parts()
  const seen = new Set([nameOf(start, parts)])
  const path: Frame[] = [frame(start, 'start', protocol)]
  let steps = 0
  let ends = 0
  for (;;) {
    const top = path.at(-1)
    if (top === undefined) return { states: seen.size, steps, ends, violation: undefined }
    const successor = top.following[top.next++]
    if (successor === undefined) {
      path.pop()
      continue
    }
    steps += 1
    const name = nameOf(successor.world, parts)
    if (seen.has(name)) continue
    seen.add(name)
    if (seen.size > MAX_STATES) throw new Error(`More than ${MAX_STATES} states: ask a smaller question.`)
    const reached = frame(successor.world, successor.label, protocol)
    path.push(reached)
    if (reached.following.length === 0) ends += 1
    const rule = brokenRule(successor.world, reached.following.length === 0)
    if (rule !== undefined) {
      return {
        states: seen.size,
        steps,
        ends,
        violation: { rule, steps: path.slice(1).map(({ label }) => label) },
      }
    }
  }
}

function frame(world: World, label: string, protocol: Protocol): Frame {
  return { world, label, following: successors(world, protocol), next: 0 }
}

/** The guarantees, as something that is true or not of one world. */
function brokenRule(world: World, isEnd: boolean): string | undefined {
  if (world.items.some(({ first, second }) => first !== undefined && second !== undefined)) {
    return 'an item has two copies'
  }
  if (world.explanations.length === 0) {
    return 'the answers are those of no sequential order of the operations'
  }
  if (!isEnd) return undefined
  if (world.processes.some((process) => process.role === 'application' && process.operations.length > 0)) {
    return 'an operation is never answered'
  }
  const isDriven = world.processes.some(({ role }) => role === 'driver')
  if (isDriven && world.stage !== world.lastStage) return 'the change never ends'
  return isExplained(world) ? undefined : 'what is stored is what no order of the operations leaves'
}

function isExplained(world: World): boolean {
  const { target } = STAGES[world.stage] ?? STAGES[0]
  const stored = world.items.map(
    (places) => places[target]?.value ?? places[target === 'first' ? 'second' : 'first']?.value,
  )
  return closure(world.explanations, begunOperations(world)).some(({ values }) =>
    values.every((value, item) => value === stored[item]),
  )
}

/** A few dozen characters, which only equal worlds share. Whatever a world has is in them. */
function nameOf(world: World, parts: Parts): string {
  let name = ''
  for (const member of Object.values(world) as readonly (number | readonly object[])[]) {
    if (typeof member === 'number') name += `${member};`
    else name += `${member.map((part) => parts.numberOf(part)).join()};`
  }
  return name
}
