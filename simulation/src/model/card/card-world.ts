/**
 * How far the count of the key has come, as a number that only grows: from the initial count to another one, back, and away again.
 * Where it begins to go back, and where it has come back, are stages of their own: the key is then listed, or comes off the card.
 */
export const LAST_STAGE = 8

/** The key is at rest, and a change may begin. */
export const SETTLED: readonly number[] = [0, 3, 6]

/** The stages in which a process may go by the initial count: it is in use, or the change from it has only been announced. */
export const INITIAL: readonly number[] = [0, 1, 6, 7]

/** The phases that last until no process goes by the phase before them. The others end at once. */
export const WAITING: readonly number[] = [1, 2, 4, 5, 7]

/** The stage after which the key has the initial count again, and comes off the card. */
export const LAST_OF_RETURN = 5

/** A read, and the stage at which it was sent. Its answer is what the service had when it was carried out. */
interface CardRead {
  readonly askedAt: number
  /** `undefined` until it is carried out. */
  readonly listed: boolean | undefined
}

interface ItemRead {
  readonly askedAt: number
  /** Whether the card that was known when it was sent lists the key; `undefined` if none was known. */
  readonly listedBefore: boolean | undefined
  /** The stage of the item; `'missing'` for no item, `undefined` until it is carried out. */
  readonly found: number | 'missing' | undefined
}

/** A process that reads and writes items of the key. It goes by the card, or by the item of the key if the card lists the key. */
export interface Reader {
  readonly card: { readonly askedAt: number; readonly listed: boolean } | undefined
  readonly entry: { readonly askedAt: number; readonly stage: number } | undefined
  readonly cardRead: CardRead | undefined
  readonly itemRead: ItemRead | undefined
  /** The key was taken for one whose item is lost. */
  readonly misses: boolean
}

/** A process that begins a change and drives it. */
export interface Changer {
  readonly at: 'idle' | 'created' | 'read' | 'listed' | 'written' | 'version read' | 'ended'
  /** The stage that it read, or wrote last. */
  readonly stage: number
  readonly version: number
}

/** Everything, at one moment. */
export interface CardWorld {
  readonly stage: number
  readonly hasItem: boolean
  readonly isListed: boolean
  readonly version: number
  readonly reader: Reader
  readonly changers: readonly Changer[]
  /** A change was written over one of another process. */
  readonly isOverwritten: boolean
}

const IDLE: Changer = { at: 'idle', stage: 0, version: 0 }

/** A table whose key was never changed, a process that uses it, and processes that change its count. */
export function startOf(changers: number): CardWorld {
  return {
    stage: 0,
    hasItem: false,
    isListed: false,
    version: 0,
    reader: {
      card: undefined,
      entry: undefined,
      cardRead: undefined,
      itemRead: undefined,
      misses: false,
    },
    changers: Array.from({ length: changers }, () => IDLE),
    isOverwritten: false,
  }
}
