import { type Random, randomInteger } from '@isotherm/runtime'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'
const NAME_LETTERS = 26

/** The last part of the ARN of an export or an import, in the form of the service: milliseconds and eight digits. */
export function newTransferId(now: number, random: Random): string {
  const digits = randomInteger(random, 0, 2 ** 32 - 1).toString(16)
  return `${String(Math.floor(now)).padStart(14, '0')}-${digits.padStart(8, '0')}`
}

/** The name of a data object, in the form of the service: 26 letters and digits. */
export function randomName(random: Random): string {
  return Array.from({ length: NAME_LETTERS }, () => LETTERS[randomInteger(random, 0, 31)]).join('')
}
