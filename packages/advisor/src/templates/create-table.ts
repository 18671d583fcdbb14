import type { Billing, TableDefinition, TablePlace } from '../table/table-definition.js'
import { isTrue, listIn, numberIn, objectIn, type PlainObject, textIn } from './plain.js'
import { declaredIn, indexesIn, keyIn, throughputIn, unitsOf, vectorIndexesIn } from './table-members.js'

/** A table as CreateTable, DescribeTable and `AWS::DynamoDB::Table` describe it. */
export function tableFromRequest(
  request: PlainObject,
  name: string,
  place: TablePlace,
  hasComputedKeys = false,
): TableDefinition {
  const declared = declaredIn(request.AttributeDefinitions)
  const timeToLive = objectIn(request.TimeToLiveSpecification ?? request.TimeToLiveDescription)
  const isOn = isTrue(timeToLive.Enabled) || timeToLive.TimeToLiveStatus === 'ENABLED'
  const attribute = isOn ? textIn(timeToLive.AttributeName) : undefined
  const [sizeBytes, itemCount] = [numberIn(request.TableSizeBytes), numberIn(request.ItemCount)]
  const warm = objectIn(request.WarmThroughput)
  const warmThroughput = unitsOf(numberIn(warm.ReadUnitsPerSecond), numberIn(warm.WriteUnitsPerSecond))
  return {
    name,
    place,
    key: keyIn(request.KeySchema, declared),
    indexes: [
      ...indexesIn('local', request.LocalSecondaryIndexes, declared),
      ...indexesIn('global', request.GlobalSecondaryIndexes, declared),
    ],
    vectorIndexes: vectorIndexesIn(request.VectorIndexes, declared),
    billing: billingOf(request),
    declared,
    hasComputedKeys,
    ...(attribute === undefined ? {} : { timeToLive: attribute }),
    ...(Object.keys(warmThroughput).length === 0 ? {} : { warmThroughput }),
    hasStream: hasStream(objectIn(request.StreamSpecification)),
    ...(sizeBytes === undefined ? {} : { sizeBytes }),
    ...(itemCount === undefined ? {} : { itemCount }),
    ignoredRules: listIn(objectIn(objectIn(request.Metadata).isotherm).ignore).flatMap(
      (rule) => textIn(rule) ?? [],
    ),
  }
}

/** CloudFormation has no `StreamEnabled`: a view type turns the stream on. */
function hasStream({ StreamEnabled, StreamViewType }: PlainObject): boolean {
  return StreamEnabled === undefined ? StreamViewType !== undefined : isTrue(StreamEnabled)
}

function billingOf(request: PlainObject): Billing {
  const mode = request.BillingMode ?? objectIn(request.BillingModeSummary).BillingMode
  const throughput = throughputIn(request.ProvisionedThroughput)
  if (mode === 'PAY_PER_REQUEST') {
    const { MaxReadRequestUnits, MaxWriteRequestUnits } = objectIn(request.OnDemandThroughput)
    const maximum = unitsOf(numberIn(MaxReadRequestUnits), numberIn(MaxWriteRequestUnits))
    return Object.keys(maximum).length === 0 ? { mode } : { mode, maximum }
  }
  return { mode: 'PROVISIONED', throughput: throughput ?? {}, isAutoScaled: false }
}
