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

/** What the copy at the target carries: it tells this move's copy from any other item there. */
export function copyMark(source: number, { text }: MoveName): string {
  return `${source}:${text}`
}
