import type { AdoptReport } from 'isotherm'
import pc from 'picocolors'
import { printable } from '../terminal.js'
import { counted, grouped } from './figures.js'

/**
 * A check's result as one line of JSON, bytes as base64.
 * @param isAdopted whether the table has the option already, so that no other delimiter is suggested
 */
export function adoptJson(report: AdoptReport, isAdopted: boolean): string {
  const { suggestedDelimiter: _, ...ofAdopted } = report
  return JSON.stringify(withBase64(isAdopted ? { ...ofAdopted, isAdopted } : report))
}

/**
 * A check's result in sentences: the verdict first, then the steps to take, then other findings.
 * @param isAdopted whether the table has the option already
 */
export function adoptText(report: AdoptReport, isAdopted: boolean): string {
  const { table, keyType, items, keys } = report
  if (keyType === 'N')
    return [verdictOf(report), `${table} has a numeric key; only text and bytes can have a suffix.`].join(
      '\n',
    )
  return [
    isAdopted ? adoptedAlready(report) : verdictOf(report),
    `${grouped(items)} items under ${counted(keys, 'partition key', 'partition keys')} were looked at.`,
    ...refusedKeys(report),
    ...(isAdopted ? ofShards(report) : cures(report)),
    ...traitsOf(report),
    ...(report.lastKey === undefined
      ? []
      : [`It was ended. Go on with --start '${startText(report.lastKey)}'`]),
  ].join('\n')
}

/** JSON for a shell and a terminal: a key may have apostrophes, which would end the word, and control characters. */
function startText(key: object): string {
  return JSON.stringify(withBase64(key)).replace(/['\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

function verdictOf({ table, delimiter, isAdoptable }: AdoptReport): string {
  const name = pc.bold(printable(table))
  const how = `with the delimiter ${printable(delimiter)}`
  if (isAdoptable === undefined) return pc.yellow(`${name}: nothing is in the way so far ${how}.`)
  return isAdoptable
    ? pc.green(`${name} can be adopted ${how}.`)
    : pc.red(`${name} cannot be adopted ${how}.`)
}

function refusedKeys({
  ambiguousKeys,
  ambiguousExamples,
  keysTooLong,
  reservedKeys,
}: AdoptReport): readonly string[] {
  const lines: string[] = []
  if (ambiguousKeys > 0) {
    lines.push(`${counted(ambiguousKeys, 'key ends', 'keys end')} like a suffix and would be refused:`)
    for (const { key, shorter, hasShorter } of ambiguousExamples) {
      const collision = hasShorter ? `; ${shown(shorter)} is there, and its queries would show both` : ''
      lines.push(`  ${shown(key)} looks like a shard of ${shown(shorter)}${collision}`)
    }
    const untold = ambiguousKeys - ambiguousExamples.length
    if (untold > 0) lines.push(`  and ${grouped(untold)} more`)
  }
  if (keysTooLong > 0)
    lines.push(
      `${counted(keysTooLong, 'key leaves', 'keys leave')} no room for a suffix (2,048 bytes with it).`,
    )
  if (reservedKeys > 0)
    lines.push(
      `${counted(reservedKeys, 'key begins', 'keys begin')} with isotherm: and would be refused with dynamicShards, because such keys are reserved for the shard map.`,
    )
  return lines
}

function adoptedAlready({ table, delimiter }: AdoptReport): string {
  const name = printable(table)
  const how = `with the delimiter ${printable(delimiter)}`
  return `${pc.bold(name)} is adopted already ${how}, as its card in ${name}_shard_map says.`
}

function ofShards({ ambiguousKeys }: AdoptReport): readonly string[] {
  if (ambiguousKeys === 0) return []
  return ['Stored keys of its shards are listed, too. Its delimiter must stay as it is.']
}

function cures({ ambiguousKeys, suggestedDelimiter }: AdoptReport): readonly string[] {
  if (ambiguousKeys === 0) return []
  return suggestedDelimiter === undefined
    ? ['Every usual delimiter is in some key; choose a longer one and check again with --delimiter.']
    : [`No key contains ${printable(suggestedDelimiter)}: take it as delimiter.`]
}

function traitsOf(report: AdoptReport): readonly string[] {
  const { localIndexes, globalIndexesOnKey, hasStream, timeToLive } = report
  const indexes = [...localIndexes, ...globalIndexesOnKey].map(printable)
  return [
    ...(indexes.length === 0
      ? []
      : [
          `Indexes under the partition key: ${indexes.join(', ')}. Name their sort keys in the option indexes.`,
        ]),
    ...(hasStream ? ['It has a stream: consumers see suffixes, which logicalRecord takes off.'] : []),
    ...(timeToLive === undefined ? [] : [`Items expire by ${printable(timeToLive)}, as before.`]),
  ]
}

/** Converts bytes first, because a Buffer has a JSON form of its own. */
export function withBase64(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (Array.isArray(value)) return value.map(withBase64)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withBase64(member)]))
}

export function shown(key: string | Uint8Array): string {
  return typeof key === 'string' ? `"${printable(key)}"` : `${Buffer.from(key).toString('base64')} (base64)`
}
