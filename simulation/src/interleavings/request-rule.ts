import { durationOf } from './duration.js'
import { type Token, TokenReader } from './tokens.js'

/** What happens to requests that a script names. */
export type RuleVerb = 'hold' | 'lose' | 'delay' | 'fail' | 'throttle' | 'crash'

/** A line such as `hold answer of 2nd Query k_4`. */
export interface RequestRule {
  readonly verb: RuleVerb
  /** Whether it is about the answer: then the service carries the request out. */
  readonly ofAnswer: boolean
  /** Which of the requests that fit, from 1; `every` for all of them. */
  readonly nth: number | 'every'
  /** As in the API; `undefined` for any. */
  readonly operation: string | undefined
  /** Tables and stored keys that the request must name. */
  readonly words: readonly string[]
  /** Whether it is about those items of a batch alone that the words name. */
  readonly isOfPart: boolean
  /** Of a delay. */
  readonly milliseconds: number
  /** Of a failure: the name of the error. */
  readonly error: string
  /** Of what is held, to release it by. */
  readonly name: string | undefined
  /** When a held request continues by itself, in milliseconds since the script began; or after how many. */
  readonly until: number | undefined
  readonly heldFor: number | undefined
}

export const RULE_VERBS: readonly string[] = [
  'hold',
  'lose',
  'delay',
  'fail',
  'throttle',
  'crash',
] satisfies RuleVerb[]

/** Errors that the service can be made to answer with. */
const ERRORS: readonly string[] = ['InternalServerError', 'TransactionConflictException']

const NTH = /^(\d+)(st|nd|rd|th)$/

/** @throws Error where the words are no rule */
export function requestRuleOf(verb: RuleVerb, tokens: readonly Token[]): RequestRule {
  const reader = new TokenReader(tokens)
  const ofAnswer = reader.takes('answer')
  if (ofAnswer && !reader.takes('of')) throw new Error('write "answer of" and the request')
  const nth = nthIn(reader)
  const described = reader.until(['in', 'by', 'with', 'as', 'until', 'for']).map(({ text }) => text)
  const isOfPart = reader.takes('in')
  const [operation, ...words] = isOfPart ? [reader.take('an operation').text, ...described] : described
  if (operation === undefined)
    throw new Error(`say which request: write ${verb} Query k_4, or ${verb} request`)
  const rule = {
    verb,
    ofAnswer,
    nth,
    operation: operation === 'request' ? undefined : operation,
    words,
    isOfPart,
    milliseconds: reader.takes('by') ? durationOf(reader.take('a time').text) : 0,
    error: reader.takes('with') ? reader.take('an error').text : 'InternalServerError',
    name: reader.takes('as') ? reader.take('a name').text : undefined,
    until: reader.takes('until') ? durationOf(reader.take('a time').text) : undefined,
    heldFor: reader.takes('for') ? durationOf(reader.take('a time').text) : undefined,
  }
  reader.requireEnd()
  if (verb === 'delay' && rule.milliseconds <= 0)
    throw new Error('say for how long: write "by 5s" at the end')
  if (!ERRORS.includes(rule.error)) throw new Error(`the service can fail with ${ERRORS.join(' or ')}`)
  return rule
}

function nthIn(reader: TokenReader): number | 'every' {
  if (reader.takes('every')) return 'every'
  const nth = NTH.exec(reader.next?.text ?? '')?.[1]
  if (nth !== undefined) reader.take('a request')
  return Number(nth ?? 1)
}
