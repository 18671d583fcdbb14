import { type Random, randomInteger } from '@isotherm/runtime'
import { bytes, oneOf } from './draw.js'

const PIECES = [
  '\r\n',
  '\r\n\r\n',
  '\n',
  '\0',
  ':',
  ' ',
  '"',
  '{',
  ']',
  '\\u',
  '\xff\xfe',
  'Content-Length: 5\r\n',
  '0\r\n\r\n',
] as const

/** Breaks bytes in one to four places: changes, drops or duplicates some, or inserts others. */
export function brokenBytes(random: Random, whole: Buffer): Buffer {
  let broken = whole
  for (let times = randomInteger(random, 1, 4); times > 0; times--) broken = brokenAt(random, broken)
  return broken
}

function brokenAt(random: Random, whole: Buffer): Buffer {
  const at = randomInteger(random, 0, whole.length)
  const to = Math.min(whole.length, at + randomInteger(random, 1, 16))
  const [before, part, after] = [whole.subarray(0, at), whole.subarray(at, to), whole.subarray(to)]
  return oneOf<() => Buffer>(random, [
    () => Buffer.concat([before, bytes(random, part.length), after]),
    () => Buffer.concat([before, after]),
    () => Buffer.concat([before, part, part, after]),
    () => Buffer.concat([before, Buffer.from(oneOf(random, PIECES), 'latin1'), part, after]),
    () => Buffer.concat([before, part.map((byte) => byte ^ (1 << randomInteger(random, 0, 7))), after]),
    () => before,
  ])()
}
