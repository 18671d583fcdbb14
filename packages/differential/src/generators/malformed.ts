import fc, { type Arbitrary } from 'fast-check'
import { isJsonObject, type JsonObject } from '../json.js'
import { weighted } from './weighted.js'

const JUNK: readonly unknown[] = [
  ...[
    null,
    '',
    'x',
    'NONE',
    0,
    -1,
    1,
    1.5,
    1e10,
    true,
    false,
    [],
    {},
    [[]],
    ['x'],
    [null],
    { x: 1 },
    { S: 'a' },
  ],
  ...[
    'INDEXES',
    'TOTAL',
    'SIZE',
    'ALL_OLD',
    'ALL_NEW',
    'COUNT',
    'a'.repeat(256),
    'a b',
    [{}],
    { a: {} },
    'ab',
  ],
]

/**
 * The request or, with the given chance in per cent, one with a member missing, renamed, of a wrong type or with a
 * wrong value.
 */
export function malformed<T extends object>(request: Arbitrary<T>, chance: number): Arbitrary<object> {
  return weighted<object>([100 - chance, request], [chance, request.chain(spoilt)])
}

function spoilt(request: object): Arbitrary<object> {
  const places = placesIn(request, [], 0)
  if (places.length === 0) return fc.constant(request)
  return fc
    .tuple(
      fc.constantFrom(...places),
      fc.constantFrom(...JUNK),
      fc.constantFrom('remove', 'put', 'put', 'put'),
    )
    .map(([place, junk, how]) => changedAt(request as JsonObject, place, how === 'remove' ? undefined : junk))
}

type Place = readonly (string | number)[]

/** Shallow places are listed more than once, because most of the rules are about them. */
function placesIn(value: unknown, above: Place, depth: number): Place[] {
  const entries = Array.isArray(value)
    ? [...value.entries()]
    : isJsonObject(value)
      ? Object.entries(value)
      : []
  return entries.flatMap(([step, member]) => {
    const place = [...above, step]
    const here = Array.from({ length: depth === 0 ? 4 : 1 }, () => place)
    return depth > 4 ? here : [...here, ...placesIn(member, place, depth + 1)]
  })
}

function changedAt(value: JsonObject, place: Place, put: unknown): JsonObject {
  const copy = structuredClone(value) as Record<string | number, unknown>
  let holder = copy
  for (const step of place.slice(0, -1)) holder = holder[step] as Record<string | number, unknown>
  const last = place.at(-1) ?? ''
  if (put !== undefined) holder[last] = put
  else if (Array.isArray(holder)) holder.splice(Number(last), 1)
  else delete holder[last]
  return copy
}
