import { COMMAND_WORDS, commandOf, type QueriedTables } from './commands.js'
import { durationOf } from './duration.js'
import { pathOf } from './paths.js'
import { RULE_VERBS, type RuleVerb, requestRuleOf } from './request-rule.js'
import type { Action } from './script.js'
import { TokenReader, tokensOf } from './tokens.js'

/** @throws Error where the text is no action of a process */
export function actionOf(text: string, tables: QueriedTables): Action {
  const [first, ...rest] = tokensOf(text)
  const word = first?.text ?? ''
  if (COMMAND_WORDS.includes(word)) return { kind: 'command', command: commandOf(word, rest, tables) }
  if (RULE_VERBS.includes(word)) {
    const isCrashNow = word === 'crash' && rest.length === 0
    return isCrashNow ? { kind: 'crash' } : { kind: 'rule', rule: requestRuleOf(word as RuleVerb, rest) }
  }
  const reader = new TokenReader(rest)
  const action = otherAction(word, reader, tables)
  reader.requireEnd()
  return action
}

function otherAction(word: string, reader: TokenReader, tables: QueriedTables): Action {
  switch (word) {
    case 'set':
    case 'drain':
    case 'resume':
    case 'shards': {
      const { table, partition } = pathOf(reader.take('a key').text, tables)
      const counts = word === 'set' ? countsIn(reader) : []
      return {
        kind: 'shards',
        call: word,
        table: table.name,
        key: partition,
        counts,
        options: drainOptions(reader),
      }
    }
    case 'release':
      return { kind: 'release', name: reader.next === undefined ? undefined : reader.take('a name').text }
    case 'pause':
    case 'jump':
      return { kind: word, milliseconds: durationOf(reader.take('a time').text) }
    case 'end':
      return { kind: 'end' }
    default: {
      const known = [
        ...COMMAND_WORDS,
        ...RULE_VERBS,
        'set',
        'drain',
        'resume',
        'shards',
        'release',
        'pause',
        'jump',
        'end',
      ]
      throw new Error(`there is no action ${word}; there are ${known.join(', ')}`)
    }
  }
}

/** @throws Error where there is none */
function countsIn(reader: TokenReader): readonly number[] {
  const counts = reader.until([]).map(({ text }) => Number(text))
  if (counts.length === 0 || counts.some((count) => !Number.isInteger(count)))
    throw new Error('write a count: "set k 5"')
  return counts
}

function drainOptions(reader: TokenReader): { unitsPerSecond?: number; twoCopies?: 'discard' } {
  const options: { unitsPerSecond?: number; twoCopies?: 'discard' } = {}
  while (!reader.isAtEnd) {
    if (reader.takes('units')) options.unitsPerSecond = Number(reader.take('a number').text)
    else if (reader.takes('discard')) options.twoCopies = 'discard'
    else throw new Error(`${reader.next?.text} does not belong here`)
  }
  return options
}
