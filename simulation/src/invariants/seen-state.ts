import { Violation } from '../world/violation.js'

/** What an item of the shard map says of one key, or the card of all keys without a count of their own, read by this project's other hand. */
export interface Seen {
  readonly shards: number
  readonly readable: number
  readonly phase: string | undefined
  readonly from: number
  readonly to: number
  /** How many changes the history has, and when the last one was. */
  readonly entries: number
  readonly lastEntry: number
  /** Whether the item says so of itself. One that repeats the initial state says nothing. */
  readonly isOwn: boolean
}

export type StoredState = Readonly<
  Record<string, { readonly N?: string; readonly S?: string; readonly SS?: readonly string[] }>
>

/** A count that never changed. */
export function unchanged(shards: number): Seen {
  return {
    shards,
    readable: shards,
    phase: undefined,
    from: 0,
    to: 0,
    entries: 1,
    lastEntry: Number.NEGATIVE_INFINITY,
    isOwn: false,
  }
}

export function seenOf(item: StoredState): Seen {
  const shards = Number(item.number_of_shards?.N)
  const history = (item.shard_history?.SS ?? []).map((entry) => entry.split(':').map(Number))
  const lastEntry = Math.max(...history.map(([at = 0]) => at))
  const isDraining = item.draining_since !== undefined && Number(item.draining_since.N) === lastEntry
  return {
    shards,
    readable: Math.max(shards, ...history.map(([, count = 0]) => count)),
    phase: item.phase?.S === 'moved' && isDraining ? 'draining' : item.phase?.S,
    from: Number(item.from_shards?.N ?? 0),
    to: Number(item.to_shards?.N ?? 0),
    entries: history.length,
    lastEntry,
    isOwn: item.initial_as_of === undefined,
  }
}

/** The count that the key has, or is about to have. */
export function targetOf({ shards, phase, to }: Seen): number {
  return phase === undefined ? shards : to
}

export function isChanging({ phase, readable, shards }: Seen): boolean {
  return phase !== undefined || readable > shards
}

/** Whether both are at rest, and say the same. */
export function isSame(one: Seen, other: Seen): boolean {
  return !isChanging(one) && !isChanging(other) && one.shards === other.shards
}

/** A change begins here: the count in use is another one, or will be. */
export function isChange(before: Seen, seen: Seen): boolean {
  if (seen.phase === undefined && before.phase === undefined) return before.shards !== seen.shards
  return before.phase === undefined && seen.phase !== undefined
}

/** *settled* -> *announced* -> *moved* -> *draining* -> *settled*, between the same two counts. @throws Violation */
export function requireNextPhase(key: string, before: Seen, seen: Seen): void {
  const isSameChange = before.from === seen.from && before.to === seen.to
  const isAllowed =
    (before.phase === seen.phase &&
      (seen.phase === undefined || (isSameChange && before.shards === seen.shards))) ||
    (before.phase === undefined && seen.phase === 'announced' && seen.shards === before.shards) ||
    (before.phase === 'announced' && seen.phase === 'moved' && isSameChange && seen.shards === seen.to) ||
    (before.phase === 'moved' &&
      seen.phase === 'draining' &&
      isSameChange &&
      seen.shards === before.shards) ||
    (before.phase === 'draining' && seen.phase === undefined && seen.shards === before.to)
  if (isAllowed) return
  throw new Violation('no phase is skipped', `${key} went from ${textOf(before)} to ${textOf(seen)}`, [key])
}

export function textOf({ shards, readable, phase, from, to }: Seen): string {
  return phase === undefined ? `${shards} of ${readable}` : `${phase} ${from} -> ${to}`
}
