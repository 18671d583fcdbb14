import { refuseParameter } from '../errors/refuse.js'
import { type Expressions, mentions } from '../sdk/placeholders.js'
import type { IndexedTable } from './indexed-table.js'

/** A write in any command. */
interface Write extends Expressions {
  readonly Item?: object | undefined
  readonly AttributeUpdates?: object | undefined
}

/**
 * Rejects requests that write or query shadow keys, which belong to the library.
 * @throws IsothermError `command.parameter-unsupported`
 */
export function refuseShadowKeys(table: IndexedTable, operation: string, write: Write): void {
  const { name } = table.options
  if (write.AttributeUpdates !== undefined) {
    throw refuseParameter(name, operation, 'AttributeUpdates', 'Say the same with UpdateExpression.')
  }
  const texts = `${write.ConditionExpression ?? ''} ${write.UpdateExpression ?? ''}`
  for (const { index } of table.shadows) {
    const { attribute } = index.shard
    const isNamed =
      Object.hasOwn(write.Item ?? {}, attribute) || mentions(texts, write.ExpressionAttributeNames, attribute)
    if (!isNamed) continue
    const cure = `The library keeps it for the index ${index.name}. Give yours another name, or name another one in the index's options.`
    throw refuseParameter(name, operation, `the attribute ${attribute}`, cure)
  }
}
