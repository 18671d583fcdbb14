import { type Random, randomInteger } from '@isotherm/runtime'

/** The name of a move, which is the text of its mark. */
export interface MoveName {
  /** `<target shard>:<number>`. */
  readonly text: string
  readonly target: number
}

const MARK = /^([1-9]\d{0,3}):\d+$/

/**
 * Returns a name for a new move. The number distinguishes it from every earlier move of the same item to the same shard, so that a
 * late request of an earlier move has no effect.
 */
export function newMoveName(random: Random, target: number): MoveName {
  return { text: `${target}:${randomInteger(random, 0, 0xffff_ffff)}`, target }
}

/** @returns `undefined` for a text that is not the name of a move */
export function readMoveName(text: string | undefined): MoveName | undefined {
  const target = MARK.exec(text ?? '')?.[1]
  return text === undefined || target === undefined ? undefined : { text, target: Number(target) }
}

/**
 * How many origin shards a mark names, the last one first. A page may contain an item from each of them, if the item moves while
 * the page is read. More moves within one page have never been observed, and the limit keeps the mark short.
 */
const MAX_ORIGINS = 3

/**
 * Returns the mark of the copy at the target. It distinguishes the copy of this move from any other item there.
 * @param before the mark that the item had at the source, if it was moved there
 */
export function copyMark(source: number, { text }: MoveName, before: string | undefined): string {
  // A drain moves items to lower shards, so the item left a lower origin long ago, under another count.
  const earlier = readOrigins(before).filter((origin) => origin > source)
  return `${[source, ...earlier].slice(0, MAX_ORIGINS).join(',')}:${text}`
}

/** Ends the mark of an item that is no copy, but was put by the application. */
const REPLACEMENT = ':put'

/** Returns the mark of an item that replaces one in another shard. Readers take it for that of the copy of a move. */
export function markOfReplacement(
  random: Random,
  {
    source,
    target,
    before,
  }: { readonly source: number; readonly target: number; readonly before: string | undefined },
): string {
  return copyMark(source, newMoveName(random, target), before) + REPLACEMENT
}

/** Whether the item was put by the application, in the place of one in another shard. */
export function isMarkOfReplacement(mark: string | undefined): boolean {
  return mark?.endsWith(REPLACEMENT) === true
}

/**
 * Whether this move set the mark of a copy. Only the name is compared: versions of the library that run side by side may record
 * different numbers of origins.
 */
export function isMarkOf({ text }: MoveName, mark: string | undefined): boolean {
  return mark?.endsWith(`:${text}`) === true
}

const NOWHERE: readonly number[] = []
const ORIGINS = /^(\d+(?:,\d+)*):/

/** Returns the shards that an item was moved from, the last one first; empty for an item that was never moved. */
export function readOrigins(mark: string | undefined): readonly number[] {
  // This runs for every item that is read, and most items were never moved.
  const origins = mark === undefined ? undefined : ORIGINS.exec(mark)?.[1]
  return origins === undefined ? NOWHERE : origins.split(',').map(Number)
}
