import type { KeyType } from '@isotherm/semantics'
import type {
  IndexDefinition,
  KeyAttribute,
  KeyDefinition,
  Projection,
  Throughput,
  VectorIndexDefinition,
} from '../table/table-definition.js'
import { listIn, numberIn, objectIn, type Plain, type PlainObject, textIn } from './plain.js'

/** `AttributeDefinitions`, as CreateTable has them. */
export function declaredIn(definitions: Plain | undefined): readonly KeyAttribute[] {
  return listIn(definitions).flatMap((given) => {
    const { AttributeName, AttributeType } = objectIn(given)
    const name = textIn(AttributeName)
    const type = keyType(textIn(AttributeType))
    return name === undefined ? [] : [{ name, ...(type === undefined ? {} : { type }) }]
  })
}

export function keyType(text: string | undefined): KeyType | undefined {
  return text === 'S' || text === 'N' || text === 'B' ? text : undefined
}

/** `KeySchema`, with the types of the attributes. */
export function keyIn(schema: Plain | undefined, declared: readonly KeyAttribute[]): KeyDefinition {
  const attributes = (type: string) =>
    listIn(schema).flatMap((given) => {
      const { AttributeName, KeyType: kind } = objectIn(given)
      const name = textIn(AttributeName)
      if (name === undefined || kind !== type) return []
      return [declared.find((attribute) => attribute.name === name) ?? { name }]
    })
  return { partition: attributes('HASH'), sort: attributes('RANGE') }
}

export function indexesIn(
  kind: IndexDefinition['kind'],
  indexes: Plain | undefined,
  declared: readonly KeyAttribute[],
): readonly IndexDefinition[] {
  return listIn(indexes).map((given, position) => {
    const index = objectIn(given)
    const throughput = throughputIn(index.ProvisionedThroughput)
    return {
      name: textIn(index.IndexName) ?? `index ${position + 1}`,
      kind,
      key: keyIn(index.KeySchema, declared),
      projection: projectionIn(objectIn(index.Projection)),
      ...(throughput === undefined ? {} : { throughput }),
    }
  })
}

/** `VectorIndexes`, whose searches are limited by declared attributes. */
export function vectorIndexesIn(
  indexes: Plain | undefined,
  declared: readonly KeyAttribute[],
): readonly VectorIndexDefinition[] {
  return listIn(indexes).map((given, position) => {
    const index = objectIn(given)
    return {
      name: textIn(index.IndexName) ?? `vector index ${position + 1}`,
      searched: listIn(index.SearchSchema).flatMap((element) => {
        const name = textIn(objectIn(element).AttributeName)
        return name === undefined ? [] : [declared.find((attribute) => attribute.name === name) ?? { name }]
      }),
    }
  })
}

function projectionIn({ ProjectionType, NonKeyAttributes }: PlainObject): Projection {
  if (ProjectionType === 'KEYS_ONLY') return { type: 'KEYS_ONLY' }
  if (ProjectionType !== 'INCLUDE') return { type: 'ALL' }
  return { type: 'INCLUDE', attributes: listIn(NonKeyAttributes).flatMap((name) => textIn(name) ?? []) }
}

/** @returns `undefined` if none is given, or if it is that of an on-demand table */
export function throughputIn(given: Plain | undefined): Throughput | undefined {
  const { ReadCapacityUnits, WriteCapacityUnits } = objectIn(given)
  const throughput = unitsOf(numberIn(ReadCapacityUnits), numberIn(WriteCapacityUnits))
  return throughput.readUnits === undefined && throughput.writeUnits === undefined ? undefined : throughput
}

export function unitsOf(readUnits: number | undefined, writeUnits: number | undefined): Throughput {
  return {
    ...(readUnits === undefined || readUnits <= 0 ? {} : { readUnits }),
    ...(writeUnits === undefined || writeUnits <= 0 ? {} : { writeUnits }),
  }
}
