import { type Random, randomInteger } from '@isotherm/runtime'

/** A move, by the text of its mark. */
export interface MoveName {
  /** `<target shard>:<number>`. */
  readonly text: string
  readonly target: number
}

const MARK = /^([1-9]\d{0,3}):\d+$/

/**
 * A name for a new move. The number makes it unlike any earlier one of the same item to the same shard, so that a request
 * of that one, however late, finds nothing to do.
 */
export function newMoveName(random: Random, target: number): MoveName {
  return { text: `${target}:${randomInteger(random, 0, 0xffff_ffff)}`, target }
}

/** @returns `undefined` for a text that no move has */
export function readMoveName(text: string | undefined): MoveName | undefined {
  const target = MARK.exec(text ?? '')?.[1]
  return text === undefined || target === undefined ? undefined : { text, target: Number(target) }
}

/**
 * Shards that a mark tells, the last one first. An item that moves on while a page is read may have been met in each of them;
 * of more moves within one page nobody has heard, and the mark stays short.
 */
const MAX_ORIGINS = 3

/**
 * What the copy at the target carries: it tells this move's copy from any other item there.
 * @param before the mark that the item had at the source, if it was moved there
 */
export function copyMark(source: number, { text }: MoveName, before: string | undefined): string {
  // What is drained goes down: a lower shard before this one was left long ago, under another count.
  const earlier = readOrigins(before).filter((origin) => origin > source)
  return `${[source, ...earlier].slice(0, MAX_ORIGINS).join(',')}:${text}`
}

/**
 * Whether the mark of a copy was given by this move. Its name tells; of the origins, versions of the library that work
 * beside each other may have told more or fewer.
 */
export function isMarkOf({ text }: MoveName, mark: string | undefined): boolean {
  return mark?.endsWith(`:${text}`) === true
}

const NOWHERE: readonly number[] = []
const ORIGINS = /^(\d+(?:,\d+)*):/

/** The shards that an item was moved from, the last one first; none for one that was never moved. */
export function readOrigins(mark: string | undefined): readonly number[] {
  // Most items were never moved, and every item that is read is looked at.
  const origins = mark === undefined ? undefined : ORIGINS.exec(mark)?.[1]
  return origins === undefined ? NOWHERE : origins.split(',').map(Number)
}
