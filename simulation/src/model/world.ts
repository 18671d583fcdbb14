/** What an item holds: a small number, or nothing where there is no item. */
export type Value = number | undefined

/** A copy of an item in one shard. */
export interface Copy {
  readonly value: number
  /** The move that it is marked by; `undefined` for a copy that may be written. */
  readonly mark: string | undefined
}

/** Where one item may be: at its place among the first count, or among the second. */
interface Places {
  readonly first: Copy | undefined
  readonly second: Copy | undefined
}

export type Side = 'first' | 'second'

/**
 * How far a key's count has come, as a number that only grows. Two changes there and back, so that a place that was left is
 * one that is gone to.
 */
export const STAGES = [
  { phase: 'settled', source: 'first', target: 'first' },
  { phase: 'announced', source: 'first', target: 'second' },
  { phase: 'moved', source: 'first', target: 'second' },
  { phase: 'draining', source: 'first', target: 'second' },
  { phase: 'settled', source: 'second', target: 'second' },
  { phase: 'announced', source: 'second', target: 'first' },
  { phase: 'moved', source: 'second', target: 'first' },
  { phase: 'draining', source: 'second', target: 'first' },
  { phase: 'settled', source: 'first', target: 'first' },
] as const satisfies readonly {
  readonly phase: 'settled' | 'announced' | 'moved' | 'draining'
  readonly source: Side
  readonly target: Side
}[]

/** What an application asks for, of one item. */
export type Operation =
  /** In a batch, a put cannot have a condition. */
  | { readonly kind: 'put'; readonly item: number; readonly value: number; readonly isInBatch?: boolean }
  | { readonly kind: 'increment'; readonly item: number }
  | { readonly kind: 'create'; readonly item: number; readonly value: number }
  | { readonly kind: 'delete'; readonly item: number }
  | { readonly kind: 'read'; readonly item: number }

/** What a write demands of the copy that it changes. */
export type Need = 'nothing' | 'unmarked' | 'present and unmarked'

/** A request to the service, carried out in one step or never. */
export type Request =
  | { readonly kind: 'read'; readonly side: Side }
  /** A write of one place. `needs` is the condition that the library adds. */
  | { readonly kind: 'write'; readonly side: Side; readonly needs: Need }
  /** Creates at one place and checks that nothing is at the other. */
  | { readonly kind: 'create'; readonly side: Side; readonly checksOther: boolean }
  /** Marks a copy, and learns what it holds. */
  | { readonly kind: 'mark'; readonly side: Side }
  /** Puts the marked copy to the other side and deletes it here. */
  | { readonly kind: 'move'; readonly side: Side; readonly value: number; readonly mark: string }
  /** Puts a new copy to the other side and deletes the one here, at once. */
  | { readonly kind: 'replace'; readonly side: Side }
  /** The shard map advances, if it is still at the stage before. */
  | { readonly kind: 'advance'; readonly to: number }

/** A request on its way, and the stage its sender went by. */
export interface Sent {
  readonly request: Request
  readonly item: number
  readonly view: number
}

/** An application with a list of operations. */
export interface Application {
  readonly role: 'application'
  /** Operations that are not answered, the present one first. */
  readonly operations: readonly Operation[]
  /** The number of the present operation among those of all processes. */
  readonly number: number
  /** Whether the present operation has begun. */
  readonly begun: boolean
  /** What the present attempt has learnt: that nothing is at the place it looked at first. */
  readonly firstLookFoundNothing: boolean
  readonly sent: Sent | undefined
  /** The stage that it last read. */
  readonly view: number
}

/** Whoever drives the change. */
export interface Driver {
  readonly role: 'driver'
  /** Items of the source that the present pass has seen gone. */
  readonly passedItems: number
  readonly sent: Sent | undefined
  readonly view: number
}

/** A process that is no more. Its last request may still be carried out. */
interface Crashed {
  readonly role: 'crashed'
  readonly sent: Sent | undefined
  readonly view: number
  /** The operation that it was at, and whose effect nobody knows. */
  readonly number: number
  readonly operation: Operation | undefined
}

export type Process = Application | Driver | Crashed

/** Everything, at one moment. */
export interface World {
  readonly stage: number
  readonly items: readonly Places[]
  readonly processes: readonly Process[]
  readonly crashesLeft: number
  /** The stage at which the changes are over. */
  readonly lastStage: number
  /** Every order of the operations so far that would explain all answers given. */
  readonly explanations: readonly Explanation[]
}

/** One sequential history: what the items hold in it, and what unanswered operations would answer. */
export interface Explanation {
  readonly values: readonly Value[]
  /** Operations that have taken effect in it and are not answered, with their answers: `number:answer`. */
  readonly answers: Readonly<Record<number, string>>
}
