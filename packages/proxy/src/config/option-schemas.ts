import { type Duration, millisecondsOf } from '@isotherm/runtime'
import * as v from 'valibot'

/** A value that may be missing, with its description for editors. */
export function optional<Schema extends v.GenericSchema>(schema: Schema, description: string) {
  return v.optional(described(schema, description))
}

/** A value with its description for editors. */
export function described<Schema extends v.GenericSchema>(schema: Schema, description: string) {
  return v.pipe(schema, v.description(description))
}

/** The rules of objects, whose schemas have several messages. */
const rules = new WeakMap<object, string>()

/** An object with these members and no others. */
export function members<Shape extends v.ObjectEntries>(shape: Shape) {
  const known = Object.keys(shape).join(', ')
  const rule = `an object with ${known}`
  const object = v.strictObject(shape, (issue) => {
    if (issue.expected === 'never') return `known are ${known}`
    const missing = shape[String(issue.path?.[0]?.key)]
    return missing === undefined ? rule : ruleOf(missing)
  })
  const schema = noList(object)
  rules.set(schema, rule)
  return schema
}

/** The rule of a member that is missing. */
export function ruleOf(schema: v.ObjectEntries[string]): string {
  const [root] = 'pipe' in schema && Array.isArray(schema.pipe) ? schema.pipe : [schema]
  const rule = rules.get(root) ?? root.message
  if (typeof rule === 'string') return rule
  throw new TypeError('A required option has no rule.')
}

/** To JavaScript and to valibot, a list is an object, too. */
function noList<Schema extends v.GenericSchema>(schema: Schema): Schema {
  const run: Schema['~run'] = (dataset, config) =>
    schema['~run'](Array.isArray(dataset.value) ? { value: undefined } : dataset, config)
  return { ...schema, '~run': run }
}

/** An object with a member for each table or index. */
export function named<Value extends v.GenericSchema>(value: Value, rule: string) {
  return noList(v.record(v.string(), value, rule))
}

export function text(rule: string) {
  return v.pipe(v.string(rule), v.minLength(1, rule))
}

export function integer(from: number, to: number) {
  const rule = `a whole number from ${from} to ${to}`
  return v.pipe(v.number(rule), v.integer(rule), v.minValue(from, rule), v.maxValue(to, rule))
}

export function decimal(from: number, to: number) {
  const rule = `a number from ${from} to ${to}`
  return v.pipe(v.number(rule), v.minValue(from, rule), v.maxValue(to, rule))
}

export function truth() {
  return v.boolean('true or false')
}

export function word<const Words extends readonly [string, ...string[]]>(...words: Words) {
  return v.picklist(words, words.join(' or '))
}

export function texts(rule: string) {
  return v.array(text(rule), rule)
}

const DURATION = /^\d+(\.\d+)?(ms|s|m|h)$/
const DURATION_RULE = "a duration such as '500ms', '60s', '5m' or '1h', or a number of milliseconds"

export const duration = v.union(
  [
    v.pipe(v.number(DURATION_RULE), v.minValue(0, DURATION_RULE)),
    v.pipe(v.string(DURATION_RULE), v.regex(DURATION, DURATION_RULE)),
  ],
  DURATION_RULE,
)

/** A duration within bounds. The JSON Schema has the form alone. */
export function time(least: Duration, most: Duration) {
  const rule = `a duration from '${least}' to '${most}', or a number of milliseconds`
  const [from = 0, to = 0] = [least, most].map(millisecondsOf)
  const fits = (value: string | number) => {
    const milliseconds = millisecondsOf(value)
    return milliseconds !== undefined && milliseconds >= from && milliseconds <= to
  }
  return v.pipe(duration, v.check(fits, rule))
}
