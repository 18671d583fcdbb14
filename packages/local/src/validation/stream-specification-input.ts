import { invalidParameters } from '../errors/service-error.js'
import type { StreamViewType } from '../stream/stream-record.js'
import type { Shape } from './shape.js'

/** A table's stream settings in the form of requests. */
export interface StreamSpecificationInput {
  readonly StreamEnabled: boolean
  readonly StreamViewType?: StreamViewType
}

export const STREAM_SPECIFICATION = {
  type: 'structure',
  members: {
    StreamEnabled: { type: 'boolean', required: true },
    StreamViewType: {
      type: 'string',
      oneOf: ['NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES', 'KEYS_ONLY'],
    },
  },
} as const satisfies Shape

/** The view type of the requested stream, or `undefined` when none is requested. @throws ServiceError */
export function streamViewTypeOf(input: StreamSpecificationInput | undefined): StreamViewType | undefined {
  if (input === undefined) return undefined
  const { StreamEnabled: enabled, StreamViewType: viewType } = input
  if (enabled && viewType === undefined) {
    throw invalidParameters('StreamViewType is required when StreamEnabled is true')
  }
  if (!enabled && viewType !== undefined) {
    throw invalidParameters(
      'Table is being created with a stream disabled, UpdateViewType should not be specified',
    )
  }
  return viewType
}
