import fc, { type Arbitrary } from 'fast-check'
import { setValue, text, value, type WireValue, wrongValue } from './values.js'
import { present, weighted } from './weighted.js'

/** The placeholders of values in expressions; the pool of values is generated for each request. */
const VALUE_NAMES = [
  ':a',
  ':b',
  ':n',
  ':m',
  ':s',
  ':t',
  ':set',
  ':list',
  ':any',
  ':pk',
  ':sk',
  ':lo',
  ':hi',
] as const

/** The attribute names of the `#` placeholders. */
const NAMES: { readonly [placeholder: string]: string } = {
  '#a': 'a',
  '#n': 'n',
  '#status': 'status',
  '#doc': 'doc',
  '#x': 'x',
  '#y': 'y',
  '#dot': 'x.y',
  '#pk': 'pk',
  '#sk': 'sk',
}

/** The values that a request's expressions can use. */
export type ValuePool = { readonly [placeholder: string]: WireValue }

const whole = fc.integer({ min: -3, max: 30 }).map((n) => ({ N: String(n) }))
const string = text.map((S) => ({ S }))

/** A pool for one request; the callers add values that only they know, such as keys. */
export const valuePool: Arbitrary<ValuePool> = fc.record({
  ':a': value,
  ':b': value,
  ':n': whole,
  ':m': whole,
  ':s': string,
  ':t': weighted<WireValue>(
    [4, fc.constantFrom('S', 'N', 'L', 'M', 'SS', 'BOOL').map((S) => ({ S }))],
    [1, string],
  ),
  ':set': setValue,
  ':list': fc.array(value, { maxLength: 2 }).map((L) => ({ L })),
  ':any': weighted([9, value], [1, wrongValue]),
})

/** Any placeholder of values, including those that are never defined. */
export const anyValueName: Arbitrary<string> = fc.constantFrom<string>(...VALUE_NAMES.slice(0, 9))

const TOKENS = { names: /#[a-z]+/g, values: /:[a-z]+/g } as const

/** The members that resolve the placeholders of some expressions: those that are used, rarely one more or one fewer. */
export function resolve(expressions: readonly (string | undefined)[], pool: ValuePool): Arbitrary<object> {
  const texts = expressions.filter((each) => each !== undefined).join(' ')
  const pick = (tokens: readonly string[], all: { readonly [token: string]: unknown }) =>
    Object.fromEntries(tokens.flatMap((token) => (token in all ? [[token, all[token]] as const] : [])))
  const names = pick([...new Set(texts.match(TOKENS.names))], NAMES)
  const values = pick([...new Set(texts.match(TOKENS.values))], pool)
  return fc
    .tuple(changed(names, '#unused', 'status'), changed(values, ':unused', { S: 'a' }))
    .map(([ExpressionAttributeNames, ExpressionAttributeValues]) =>
      present({ ExpressionAttributeNames, ExpressionAttributeValues }),
    )
}

function changed(members: object, unused: string, filler: unknown): Arbitrary<object | undefined> {
  const names = Object.keys(members)
  return weighted<object | undefined>(
    [96, fc.constant(names.length === 0 ? undefined : members)],
    [1, fc.constant({ ...members, [unused]: filler })],
    [1, fc.constant(Object.fromEntries(Object.entries(members).slice(1)))],
    [
      1,
      fc.constantFrom(
        { ...members, wrong: filler },
        { ...members, '#': filler },
        { ...members, ':a b': filler },
      ),
    ],
    [1, fc.constant(undefined)],
  )
}
