import type { KeyDescription, KeyElement } from '../items/item.js'

/** The members of a table's description that the page shows. */
export interface TableDescription extends KeyDescription {
  readonly TableStatus?: string
  readonly TableArn?: string
  /** In seconds since the epoch. */
  readonly CreationDateTime?: number
  readonly ItemCount?: number
  readonly TableSizeBytes?: number
  readonly BillingModeSummary?: { readonly BillingMode?: string }
  readonly ProvisionedThroughput?: ThroughputDescription
  readonly OnDemandThroughput?: OnDemandDescription
  readonly WarmThroughput?: WarmDescription
  readonly GlobalSecondaryIndexes?: readonly GlobalIndexDescription[]
  readonly LocalSecondaryIndexes?: readonly IndexDescription[]
  readonly StreamSpecification?: { readonly StreamEnabled?: boolean; readonly StreamViewType?: string }
  readonly LatestStreamArn?: string
  readonly TableClassSummary?: { readonly TableClass?: string }
  readonly DeletionProtectionEnabled?: boolean
}

export interface IndexDescription {
  readonly IndexName: string
  readonly KeySchema: readonly KeyElement[]
  readonly Projection?: { readonly ProjectionType?: string; readonly NonKeyAttributes?: readonly string[] }
  readonly ItemCount?: number
  readonly IndexSizeBytes?: number
}

export interface GlobalIndexDescription extends IndexDescription {
  readonly IndexStatus?: string
  readonly ProvisionedThroughput?: ThroughputDescription
  readonly OnDemandThroughput?: OnDemandDescription
  readonly WarmThroughput?: WarmDescription
}

interface ThroughputDescription {
  readonly ReadCapacityUnits?: number
  readonly WriteCapacityUnits?: number
}

interface OnDemandDescription {
  readonly MaxReadRequestUnits?: number
  readonly MaxWriteRequestUnits?: number
}

interface WarmDescription {
  readonly ReadUnitsPerSecond?: number
  readonly WriteUnitsPerSecond?: number
}

/** The input of CreateTable that makes a table like this one, without its items. */
export function definitionInput(described: TableDescription): object {
  const {
    TableName,
    AttributeDefinitions,
    KeySchema,
    GlobalSecondaryIndexes = [],
    LocalSecondaryIndexes = [],
    OnDemandThroughput,
    StreamSpecification,
    TableClassSummary,
    DeletionProtectionEnabled,
  } = described
  const isProvisioned = described.BillingModeSummary?.BillingMode !== 'PAY_PER_REQUEST'
  return {
    TableName,
    AttributeDefinitions,
    KeySchema,
    BillingMode: isProvisioned ? 'PROVISIONED' : 'PAY_PER_REQUEST',
    ...throughputInput(described, isProvisioned),
    ...(OnDemandThroughput === undefined ? {} : { OnDemandThroughput }),
    ...(GlobalSecondaryIndexes.length === 0
      ? {}
      : {
          GlobalSecondaryIndexes: GlobalSecondaryIndexes.map((index) => ({
            ...indexInput(index),
            ...throughputInput(index, isProvisioned),
            ...(index.OnDemandThroughput === undefined
              ? {}
              : { OnDemandThroughput: index.OnDemandThroughput }),
          })),
        }),
    ...(LocalSecondaryIndexes.length === 0
      ? {}
      : { LocalSecondaryIndexes: LocalSecondaryIndexes.map(indexInput) }),
    ...(StreamSpecification?.StreamEnabled === true ? { StreamSpecification } : {}),
    ...(TableClassSummary?.TableClass === undefined ? {} : { TableClass: TableClassSummary.TableClass }),
    ...(DeletionProtectionEnabled === true ? { DeletionProtectionEnabled } : {}),
  }
}

function indexInput({ IndexName, KeySchema, Projection }: IndexDescription) {
  return { IndexName, KeySchema, Projection }
}

function throughputInput(
  { ProvisionedThroughput: units }: { readonly ProvisionedThroughput?: ThroughputDescription },
  isProvisioned: boolean,
) {
  if (!isProvisioned || units === undefined) return {}
  const { ReadCapacityUnits, WriteCapacityUnits } = units
  return { ProvisionedThroughput: { ReadCapacityUnits, WriteCapacityUnits } }
}
