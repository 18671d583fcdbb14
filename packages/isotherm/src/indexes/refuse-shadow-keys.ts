import { refuseParameter } from '../errors/refuse.js'
import { type Expressions, mentions } from '../sdk/placeholders.js'
import type { IndexedTable } from './indexed-table.js'

/** A write, whatever command it came in. */
interface Write extends Expressions {
  readonly Item?: object | undefined
  readonly AttributeUpdates?: object | undefined
}

/**
 * The keys of sharded indexes are not the application's to write or to ask for.
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
