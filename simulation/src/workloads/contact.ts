import { randomInteger } from '@isotherm/runtime'
import { KnownState } from '../invariants/known-state.js'
import type { Process } from '../world/process.js'
import { Violation } from '../world/violation.js'
import type { World } from '../world/world.js'

/** Words that contacts are made of. No two begin with the same letter, and none is part of another. */
export const TERMS = ['ant', 'bee', 'cat', 'dog', 'eel', 'fox'] as const

/** Of one contact. */
const MAX_TERMS = 3

/** What a contact says: up to three terms; empty where it is not there. */
export type Terms = string

/** One contact of a directory, and what is known of it from outside. */
export class Contact {
  readonly tenant: string
  readonly id: string
  readonly known: KnownState<Terms>
  /** Imports of it that are under way: until they have ended, its search items may come before it and after others have written it. */
  imports = 0
  /** All imports of it that have begun: one may begin and end while a reader waits for its answer. */
  importsBegun = 0
  /**
   * Whether an import of it ended without an answer. Its search items are written without conditions, so the last of them may have arrived
   * when something else has written the contact. A check finds them.
   */
  isLeftOver = false

  constructor(world: World, tenant: string, id: string, latestMilliseconds: number) {
    this.tenant = tenant
    this.id = id
    this.known = new KnownState<Terms>(world, latestMilliseconds, '')
  }

  get name(): string {
    return `${this.tenant} ${this.id}`
  }

  /** Follows one write of it: what it read and what it leaves, or that nobody knows what it left. */
  async follow(process: Process, work: () => Promise<Effect | undefined>): Promise<void> {
    const write = this.known.begun()
    const forget = () => this.known.unanswered(write)
    process.whenCrashed(forget)
    let effect: Effect | undefined
    try {
      effect = await work()
    } finally {
      process.notWhenCrashed(forget)
      if (effect === undefined) forget()
    }
    if (effect === undefined) return
    const { before, after } = effect
    if (write.isAlone && write.before !== undefined && before !== undefined && write.before !== before) {
      const seen = `${this.name} was changed from "${before}", and was "${write.before}"`
      throw new Violation('a condition holds when its write is carried out', seen, [this.tenant, this.id])
    }
    this.known.answered(write, after)
  }
}

export interface Effect {
  /** What the write found, where it says so. */
  readonly before: Terms | undefined
  readonly after: Terms
}

/** Different terms in any order. */
export function drawnTerms({ random }: Process): Terms {
  const left: string[] = [...TERMS]
  return Array.from(
    { length: randomInteger(random, 1, MAX_TERMS) },
    () => left.splice(randomInteger(random, 0, left.length - 1), 1)[0],
  ).join(' ')
}
