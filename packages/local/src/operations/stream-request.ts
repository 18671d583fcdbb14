import { resourceNotFound } from '../errors/service-error.js'
import type { Shard } from '../stream/shard.js'
import type { Stream } from '../stream/stream.js'
import type { Shape } from '../validation/shape.js'
import type { OperationContext } from './operation.js'

/** Members that requests about streams share. */
export const STREAM_ARN = { type: 'string', length: { min: 37, max: 1024 } } as const satisfies Shape
export const SHARD_ID = { type: 'string', length: { min: 28, max: 65 } } as const satisfies Shape

/** The stream a request names, in its own region. @throws ServiceError when it does not exist. */
export function streamOf({ catalog, region, clock }: OperationContext, arn: string): Stream {
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
