import { ServiceError } from '@isotherm/local/service'

/** The two services behind one endpoint. At AWS, streams have a host of their own. */
export type Service = 'dynamodb' | 'streams'

/** An operation of the API, from a request's target. */
export interface Operation {
  readonly service: Service
  readonly name: string
}

/**
 * Other versions of the API, and protocols that name the operation in the path, are refused: their requests could write
 * to a sharded table without its shards.
 */
const SERVICES: ReadonlyMap<string, Service> = new Map([
  ['DynamoDB_20120810', 'dynamodb'],
  ['DynamoDBStreams_20120810', 'streams'],
])

/** @throws ServiceError UnknownOperationException for a target that is missing, malformed or of another service */
export function operationOf(target: string | undefined): Operation {
  const dot = target?.indexOf('.') ?? -1
  const service = target === undefined ? undefined : SERVICES.get(target.slice(0, dot))
  const name = target?.slice(dot + 1) ?? ''
  if (service !== undefined && /^[A-Za-z]{1,64}$/.test(name)) return { service, name }
  throw new ServiceError('UnknownOperationException', '')
}
