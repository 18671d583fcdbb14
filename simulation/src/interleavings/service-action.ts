import { COMMAND_WORDS, commandOf } from './commands.js'
import { pathOf } from './paths.js'
import type { ScriptTable, ServiceAction } from './script.js'
import { type Token, TokenReader, tokensOf } from './tokens.js'
import type { Attributes } from './values.js'

type Tables = ReadonlyMap<string, ScriptTable>

/** @throws Error if the text is no request that the service accepts */
export function serviceActionOf(text: string, tables: Tables): ServiceAction {
  const [first, ...rest] = tokensOf(text)
  const word = first?.text ?? ''
  if (COMMAND_WORDS.includes(word)) return { kind: 'command', command: commandOf(word, rest, tables) }
  if (word === 'set') return setting(rest, tables)
  if (word === 'move') {
    const reader = new TokenReader(rest)
    const path = pathOf(reader.take('an item').text, tables)
    if (!reader.takes('to')) throw new Error('write "move k/1 to k_2"')
    const action = { kind: 'move', path, to: reader.take('a stored key').text } as const
    reader.requireEnd()
    return action
  }
  throw new Error(`the service knows no ${word}; it knows ${[...COMMAND_WORDS, 'set', 'move'].join(', ')}`)
}

/** `set k 5 history 1:5 2:2 3:5`, as other processes have left the shard map; `moved 2 to 3` or `draining 2 to 3` where a change is under way. */
function setting(tokens: readonly Token[], tables: Tables): ServiceAction {
  const reader = new TokenReader(tokens)
  const { table, partition } = pathOf(reader.take('a key').text, tables)
  const own = tables.get(table.name)
  if (own === undefined) throw new Error(`there is no table ${table.name}`)
  const item: Attributes = {
    [table.partitionKey]: { S: partition },
    number_of_shards: { N: reader.take('a count').text },
  }
  let updated = 1
  while (!reader.isAtEnd) {
    const word = reader.take('history, updated, announced, moved or draining').text
    if (word === 'history') {
      const entries = reader.until(['updated', 'announced', 'moved', 'draining']).map(({ text }) => text)
      item.shard_history = { SS: entries }
      updated = Math.max(...entries.map((entry) => Number(entry.split(':')[0])))
    } else if (word === 'updated') updated = Number(reader.take('a time in seconds').text)
    else if (word === 'announced' || word === 'moved' || word === 'draining') {
      item.phase = { S: word === 'draining' ? 'moved' : word }
      // The change that is draining is the last one in the history.
      if (word === 'draining') item.draining_since = { N: String(updated) }
      item.from_shards = { N: reader.take('a count').text }
      if (!reader.takes('to')) throw new Error(`write "${word} 2 to 3"`)
      item.to_shards = { N: reader.take('a count').text }
    } else throw new Error(`${word} does not belong here`)
  }
  return { kind: 'set', table: own, item: { ...item, last_updated: { N: String(updated) } } }
}
