import type { Random } from '@isotherm/runtime'
import { randomDigits } from '../object-store/random-digits.js'

/** Where pieces are: items of the chunk table, or objects of the object store. */
export type Place = 'chunks' | 'objects'

/**
 * What one put has stored beside its item. It is written once and never changed: another put writes another content. Its name begins with
 * the time, so that names are in the order in which contents were begun.
 */
export interface Content {
  readonly name: string
  readonly place: Place
  readonly pieces: number
}

const TIME_DIGITS = 9
const CHANCE_DIGITS = 24
const PLACES: readonly Place[] = ['chunks', 'objects']

/** @param milliseconds the time at which the content is begun */
export function newContentName(milliseconds: number, random: Random): string {
  return `${timeName(milliseconds)}-${randomDigits(random, CHANCE_DIGITS)}`
}

/** Is before the names of all contents that were begun at this time or later. */
export function timeName(milliseconds: number): string {
  return Math.max(0, Math.floor(milliseconds)).toString(36).padStart(TIME_DIGITS, '0')
}

/** Milliseconds since the Unix epoch. */
export function beginningOf({ name }: Pick<Content, 'name'>): number {
  return Number.parseInt(name.slice(0, TIME_DIGITS), 36)
}

export function pieceName({ name }: Pick<Content, 'name'>, piece: number): string {
  return `${name}/${String(piece).padStart(5, '0')}`
}

/** The content as an item refers to it. */
export function toReference({ name, place, pieces }: Content): string {
  return `${place}:${pieces}:${name}`
}

/** @returns `undefined` for a text that is no reference */
export function fromReference(text: string): Content | undefined {
  const [place = '', pieces, name] = text.split(':')
  const known = PLACES.find((each) => each === place)
  if (known === undefined || name === undefined || !/^\d+$/.test(pieces ?? '')) return undefined
  return { name, place: known, pieces: Number(pieces) }
}
