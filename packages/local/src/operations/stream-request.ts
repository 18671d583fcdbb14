import { resourceNotFound, ServiceError, validationException } from '../errors/service-error.js'
import type { SequenceNumber } from '../stream/sequence-number.js'
import type { Shard } from '../stream/shard.js'
import type { Stream } from '../stream/stream.js'
import { isStreamArn } from '../validation/resource-arn.js'
import type { Shape } from '../validation/shape.js'
import type { OperationContext } from './operation.js'

/** Members that requests about streams share. */
export const STREAM_ARN = { type: 'string', length: { min: 37, max: 1024 } } as const satisfies Shape
export const SHARD_ID = { type: 'string', length: { min: 28, max: 65 } } as const satisfies Shape

/** The stream a request names, in its own region. @throws ServiceError when its ARN is malformed, or it does not exist. */
export function streamOf({ catalog, region, clock }: OperationContext, arn: string): Stream {
  if (!isStreamArn(arn)) {
    throw validationException(`1 validation error detected: Invalid StreamArn '${arn}'`)
  }
  const stream = catalog.streams.get(arn, clock.now())
  if (stream !== undefined && stream.state.region === region) return stream
  throw resourceNotFound(`Stream: ${arn} not found`)
}

/** @throws ServiceError when the stream has no such shard, or no longer has it. */
export function shardOf(stream: Stream, shardId: string, now: number): Shard {
  const shard = stream.shards(now).find(({ id }) => id === shardId)
  if (shard !== undefined) return shard
  throw resourceNotFound('Shard does not exist')
}

/** The error for a position whose next record can no longer be read. */
export function trimmedData(number: SequenceNumber): ServiceError {
  return new ServiceError(
    'TrimmedDataAccessException',
    `The sequence number ${number} lies beyond the trim horizon: the stream has let go of its record`,
  )
}
