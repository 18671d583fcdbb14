import type { World } from '../world/world.js'

/** A write of an item on its way. */
export interface KnownWrite<State> {
  /** What was known when it was begun. */
  readonly before: State | undefined
  isAlone: boolean
}

/**
 * What an observer can be sure of about an item that many write to: what the last write left there, as long as it was
 * alone from its call to its answer and nothing is on its way.
 */
export class KnownState<State> {
  readonly #world: World
  readonly #latestMilliseconds: number
  readonly #underWay = new Set<KnownWrite<State>>()
  #state: State | undefined
  #since = 0

  /** @param latestMilliseconds how long after it was sent a request may still be carried out */
  constructor(world: World, latestMilliseconds: number, state: State) {
    this.#world = world
    this.#latestMilliseconds = latestMilliseconds
    this.#state = state
    this.#since = world.now
  }

  /** What the item is, and has been since a time; `undefined` while nobody can be sure. */
  get sure(): { readonly state: State; readonly since: number } | undefined {
    return this.#state === undefined || this.#underWay.size > 0
      ? undefined
      : { state: this.#state, since: this.#since }
  }

  begun(): KnownWrite<State> {
    for (const other of this.#underWay) other.isAlone = false
    const write = { before: this.sure?.state, isAlone: this.#underWay.size === 0 }
    this.#underWay.add(write)
    return write
  }

  /** @param state what it left, where that is known: as it was, for one that was refused */
  answered(write: KnownWrite<State>, state: State | undefined): void {
    this.#underWay.delete(write)
    this.#state = write.isAlone ? state : undefined
    this.#since = this.#world.now
  }

  /** It may be carried out for so long as its last attempt may be on its way. */
  unanswered(write: KnownWrite<State>): void {
    this.#world.scheduler.after(this.#latestMilliseconds + 1, () => this.answered(write, undefined))
  }
}
