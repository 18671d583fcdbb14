import { z } from 'zod'

/** An object with these members and no others. */
export function members<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape)
  return z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys' ? `known are ${known.join(', ')}` : `an object with ${known.join(', ')}`,
  })
}

/** An object with a member for each table or index. */
export function named<Value extends z.ZodType>(value: Value, rule: string) {
  return z.record(z.string(), value, { error: rule })
}

export function text(rule: string) {
  return z.string({ error: rule }).min(1, { error: rule })
}

export function integer(from: number, to: number) {
  const error = `a whole number from ${from} to ${to}`
  return z.int({ error }).min(from, { error }).max(to, { error })
}

export function decimal(from: number, to: number) {
  const error = `a number from ${from} to ${to}`
  return z.number({ error }).min(from, { error }).max(to, { error })
}

export function truth() {
  return z.boolean({ error: 'true or false' })
}

export function word<const Words extends readonly [string, ...string[]]>(...words: Words) {
  return z.enum(words, { error: words.join(' or ') })
}

export function texts(rule: string) {
  return z.array(text(rule), { error: rule })
}

const DURATION = /^\d+(\.\d+)?(ms|s|m|h)$/
const DURATION_RULE = "a duration such as '500ms', '60s', '5m' or '1h', or a number of milliseconds"

export const duration = z.union(
  [z.number().min(0, { error: DURATION_RULE }), z.string().regex(DURATION, { error: DURATION_RULE })],
  { error: DURATION_RULE },
)
